"""Who may call: the agents that the owner registered, their credentials, and who is behind a call (R3)."""

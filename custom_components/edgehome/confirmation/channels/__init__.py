"""Ways to a human. They may call notify services and nothing else (R1)."""

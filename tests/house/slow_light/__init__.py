"""A lamp behind a slow bridge, as an integration of its own: what happens while a call is on its way can be tested."""

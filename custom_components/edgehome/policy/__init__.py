"""The owner's table of rules and the presets it starts from (no Home Assistant here)."""

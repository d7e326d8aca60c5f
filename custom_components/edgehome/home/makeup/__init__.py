"""What acting on an entity does elsewhere, read from Home Assistant's own configuration (R5)."""

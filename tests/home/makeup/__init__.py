"""What acting on an entity does elsewhere."""

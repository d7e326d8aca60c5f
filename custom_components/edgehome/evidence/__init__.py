"""What is kept of every request: an append-only log in SQLite, written by one thread."""

"""A human says yes: what waits, who may be asked, over which channels, and what an answer is worth (R9, R10)."""

"""The policy as its owner edits it: the tables in their file, the forms, the review before a save, the repair."""

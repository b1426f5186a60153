"""One file a command: its arguments, what it does, what it prints."""

"""Features: what rows are turned into before they are clustered."""

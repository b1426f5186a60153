"""What a run says while it works, and what it leaves behind: events, model bundles."""

"""What the paper says: its tables, its claims, and why some of our rows lie below its."""

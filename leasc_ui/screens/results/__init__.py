"""What is done with a result: profiles, edits, comparisons, projects, and coming back to it."""

"""What comes after the clusters: profiles in the data's own units, edits that can be undone, comparisons, and projects."""

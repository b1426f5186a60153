"""The Sweep view of the Compare page."""

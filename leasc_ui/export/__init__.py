"""What a visitor takes away: files, scripts, figures."""

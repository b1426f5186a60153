"""What one visitor has chosen and done: settings, results, addresses."""

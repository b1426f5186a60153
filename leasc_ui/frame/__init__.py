"""What stands around every page: title, menu, styles, the strip, tiles, the visitor."""

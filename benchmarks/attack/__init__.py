"""What a server withstands: visitors without a browser, a noisy one among them, and kills."""

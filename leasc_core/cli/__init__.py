"""The command line: the app's work without a browser, in scripts, over ssh and on batch machines."""

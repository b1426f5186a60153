"""Work that takes time: jobs, the queue, run folders, caches and files."""

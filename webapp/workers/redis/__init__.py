"""Web processes and workers on any number of machines, which meet in Redis."""

"""Search engines: the state of a search around the kernel that advances it."""

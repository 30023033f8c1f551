"""The course: the lab of searches, and lessons and exercises."""

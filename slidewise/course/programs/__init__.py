"""Programs of students: loaded and called with instruments. Standard library only.

Nothing here judges, and no solution is here: this is all that a program's own process, or the
worker of its page, has of the library. `slidewise.course.judge` judges the results there.
"""

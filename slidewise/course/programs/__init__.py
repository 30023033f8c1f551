"""Programs of students: loaded and called with instruments. Standard library only.

A program's own process, or the worker of its page, has only this package of the library. It
contains no judge and no solution; `slidewise.course.judge` judges the results.
"""

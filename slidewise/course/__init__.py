"""The course: recordings and explanations of searches, checks of programs, exercises, worksheets.

It imports the puzzle, the solver and the analysis; nothing but its part of the web app imports it.
"""

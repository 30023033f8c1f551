"""The course: recordings and explanations of searches, checks of programs, exercises, worksheets.

Imports the library up to the frame of the command; only the course imports it.
"""

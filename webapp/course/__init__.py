"""The course, as a part: the lab of searches, lessons, exercises, pages for teachers.

Imports the game and `slidewise.course`; nothing else imports it.
"""

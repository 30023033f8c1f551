"""Rooms, as a part: several players race on the same board, met by a link.

Imports `play` too; nothing else imports it.
"""

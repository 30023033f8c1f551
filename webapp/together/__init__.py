"""Rooms: several players race on one board, met by a link."""

"""Drawn boards, and words shared by pages."""

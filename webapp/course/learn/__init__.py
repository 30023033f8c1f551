"""Lessons, exercises and pages for teachers."""

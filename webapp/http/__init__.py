"""Requests, responses, errors, languages and security of all pages.

Imports the library alone.
"""

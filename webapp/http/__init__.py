"""Requests, responses, errors, languages and security of all pages.

Imports only the library.
"""

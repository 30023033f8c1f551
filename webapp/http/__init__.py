"""Requests, responses, errors and security: what every page shares."""

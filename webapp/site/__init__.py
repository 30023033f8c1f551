"""The site: playing offline, metrics, probes, robots, privacy.

Imports `play` too.
"""

"""Solvers and caches over Redis, for any number of web processes and workers.

Searches and calls go as JSON through queues of RQ to the processes of `slidewise worker`. Other
shared data are keys that expire. All names start with a version, so that two versions of the
server can share a Redis.
"""

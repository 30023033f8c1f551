"""The same over Redis: any number of web processes and of workers, on any number of machines.

Searches and questions go through queues of RQ to the processes of `slidewise worker`, as JSON. All
else that web processes share stands in keys that expire. Their names begin with the version of what
is in them: processes of another version keep to themselves, and both can run side by side.
"""

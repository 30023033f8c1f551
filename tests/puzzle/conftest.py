"""Settings for the property tests."""

from hypothesis import settings

# No deadline for a single example: how fast the machine is today says nothing about the code.
settings.register_profile("slidewise", deadline=None, max_examples=60)
settings.load_profile("slidewise")

"""The tests of EdgeHome."""

from hypothesis import settings

# How long an example takes says nothing about whether it is right.
settings.register_profile("edgehome", settings.get_profile("default"), deadline=None)
settings.load_profile("edgehome")

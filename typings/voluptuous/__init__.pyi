"""Home Assistant validates with probatio, under the old name."""

from probatio import *  # noqa: F403

"""How a proposed value becomes service data: units, ranges from the device's own attributes, and what to expect.

Values are never clamped, never converted silently (R6): what does not fit is a ``Refuse`` with the range that would.
"""

from .color import Color, Kelvin
from .kind import Kind, Value
from .moment import Duration, Moment, Seconds
from .number import OwnNumber
from .option import Option
from .percent import Percent
from .step import Step
from .temperature import Temperature
from .words import Flag, Media, Speech, Words

__all__ = [
    "Color", "Duration", "Flag", "Kelvin", "Kind", "Media", "Moment", "Option", "OwnNumber", "Percent", "Seconds", "Speech", "Step",
    "Temperature", "Value", "Words",
]  # fmt: skip

"""The exceptions that leave EdgeHome's doors, with translations."""

from collections.abc import Mapping

from homeassistant.exceptions import ServiceValidationError

from .const import DOMAIN


class RequestRefusedError(ServiceValidationError):
    """A request that was blocked, failed or is unknown, for a caller that wanted no response (an automation)."""

    def __init__(self, answer: Mapping[str, object]) -> None:
        super().__init__(
            translation_domain=DOMAIN,
            translation_key=str(answer["code"]).lower(),
            translation_placeholders={
                "message": str(answer["message"]),
                "hint": str(answer.get("hint") or ""),
                "trace_id": str(answer.get("trace_id") or "none was made"),
            },
        )

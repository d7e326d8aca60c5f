"""What EdgeHome uses of PyYAML, which has no types of its own."""

from typing import Any

class YAMLError(Exception): ...

def safe_load(stream: str) -> Any: ...  # noqa: ANN401  # whatever the text says
def safe_dump(
    data: object, *, sort_keys: bool = ..., allow_unicode: bool = ..., default_flow_style: bool | None = ...
) -> str: ...

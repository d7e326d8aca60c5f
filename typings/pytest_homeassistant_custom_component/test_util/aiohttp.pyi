from collections.abc import Mapping
from typing import Any

from yarl import URL

class AiohttpClientMocker:
    mock_calls: list[tuple[str, URL, Any, Mapping[str, str]]]
    def post(self, url: str, *, json: object = ..., status: int = ...) -> None: ...

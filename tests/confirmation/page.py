"""EdgeHome's page as a person has it open, on the real websocket."""

from typing import Any

from tests.confirmation.household import PATIENCE, Household


class Page:
    """One open page."""

    def __init__(self, house: Household) -> None:
        self.house = house
        self.contents: list[dict[str, Any]] = []

    async def open(self, token: str, **language: str) -> Page:
        """Opens the page with a log-in."""
        self.socket = await self.house.doors.ws_client(access_token=token)
        assert (await self.command("edgehome/inbox/subscribe", **language))["success"]
        return self

    async def command(self, kind: str, **content: object) -> dict[str, Any]:
        """The result of a command; what the page is told meanwhile is kept."""
        command = {"type": kind, **content}
        await self.socket.send_json_auto_id(command)
        while (packet := await self._receive()).get("id") != command["id"] or packet["type"] == "event":
            pass
        return packet

    async def shows(self) -> dict[str, Any]:
        """What the page shows now."""
        await self.house.hass.async_block_till_done()
        await self.command("ping")
        return self.contents[-1]

    async def answer(self, asked: dict[str, Any], word: str = "yes", **more: object) -> dict[str, Any]:
        """Clicks a button."""
        result = await self.command("edgehome/inbox/answer", trace_id=asked["trace_id"], answer=word, **more)
        await self.house.hass.async_block_till_done()
        return result

    async def close(self) -> None:
        """Closes the page."""
        await self.socket.close()
        await self.house.hass.async_block_till_done()

    async def _receive(self) -> dict[str, Any]:
        packet: dict[str, Any] = await self.socket.receive_json(timeout=PATIENCE)
        if packet["type"] == "event":
            self.contents.append(packet["event"])
        return packet

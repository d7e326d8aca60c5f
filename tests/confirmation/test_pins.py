"""PINs: kept as salted hashes, five tries, then locked until the owner resets it (R12)."""

import asyncio
import hashlib
import json
import threading
from copy import deepcopy
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from custom_components.edgehome.confirmation.pins import LONGEST, SHORTEST, PinAnswer, Pins, PinState
from custom_components.edgehome.const import DOMAIN

PIN, OTHER = "258-Käse", "9999"
OK, WRONG, LOCKED, UNSET, UNFIT = (
    PinAnswer.OK, PinAnswer.WRONG, PinAnswer.LOCKED, PinAnswer.UNSET, PinAnswer.UNFIT,
)  # fmt: skip
DIGEST = "custom_components.edgehome.confirmation.pins._digest"
ODD: list[Any] = [
    pytest.param("", id="nothing"),
    pytest.param("123", id="too short"),
    pytest.param("1" * (LONGEST + 1), id="too long"),
    pytest.param("x" * 10_000, id="10 kB"),
    pytest.param(1234, id="a number"),
    pytest.param(12.34, id="a fraction"),
    pytest.param(None, id="null"),
    pytest.param(True, id="true"),
    pytest.param(["1", "2", "3", "4"], id="a list"),
    pytest.param({"pin": "1234"}, id="an object"),
    pytest.param(b"1234", id="bytes"),
]


@pytest.fixture
async def pins(hass: HomeAssistant, hass_storage: dict[str, Any]) -> Pins:
    """Nobody has a PIN."""
    return await loaded(hass)


@pytest.fixture
async def anna(pins: Pins) -> Pins:
    """Anna has a PIN."""
    assert await pins.async_set("anna", "Anna", PIN, None) is OK
    return pins


async def loaded(hass: HomeAssistant) -> Pins:
    """The PINs as a new start finds them."""
    await hass.async_block_till_done()
    pins = Pins(hass)
    await pins.async_load()
    return pins


async def tried(pins: Pins, *tries: object) -> list[PinAnswer]:
    """The answers to Anna's tries."""
    return [await pins.async_check("anna", "Anna", pin) for pin in tries]


def kept(storage: dict[str, Any]) -> dict[str, Any]:
    """What the file holds."""
    stored: dict[str, Any] = storage[f"{DOMAIN}.pins"]["data"]["pins"]
    return deepcopy(stored)


def issues(hass: HomeAssistant) -> list[dict[str, Any]]:
    """What the owner reads under repairs about PINs."""
    found = ir.async_get(hass).issues.values()
    return [dict(item.translation_placeholders or {}) for item in found if item.translation_key == "pin_locked"]


@pytest.mark.parametrize("new", ["1234", "1" * LONGEST, "ÄÖ日本", "a b c", "0000"], ids=repr)
async def test_set(hass: HomeAssistant, pins: Pins, new: str) -> None:
    """Any text of four to 64 characters is a PIN, over a restart too; all else is wrong."""
    assert (SHORTEST, LONGEST) == (4, 64)
    assert pins.state("anna") is PinState.UNSET
    assert await pins.async_set("anna", "Anna", new, None) is OK
    again = await loaded(hass)
    for one in (pins, again):
        assert one.state("anna") is PinState.SET
        assert await tried(one, new + "x", new) == [WRONG, OK]
    assert pins.state("bert") is PinState.UNSET


@pytest.mark.parametrize("new", ODD)
async def test_unfit(hass: HomeAssistant, pins: Pins, new: object) -> None:
    """What is no PIN is not set."""
    assert await pins.async_set("anna", "Anna", new, None) is UNFIT
    assert (pins.state("anna"), (await loaded(hass)).state("anna")) == (PinState.UNSET, PinState.UNSET)
    assert await tried(pins, new, "") == [UNSET, UNSET]


@pytest.mark.parametrize(
    "given", [*ODD, pytest.param(PIN.upper(), id="upper case"), pytest.param(f" {PIN}", id="a blank")]
)
async def test_odd_tries(anna: Pins, hass_storage: dict[str, Any], given: object) -> None:
    """Whatever is given instead of the PIN is a wrong try, and counts."""
    assert await tried(anna, given) == [WRONG]
    assert kept(hass_storage)["anna"]["tries"] == 1
    assert await tried(anna, PIN) == [OK]


async def test_lock(hass: HomeAssistant, anna: Pins) -> None:
    """The fifth wrong try locks, over a restart too: then the right PIN is none, and the owner is told once."""
    assert await tried(anna, *[OTHER] * 4) == [WRONG] * 4
    assert (anna.state("anna"), issues(hass)) == (PinState.SET, [])
    assert await tried(anna, OTHER, PIN, OTHER) == [LOCKED] * 3
    assert issues(hass) == [{"name": "Anna"}]
    again = await loaded(hass)
    for one in (anna, again):
        assert one.state("anna") is PinState.LOCKED
        assert await tried(one, PIN) == [LOCKED]
        assert await one.async_set("anna", "Anna", OTHER, PIN) is LOCKED
    assert again.state("bert") is PinState.UNSET


async def test_tries_survive_a_restart(hass: HomeAssistant, anna: Pins) -> None:
    """A restart gives no further tries."""
    assert await tried(anna, *[OTHER] * 3) == [WRONG] * 3
    again = await loaded(hass)
    assert await tried(again, OTHER, OTHER, PIN) == [WRONG, LOCKED, LOCKED]


async def test_right_one_resets(hass: HomeAssistant, anna: Pins) -> None:
    """After the right PIN there are five tries again."""
    for _ in range(2):
        assert await tried(anna, *[OTHER] * 4, PIN) == [WRONG] * 4 + [OK]
    assert await tried(await loaded(hass), *[OTHER] * 5) == [WRONG] * 4 + [LOCKED]


async def test_each_has_his_own(anna: Pins, hass: HomeAssistant) -> None:
    """Another person's PIN, tries and lock are another's."""
    assert await anna.async_set("bert", "Bert", OTHER, None) is OK
    assert await tried(anna, *[OTHER] * 5) == [WRONG] * 4 + [LOCKED]
    assert [await anna.async_check("bert", "Bert", pin) for pin in (PIN, OTHER)] == [WRONG, OK]
    assert issues(hass) == [{"name": "Anna"}]


async def test_saved_before_it_is_compared(hass: HomeAssistant, anna: Pins, hass_storage: dict[str, Any]) -> None:
    """Who breaks EdgeHome off while a PIN is compared gains no try: it stands in the file before."""
    seen: list[int] = []

    def broken(pin: str, salt: bytes) -> bytes:
        seen.append(kept(hass_storage)["anna"]["tries"])
        raise RuntimeError(pin[:0])

    pins = anna
    with patch(DIGEST, broken):
        for _ in range(5):
            with pytest.raises(RuntimeError):
                await pins.async_check("anna", "Anna", PIN)
            pins = await loaded(hass)
    assert seen == [1, 2, 3, 4, 5]
    assert await tried(pins, PIN) == [LOCKED]


@pytest.mark.parametrize("count", [2, 5, 20])
async def test_at_once(anna: Pins, count: int) -> None:
    """However many try at the same moment, five are compared."""
    compared: list[str] = []

    def digest(pin: str, salt: bytes) -> bytes:
        compared.append(pin)
        return b"another"

    with patch(DIGEST, digest):
        answers = await asyncio.gather(*(anna.async_check("anna", "Anna", str(number)) for number in range(count)))
    assert answers == ([WRONG] * 4 + [LOCKED] * 20)[:count]
    assert len(compared) == min(count, 5)


async def test_set_and_try_at_once(anna: Pins) -> None:
    """Tries to set a PIN and to use it share the five."""
    ways = [anna.async_set("anna", "Anna", "1111", OTHER), anna.async_check("anna", "Anna", OTHER)] * 1
    ways += [anna.async_set("anna", "Anna", "1111", OTHER) for _ in range(4)]
    assert await asyncio.gather(*ways) == [WRONG] * 4 + [LOCKED] * 2
    assert await tried(anna, PIN) == [LOCKED]


@pytest.mark.parametrize(
    ("new", "old", "answer", "right"),
    [
        pytest.param(OTHER, PIN, OK, OTHER, id="the old one is right"),
        pytest.param(OTHER, "7777", WRONG, PIN, id="the old one is wrong"),
        pytest.param(OTHER, None, WRONG, PIN, id="no old one"),
        pytest.param(OTHER, OTHER, WRONG, PIN, id="the new one twice"),
        pytest.param(PIN, PIN, OK, PIN, id="the same again"),
        pytest.param("123", PIN, UNFIT, PIN, id="the new one is unfit"),
        pytest.param(1234, PIN, UNFIT, PIN, id="the new one is a number"),
        pytest.param("123", "7777", WRONG, PIN, id="both are not right"),
    ],
)
async def test_change(
    hass: HomeAssistant,
    anna: Pins,
    hass_storage: dict[str, Any],
    new: object,
    old: object,
    answer: PinAnswer,
    right: str,
) -> None:
    """Who has a PIN must give it to set another; a wrong one counts as a try and changes nothing."""
    before = kept(hass_storage)["anna"]
    assert await anna.async_set("anna", "Anna", new, old) is answer
    after = kept(hass_storage)["anna"]
    assert after["tries"] == (answer is WRONG)
    assert (after["salt"] != before["salt"]) is (answer is OK)
    assert await tried(await loaded(hass), right) == [OK]


async def test_changing_locks_too(hass: HomeAssistant, anna: Pins) -> None:
    """Five wrong old PINs lock it, and tell the owner."""
    answers = [await anna.async_set("anna", "Anna", "1111", OTHER) for _ in range(6)]
    assert answers == [WRONG] * 4 + [LOCKED] * 2
    assert issues(hass) == [{"name": "Anna"}]


async def test_forget(hass: HomeAssistant, anna: Pins) -> None:
    """The owner's reset makes room for a new one, without the old; the repair is gone, for good."""
    await tried(anna, *[OTHER] * 5)
    anna.forget("anna")
    anna.forget("nobody")
    assert issues(hass) == []
    again = await loaded(hass)
    assert (anna.state("anna"), again.state("anna")) == (PinState.UNSET, PinState.UNSET)
    assert await tried(anna, PIN) == [UNSET]
    assert await anna.async_set("anna", "Anna", OTHER, None) is OK
    assert await tried(anna, *[PIN] * 4, OTHER) == [WRONG] * 4 + [OK]


async def test_keep_only(hass: HomeAssistant, anna: Pins) -> None:
    """The PINs of people who are no approvers any more are forgotten, those of others kept."""
    await anna.async_set("bert", "Bert", OTHER, None)
    await tried(anna, *[OTHER] * 5)
    anna.keep_only(["bert", "cem"])
    again = await loaded(hass)
    for one in (anna, again):
        assert [one.state(item) for item in ("anna", "bert", "cem")] == [PinState.UNSET, PinState.SET, PinState.UNSET]
    assert issues(hass) == []


async def test_forgotten_while_it_is_compared(hass: HomeAssistant, anna: Pins) -> None:
    """A reset while the fifth try is compared leaves neither PIN nor repair."""
    await tried(anna, *[OTHER] * 4)

    forgotten = threading.Event()

    def forget() -> None:
        anna.forget("anna")
        forgotten.set()

    def digest(pin: str, salt: bytes) -> bytes:
        hass.loop.call_soon_threadsafe(forget)
        assert forgotten.wait(10)
        return b"another"

    with patch(DIGEST, digest):
        assert await tried(anna, OTHER) == [UNSET]
    assert (anna.state("anna"), issues(hass)) == (PinState.UNSET, [])


async def test_half_a_letter(pins: Pins) -> None:
    """Text that cannot be encoded is answered, too."""
    assert await pins.async_set("anna", "Anna", "\ud800abc", None) in {OK, UNFIT}


async def test_file(anna: Pins, hass_storage: dict[str, Any]) -> None:
    """Nothing but a salt of its own, a slow hash and the tries is kept; a second of the same PIN looks different."""
    await anna.async_set("bert", "Bert", PIN, None)
    stored = kept(hass_storage)
    assert [set(item) for item in stored.values()] == [{"salt", "hash", "tries"}] * 2
    for item in stored.values():
        salt = bytes.fromhex(item["salt"])
        assert len(salt) == 16
        assert item["hash"] == hashlib.scrypt(PIN.encode(), salt=salt, n=2**14, r=8, p=1).hex()
    assert len({item["salt"] for item in stored.values()}) == len({item["hash"] for item in stored.values()}) == 2
    text = json.dumps(hass_storage)
    assert PIN not in text
    assert json.dumps(PIN)[1:-1] not in text


async def test_removed(hass: HomeAssistant, anna: Pins, hass_storage: dict[str, Any]) -> None:
    """With EdgeHome the file goes."""
    await anna.async_remove()
    assert f"{DOMAIN}.pins" not in hass_storage
    assert (await loaded(hass)).state("anna") is PinState.UNSET

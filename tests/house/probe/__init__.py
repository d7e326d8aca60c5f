"""A helper inside Home Assistant for the differential test: one rule that allows all, quick demo devices, and resets.

``probe.remember`` and ``probe.restore`` keep and bring back how an entity is; ``probe.available`` unplugs it. None of
this is between a caller and the device: both sides of the comparison see the same home.
"""

import asyncio
import importlib
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from enum import Enum
from types import SimpleNamespace, new_class
from typing import Any

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import DATA_INSTANCES
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.typing import ConfigType

DOMAIN = "probe"
_TICK = timedelta(seconds=0.1)
_PLAIN = (str, int, float, bool, Enum, date, datetime, time, timedelta, type(None))


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Opens the policy, makes the demo devices quick, and registers the actions."""
    await hass.async_add_executor_job(_allow_all)
    await hass.async_add_executor_job(_hurry)
    kept: dict[tuple[str, str], tuple[frozenset[str], dict[str, Any]]] = {}

    async def remember(call: ServiceCall) -> None:
        entity = _entity(hass, call)
        kept[entity.entity_id, call.data["name"]] = (frozenset(vars(entity)), _plain_values(entity))

    async def restore(call: ServiceCall) -> None:
        entity = _entity(hass, call)
        if found := kept.get((entity.entity_id, call.data["name"])):
            _bring_back(entity, *found)
        entity.async_write_ha_state()

    async def available(call: ServiceCall) -> None:
        entity = _entity(hass, call)
        original = getattr(type(entity), "original", type(entity))
        if not call.data["available"]:
            unplugged = {
                "available": property(lambda _: False),
                "original": original,
                "__module__": original.__module__,
            }
            entity.__class__ = new_class(original.__name__, (original,), exec_body=lambda body: body.update(unplugged))
        else:
            entity.__class__ = original
        entity.async_write_ha_state()

    for handler in (remember, restore, available):
        hass.services.async_register(DOMAIN, handler.__name__, handler)
    return True


def _entity(hass: HomeAssistant, call: ServiceCall) -> Entity:
    entity_id = str(call.data["entity_id"])
    component = hass.data[DATA_INSTANCES][entity_id.partition(".")[0]]
    entity = component.get_entity(entity_id)
    if entity is None:
        raise ValueError(f"no entity object behind {entity_id}")
    return entity


def _plain_values(entity: Entity) -> dict[str, Any]:
    return {name: _copied(value) for name, value in vars(entity).items() if _is_plain(value)}


def _is_plain(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(_is_plain(item) for item in value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return all(_is_plain(item) for item in value)
    return isinstance(value, _PLAIN)


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | list | set) else value


def _bring_back(entity: Entity, names: frozenset[str], values: dict[str, Any]) -> None:
    """How the entity was; timers that were not running then are stopped."""
    for name in [name for name, value in vars(entity).items() if name not in names and _is_plain(value)]:
        del vars(entity)[name]
    for name, value in values.items():
        if "unsub" in name and callable(running := vars(entity).get(name)):
            running()
        vars(entity)[name] = _copied(value)


def _allow_all() -> None:
    presets: Any = importlib.import_module("custom_components.edgehome.policy.presets")
    table: Any = importlib.import_module("custom_components.edgehome.policy.table")
    rule = table.PolicyRule(id="all", verdict=table.Verdict.ALLOW)
    presets.PRESETS["strict"] = table.PolicyTable(name="strict", rules=(rule,))


def _hurry() -> None:
    """The demo's devices move ten times as fast; what they do stays the same."""
    names = ("cover", "valve", "lock", "vacuum", "update")
    demo: dict[str, Any] = {name: importlib.import_module(f"homeassistant.components.demo.{name}") for name in names}

    def ticking(hass: HomeAssistant, action: Callable[[datetime], Any], **_: Any) -> Callable[[], None]:
        return async_track_time_interval(hass, action, _TICK)

    def soon(hass: HomeAssistant, _: float, action: Callable[[datetime], None]) -> None:
        async def docking() -> None:
            await asyncio.sleep(1)
            action(datetime.now().astimezone())

        asyncio.run_coroutine_threadsafe(docking(), hass.loop)

    demo["cover"].async_track_utc_time_change = demo["valve"].async_track_utc_time_change = ticking
    demo["lock"].LOCK_UNLOCK_DELAY = demo["valve"].OPEN_CLOSE_DELAY = 0.1
    demo["update"].FAKE_INSTALL_SLEEP_TIME = 0.001
    demo["vacuum"].event = SimpleNamespace(call_later=soon)

"""The hash of what the owner vets: it changes with anything that is done, and with nothing else."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.edgehome.home.vetting import config_hash

LAMP = {"action": "light.turn_on", "target": {"entity_id": "light.bed_light"}}
SCRIPTS: dict[str, Any] = {
    "outer": {"sequence": [{"action": "script.inner"}]},
    "inner": {"sequence": [{"event": "x"}]},
    "other": {"sequence": [{"event": "x"}, {"delay": 1}]},
    "sceneries": {"sequence": [{"scene": "scene.away"}]},
}


def hashed(hass: HomeAssistant, entry: MockConfigEntry, entity_id: str) -> str | None:
    """The hash of an entity's configuration."""
    return config_hash(entry.runtime_data.makeups, entity_id)


async def with_scripts(hass: HomeAssistant) -> None:
    """Scripts that run each other, and a scene."""
    scene = {"name": "Away", "entities": {"lock.front_door": "unlocked"}}
    assert await async_setup_component(hass, "scene", {"scene": [scene]})
    assert await async_setup_component(hass, "script", {"script": SCRIPTS})
    await hass.async_block_till_done()


async def rewritten(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch, **scripts: Any) -> None:
    """The scripts' file is changed, and the scripts are loaded anew."""
    config = {"script": SCRIPTS | scripts}
    monkeypatch.setattr("homeassistant.config.load_yaml_config_file", lambda *_, **__: config)
    await hass.services.async_call("script", "reload", blocking=True)
    await hass.async_block_till_done()


async def test_each_has_its_own(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """Different things have different hashes, the same has the same."""
    await with_scripts(hass)
    ids = [f"script.{name}" for name in SCRIPTS] + ["scene.away", "light.bed_light", "lock.front_door"]
    hashes = [hashed(hass, home, entity_id) for entity_id in ids]
    assert len(set(hashes)) == len(ids)
    assert hashes == [hashed(hass, home, entity_id) for entity_id in ids]


@pytest.mark.parametrize(
    ("scripts", "changed"),
    [
        pytest.param({}, False, id="a reload"),
        pytest.param({"other": {"sequence": [LAMP]}}, False, id="another script"),
        pytest.param({"outer": {"sequence": [{"action": "script.inner"}, LAMP]}}, True, id="itself"),
        pytest.param({"inner": {"sequence": [{"event": "y"}]}}, True, id="what it runs"),
    ],
)
async def test_reload(
    hass: HomeAssistant, home: MockConfigEntry, monkeypatch: pytest.MonkeyPatch, scripts: Any, changed: bool
) -> None:
    """The hash of a script is another one as soon as it, or what it runs, is."""
    await with_scripts(hass)
    before = hashed(hass, home, "script.outer")
    await rewritten(hass, monkeypatch, **scripts)
    assert (hashed(hass, home, "script.outer") != before) is changed


async def test_running_changes_nothing(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What a thing did so far is no part of its configuration."""
    await with_scripts(hass)
    before = hashed(hass, home, "script.outer")
    await hass.services.async_call("script", "outer", blocking=True)
    hass.states.async_set("light.bed_light", "on", {"brightness": 7})
    await hass.async_block_till_done()
    assert hashed(hass, home, "script.outer") == before


async def test_template_lamp(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A template entity is held by what is written for it, however often it was rendered."""
    lamp = {"name": "Odd", "unique_id": "odd", "state": "{{ is_state('light.bed_light', 'on') }}"}
    config = [{"light": [{**lamp, "turn_on": [{"event": "x"}], "turn_off": []}]}]
    assert await async_setup_component(hass, "template", {"template": config})
    await hass.async_block_till_done()
    before = hashed(hass, home, "light.odd")
    hass.states.async_set("light.bed_light", "off")
    await hass.async_block_till_done()
    assert hashed(hass, home, "light.odd") == before
    assert before != hashed(hass, home, "light.bed_light")


async def test_members(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """A group is vetted with its members: another member is another configuration."""
    hass.states.async_set("light.several", "on", {"entity_id": ["light.bed_light"]})
    before = hashed(hass, home, "light.several")
    hass.states.async_set("light.several", "on", {"entity_id": ["light.bed_light", "light.kitchen_lights"]})
    assert hashed(hass, home, "light.several") != before


async def test_automations(hass: HomeAssistant, home: MockConfigEntry) -> None:
    """What a flag starts is part of what is vetted."""
    before = hashed(hass, home, "switch.ac")
    trigger = {"trigger": "state", "entity_id": "switch.ac"}
    automation = {"id": "a", "alias": "A", "triggers": [trigger], "actions": [{"event": "x"}]}
    assert await async_setup_component(hass, "automation", {"automation": [automation]})
    await hass.async_block_till_done()
    assert hashed(hass, home, "switch.ac") != before

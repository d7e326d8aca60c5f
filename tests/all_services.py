"""All actions that Home Assistant registers for the catalogue's domains, held against its rows and ``left_out``."""

from collections.abc import Iterable

from homeassistant.core import HomeAssistant
from homeassistant.helpers.service import async_get_all_descriptions
from homeassistant.setup import async_setup_component

from custom_components.edgehome.catalogue import DOMAINS, OPERATIONS
from custom_components.edgehome.catalogue.left_out import LEFT_OUT


async def set_up_all(hass: HomeAssistant) -> set[str]:
    """Sets every domain of the catalogue up and reads the descriptions; the actions that are registered then."""
    assert await async_setup_component(hass, "homeassistant", {})
    for domain in sorted(DOMAINS):
        assert await async_setup_component(hass, domain, {} if domain == "light" else {domain: {}}), domain
    await hass.async_block_till_done()
    await async_get_all_descriptions(hass)
    return {f"{domain}.{name}" for domain in DOMAINS for name in hass.services.async_services_for_domain(domain)}


def complaints(registered: Iterable[str]) -> list[str]:
    """What is wrong with the catalogue or ``left_out``, given what a Home Assistant registers for its domains."""
    there, rows = set(registered), {row.service for row in OPERATIONS if row.service}
    return [
        *(f"in no list: {name}" for name in sorted(there - rows - LEFT_OUT.keys())),
        *(f"in both lists: {name}" for name in sorted(rows & LEFT_OUT.keys())),
        *(f"not registered: {name}" for name in sorted((rows | LEFT_OUT.keys()) - there)),
    ]

"""What Home Assistant's own services enforce: their features and their schemas."""

from collections.abc import Iterable, Mapping
from functools import partial

import voluptuous as vol
from homeassistant.core import HomeAssistant, Service

from ..facts import ServiceFacts


def service_facts(hass: HomeAssistant, name: str) -> ServiceFacts | None:
    """The features that the registered handler asks for, or None if there is no such service.

    The handler of an entity service is a ``functools.partial`` of ``helpers.service.entity_service_call`` that carries
    ``required_features``; where it is not, nothing is known beyond the catalogue and the catalogue alone decides.
    """
    service = _service(hass, name)
    if service is None:
        return None
    target = service.job.target
    required = target.keywords.get("required_features") if isinstance(target, partial) else None
    masks = (int(mask) for mask in required) if isinstance(required, Iterable) else ()
    return ServiceFacts(required_features=tuple(masks))


def fault_in(hass: HomeAssistant, name: str, payload: Mapping[str, object]) -> str | None:
    """What the service's own schema says against a payload; None if it takes it. Nothing is called."""
    service = _service(hass, name)
    if service is None:
        return "there is no such action"
    if service.schema is None:
        return None
    try:
        service.schema(dict(payload))
    except vol.Invalid as error:
        return str(error)
    return None


def _service(hass: HomeAssistant, name: str) -> Service | None:
    domain, _, service = name.partition(".")
    return hass.services.async_services_for_domain(domain).get(service)

"""What Home Assistant's own services ask of an entity: their handlers, their descriptions and their schemas."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import voluptuous as vol
from homeassistant.core import HomeAssistant, Service
from homeassistant.helpers.service import async_get_cached_service_description

from ..devices import FieldFacts, ServiceFacts


def service_facts(hass: HomeAssistant, name: str) -> ServiceFacts | None:
    """What a service asks of an entity, or None if there is no such service.

    The handler of an entity service is a ``functools.partial`` of ``helpers.service.entity_service_call`` that carries
    ``required_features``; the description names the entities and fields that it is meant for. The stricter of the two
    holds, and where neither says anything the catalogue alone decides.
    """
    service = _service(hass, name)
    if service is None:
        return None
    target = service.job.target
    required = target.keywords.get("required_features") if isinstance(target, partial) else None
    description = async_get_cached_service_description(hass, *_parts(name)) or {}
    return ServiceFacts(
        required_features=_masks(required),
        offered_features=_offered(description.get("target")),
        integrations=_integrations(description.get("target")),
        fields=dict(_fields(description.get("fields"))),
    )


def _filters(target: object) -> list[Mapping[str, Any]]:
    filters = target.get("entity") if isinstance(target, Mapping) else None
    return [item for item in filters or () if isinstance(item, Mapping)]


def _integrations(target: object) -> tuple[str, ...]:
    """The integrations whose entities a service is for; none if some filter names none."""
    named = [item.get("integration") for item in _filters(target)]
    return tuple(str(one) for one in named) if all(named) else ()


def _offered(target: object) -> tuple[int, ...]:
    """The features of the entities that a service is offered for; none if some filter asks for none."""
    masks = [_masks(item.get("supported_features")) for item in _filters(target)]
    return tuple(mask for group in masks for mask in group) if all(masks) else ()


def _fields(fields: object) -> Iterable[tuple[str, FieldFacts]]:
    """The fields that only some entities take, those in sections included."""
    for name, described in fields.items() if isinstance(fields, Mapping) else ():
        if not isinstance(described, Mapping):
            continue
        yield from _fields(described.get("fields"))
        wanted: Any = described.get("filter")
        if isinstance(wanted, Mapping):
            attributes = {
                str(key): tuple(str(word) for word in words) for key, words in (wanted.get("attribute") or {}).items()
            }
            yield name, FieldFacts(features=_masks(wanted.get("supported_features")), attributes=attributes)


def _masks(features: object) -> tuple[int, ...]:
    return tuple(int(mask) for mask in features) if isinstance(features, Iterable) else ()


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
    domain, service = _parts(name)
    return hass.services.async_services_for_domain(domain).get(service)


def _parts(name: str) -> tuple[str, str]:
    domain, _, service = name.partition(".")
    return domain, service

"""A rule as a row of Home Assistant's form: which fields it has, and the way from a document's rule to a row and back."""

from collections.abc import Callable, Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    AreaSelector,
    AreaSelectorConfig,
    BooleanSelector,
    ConditionSelector,
    EntitySelector,
    EntitySelectorConfig,
    FloorSelector,
    FloorSelectorConfig,
    LabelSelector,
    LabelSelectorConfig,
    ObjectSelector,
    ObjectSelectorConfig,
    ObjectSelectorField,
    SelectOptionDict,
    Selector,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TimeSelector,
)

from ..catalogue import DOMAINS, OPERATIONS
from ..catalogue.device_types import classes_of, words
from ..const import SUBENTRY_AGENT, SUBENTRY_APPROVER
from ..forms import whole_number
from ..models import Intent, PrincipalKind
from ..policy.rule import Verdict
from ..policy.space import DAYS

_SOMEBODY = {"somebody": True, "nobody": False}
_VERDICTS = {Verdict.ALLOW: "Allow", Verdict.CONFIRM: "Ask a person", Verdict.DENY: "Deny"}
_AUTOMATIONS = SelectOptionDict(value=PrincipalKind.AUTOMATION.value, label="Automations")
_PRESENCE = {"somebody": "Somebody is home", "nobody": "Nobody is home"}
_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_EFFECTS = {
    "read": "Only reads",
    "adjust": "Changes a setting",
    "secure": "Makes the house safer",
    "unsecure": "Makes the house less safe",
    "motion": "Moves something",
    "run": "Starts something",
}
_OWN_KEYS = frozenset({"summary", "risk_from", "risk_to", "presence"})
"""Fields of a row that a document says otherwise."""


def _choices(
    options: list[str] | list[SelectOptionDict], key: str | None = None, *, custom: bool = False
) -> Selector[Any]:
    config = SelectSelectorConfig(options=options, multiple=True, custom_value=custom, mode=SelectSelectorMode.DROPDOWN)
    if key:
        config["translation_key"] = key
    return SelectSelector(config)


def _one(labels: Mapping[str, str]) -> Selector[Any]:
    return SelectSelector(SelectSelectorConfig(options=_labelled(labels), mode=SelectSelectorMode.DROPDOWN))


def _labelled(labels: Mapping[str, str]) -> list[SelectOptionDict]:
    """Choices with their words: within a row Home Assistant translates none."""
    return [SelectOptionDict(value=value, label=label) for value, label in labels.items()]


def _titled(entry: ConfigEntry, kind: str) -> list[SelectOptionDict]:
    return [SelectOptionDict(value=one.subentry_id, label=one.title) for one in entry.get_subentries_of_type(kind)]


async def async_selector(hass: HomeAssistant, entry: ConfigEntry, customs: tuple[str, ...]) -> ObjectSelector:
    """The table: an ordered list of rows, each with its own form."""
    intents = dict.fromkeys([*(row.intent.value for row in OPERATIONS), Intent.STATUS.value, *customs])
    types = dict.fromkeys([*words(), *sorted(one for one in DOMAINS if not classes_of(one))])
    users = [
        SelectOptionDict(value=user.id, label=user.name or user.id)
        for user in await hass.auth.async_get_users()
        if user.is_active and not user.system_generated
    ]
    in_state = {
        "entity": _field(EntitySelector(EntitySelectorConfig()), required=True),
        "states": _field(TextSelector(TextSelectorConfig(multiple=True)), required=True),
    }
    fields: dict[str, Selector[Any]] = {
        "name": TextSelector(),
        "verdict": _one({one.value: label for one, label in _VERDICTS.items()}),
        "operations": _choices(list(intents), custom=True),
        "device_types": _choices(list(types), custom=True),
        "effects": _choices(_labelled(_EFFECTS)),
        "risk_from": whole_number(0, 5),
        "risk_to": whole_number(0, 5),
        "entities": EntitySelector(EntitySelectorConfig(multiple=True)),
        "areas": AreaSelector(AreaSelectorConfig(multiple=True)),
        "floors": FloorSelector(FloorSelectorConfig(multiple=True)),
        "labels": LabelSelector(LabelSelectorConfig(multiple=True)),
        "agents": _choices([*_titled(entry, SUBENTRY_AGENT), _AUTOMATIONS], custom=True),
        "speakers": _choices(users, custom=True),
        "origins": AreaSelector(AreaSelectorConfig(multiple=True)),
        "weekdays": _choices(_labelled(dict(zip(DAYS, _DAY_NAMES, strict=True)))),
        "from": TimeSelector(),
        "to": TimeSelector(),
        "presence": _one(_PRESENCE),
        "states": ObjectSelector(
            ObjectSelectorConfig(
                fields=in_state,
                multiple=True,
                label_field="entity",
                description_field="states",
                translation_key="in_state",
            )
        ),
        "conditions": ConditionSelector(),
        "tool": TextSelector(),
        "input": ObjectSelector(),
        "approvers": _choices(_titled(entry, SUBENTRY_APPROVER), custom=True),
        "seconds": whole_number(10, 900, "s"),
        "pin": BooleanSelector(),
        "id": TextSelector(),
        "summary": TextSelector(),
    }
    rows = {name: _field(one) for name, one in fields.items()}
    rows["verdict"] |= {"required": True, "default": Verdict.CONFIRM.value}
    return ObjectSelector(
        ObjectSelectorConfig(
            fields=rows,
            multiple=True,
            label_field="name",
            description_field="summary",
            translation_key="rule",
        )
    )


def _field(selector: Selector[Any], *, required: bool = False) -> ObjectSelectorField:
    # Written out: in a form a selector within a selector must be plain.
    return ObjectSelectorField(selector=selector.serialize()["selector"], required=required)


def row_of(hass: HomeAssistant, rule: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A document's rule as a row; ``names`` are those of ids."""
    row = {name: value for name, value in rule.items() if name not in {"risk", "somebody_home"}}
    if "risk" in rule:
        row["risk_from"], row["risk_to"] = rule["risk"]
    if "somebody_home" in rule:
        row["presence"] = next(word for word, value in _SOMEBODY.items() if value is rule["somebody_home"])
    for name in ("from", "to"):
        if name in rule:
            row[name] = f"{rule[name]}:00"
    row = with_entities(row, shown(hass))
    said = {**rule, "entities": row.get("entities", ())}
    return {**row, "name": rule.get("name") or rule["id"], "summary": summary(said, names)}


def rule_from(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as a document's rule, without what was left empty."""
    rule = {
        name: value for name, value in row.items() if name not in _OWN_KEYS and value not in (None, "", [], {}, False)
    }
    if row.get("risk_from") is not None or row.get("risk_to") is not None:
        rule["risk"] = [_whole(row.get("risk_from"), 0), _whole(row.get("risk_to"), 5)]
    if row.get("id") and row.get("name") == row["id"]:
        del rule["name"]  # What stands in for a name is none.
    if row.get("presence"):
        rule["somebody_home"] = _SOMEBODY[row["presence"]]
    if "seconds" in rule:
        rule["seconds"] = int(rule["seconds"])
    for name in ("from", "to"):
        if name in rule:
            rule[name] = str(rule[name])[:5]
    if isinstance(rule.get("conditions"), Mapping):
        rule["conditions"] = [rule["conditions"]]
    return rule


def _whole(value: float | None, otherwise: int) -> int:
    return otherwise if value is None else int(value)


def with_entities(rule: Mapping[str, Any], convert: Callable[[str], str]) -> dict[str, Any]:
    """A rule with its entities in other ids."""
    said = rule.get("entities", ())
    entities = [convert(one) for one in ([said] if isinstance(said, str) else said)]
    return {**rule, "entities": entities} if entities else dict(rule)


def shown(hass: HomeAssistant) -> Callable[[str], str]:
    """Turns the registry's own ids into entity ids."""
    registry = er.async_get(hass)
    return lambda key: er.async_resolve_entity_id(registry, key) or key


_TOLD = (
    "tool",
    "operations",
    "device_types",
    "entities",
    "areas",
    "floors",
    "labels",
    "agents",
    "speakers",
    "origins",
    "weekdays",
)


def summary(rule: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A rule in a line; ``names`` are those of ids."""
    parts = [_VERDICTS[Verdict(rule["verdict"])] + (" with a PIN" if rule.get("pin") else "")]
    parts += [_listed(name, rule[name], names) for name in _TOLD if rule.get(name)]
    effects = rule.get("effects", ())
    parts += [_EFFECTS.get(one, one).lower() for one in ([effects] if isinstance(effects, str) else effects)]
    if risk := rule.get("risk"):
        parts.append(f"risk {risk[0]}-{risk[1]}")
    if "from" in rule or "to" in rule:
        parts.append(f"{rule.get('from', '…')}-{rule.get('to', '…')}")
    if "somebody_home" in rule:
        parts.append("somebody is home" if rule["somebody_home"] else "nobody is home")
    if rule.get("states") or rule.get("conditions"):
        parts.append("if the home is so")
    if rule.get("approvers"):
        parts.append(f"asks {_listed('approvers', rule['approvers'], names)}")
    return " · ".join(parts)


def _listed(field: str, said: str | list[str], names: Mapping[str, str]) -> str:
    words = [names.get(one, one) for one in ([said] if isinstance(said, str) else said)]
    return ", ".join(words) if len(words) <= 3 else f"{len(words)} {field.replace('_', ' ')}"

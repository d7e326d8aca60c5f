"""What the owner of a generated home made: groups, templates, scenes, scripts, automations and input helpers."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from .home_plan import EntityPlan, Flow, Follow
from .house_builder import House

HELPERS = 23
"""So many entities each call of ``furnish`` makes."""
SWITCH_AS = ("light", "cover", "lock", "fan", "valve", "siren")


def furnish(house: House, number: int) -> None:
    """Makes one set of helpers; the home must have its devices already."""
    maker = _Maker(house, number)
    before = len(house.entities)
    for make in (
        maker.inputs,
        maker.automation,
        maker.groups,
        maker.switch_as_x,
        maker.templates,
        maker.thermostat,
        maker.scene_and_script,
        maker.todo,
        maker.player,
    ):
        make()
    if len(house.entities) - before != HELPERS:
        raise AssertionError(f"{len(house.entities) - before} helpers")


class _Maker:
    """One set of helpers."""

    def __init__(self, house: House, number: int) -> None:
        self.house = house
        self.number = number
        self.mark = str(number + 1)
        self.request = f"input_boolean.garage_request_{self.mark}"
        self.volume = f"input_number.volume_{self.mark}"

    def _some(
        self, domain: str, count: int, fits: Callable[[EntityPlan], bool] = lambda _: True
    ) -> tuple[EntityPlan, ...]:
        """Some devices of a domain; at least one."""
        found = [entity for entity in self.house.entities if entity.domain == domain and entity.platform == "mqtt"]
        found = [entity for entity in found if entity.follow is not Follow.RESTORED and fits(entity)]
        return tuple(self.house.rng.sample(found, min(count, len(found))))

    def _ids(self, domain: str, count: int) -> list[str]:
        return [entity.entity_id for entity in self._some(domain, count)]

    def _note(self, entity_id: str, name: str, platform: str, **more: Any) -> None:
        """Adds an entity to the plan."""
        more.setdefault("unique_id", entity_id)
        room = self.house.room() if more["unique_id"] and "area" not in more and self.house.chance(0.6) else None
        more.setdefault("area", room.name if room else None)
        self.house.entities.append(
            EntityPlan(
                entity_id=entity_id,
                name=name,
                platform=platform,
                own_area=room is not None,
                exposed=self.house.chance(0.75),
                **more,
            )
        )

    def _yaml(self, domain: str, key: str, value: Mapping[str, object]) -> None:
        self.house.yaml.setdefault(domain, {})[key] = value

    def _listed(self, domain: str, value: Mapping[str, object]) -> None:
        self.house.yaml.setdefault(domain, []).append(value)

    def inputs(self) -> None:
        """Input helpers, a counter and a timer."""
        rows: tuple[tuple[str, str, str, dict[str, object]], ...] = (
            ("input_boolean", "garage_request", "Garage request", {}),
            ("input_number", "volume", "Lautstärke", {"min": 0, "max": 1, "step": 0.01, "initial": 0.3}),
            ("input_select", "mode", "Hausmodus", {"options": ["home", "away", "Urlaub"], "initial": "home"}),
            ("input_text", "note", "备注", {"min": 0, "max": 40, "initial": "hello"}),
            ("input_datetime", "alarm_clock", "Alarm clock", {"has_time": True, "has_date": False}),
            ("input_button", "gong", "Gong", {}),
            ("counter", "visitors", "Visitors", {"initial": 0, "step": 1}),
            ("timer", "egg", "Eieruhr", {"duration": "00:05:00"}),
        )
        for domain, key, name, config in rows:
            self._yaml(domain, f"{key}_{self.mark}", {"name": f"{name} {self.mark}", **config})
            self._note(f"{domain}.{key}_{self.mark}", f"{name} {self.mark}", domain, config=config)

    def automation(self) -> None:
        """An automation that opens a garage when an input boolean goes on."""
        (door,) = self._some("cover", 1, lambda entity: entity.device_class == "garage" and not _is_absent(entity))
        name = f"Garage on request {self.mark}"
        config = {
            "id": f"garage_{self.mark}",
            "alias": name,
            "triggers": [{"trigger": "state", "entity_id": self.request, "to": "on"}],
            "actions": [{"action": "cover.open_cover", "target": {"entity_id": door.entity_id}}],
        }
        self._listed("automation", config)
        self._note(
            f"automation.garage_on_request_{self.mark}",
            name,
            "automation",
            members=(self.request, door.entity_id),
            config=config,
        )

    def groups(self) -> None:
        """An old group without registry entry, two groups by YAML and two by the frontend."""
        mixed = [*self._ids("light", 2), *self._ids("switch", 1), *self._ids("lock", 1)]
        old = {"name": f"Everything {self.mark}", "entities": mixed}
        self._yaml("group", f"old_{self.mark}", old)
        self._note(
            f"group.old_{self.mark}",
            f"Everything {self.mark}",
            "group",
            unique_id=None,
            members=tuple(mixed),
            facts={"entity_id": mixed},
        )
        for domain in ("light", "lock"):
            members = self._ids(domain, 3)
            name = f"Group {domain} {self.mark}"
            unique_id = f"group_{domain}_{self.mark}"
            self._listed(domain, {"platform": "group", "name": name, "unique_id": unique_id, "entities": members})
            self._note(
                f"{domain}.{unique_id}",
                name,
                "group",
                members=tuple(members),
                facts={"entity_id": members},
            )
        for domain in ("cover", "switch"):
            members = self._ids(domain, 3)
            name = f"Gruppe {domain} {self.mark}"
            form = {"name": name, "entities": members, "hide_members": False}
            form |= {"all": False} if domain == "switch" else {}
            self._flow(
                f"{domain}.gruppe_{domain}_{self.mark}", name, "group", ({"next_step_id": domain}, form), members
            )

    def _flow(
        self,
        entity_id: str,
        name: str,
        handler: str,
        steps: tuple[Mapping[str, object], ...],
        members: list[str],
        **more: Any,
    ) -> None:
        self.house.flows.append(Flow(entity_id=entity_id, handler=handler, steps=steps))
        facts = {"entity_id": members} if handler == "group" else {}
        self._note(entity_id, name, handler, members=tuple(members), facts=facts, **more)

    def switch_as_x(self) -> None:
        """A relay that is really something else; Home Assistant hides the relay."""
        target = SWITCH_AS[(self.number + self.house.seed) % len(SWITCH_AS)]
        (relay,) = self._some("switch", 1, lambda entity: bool(entity.device) and not entity.own_area)
        self.house.entities[self.house.entities.index(relay)] = replace(relay, hidden=True)
        form = {"entity_id": relay.entity_id, "target_domain": target, "invert": False}
        # It takes the name and the room of the relay's device.
        entity_id = f"{target}.relay_as_{target}_{self.mark}"
        self._flow(entity_id, relay.name, "switch_as_x", (form,), [relay.entity_id], area=relay.area)

    def templates(self) -> None:
        """A light, a cover and a switch of templates, on the input boolean."""
        on, off = (
            [{"action": f"input_boolean.turn_{way}", "target": {"entity_id": self.request}}] for way in ("on", "off")
        )
        is_on = f"{{{{ is_state('{self.request}', 'on') }}}}"
        is_open = f"{{{{ 'open' if is_state('{self.request}', 'on') else 'closed' }}}}"
        rows: tuple[tuple[str, str, dict[str, object]], ...] = (
            ("light", "Kellerlicht", {"state": is_on, "turn_on": on, "turn_off": off}),
            ("cover", "Tor", {"state": is_open, "open_cover": on, "close_cover": off, "device_class": "gate"}),
            ("switch", "开关", {"state": is_on, "turn_on": on, "turn_off": off}),
        )
        for domain, word, config in rows:
            entity_id, name = f"{domain}.template_{domain}_{self.mark}", f"{word} {self.mark}"
            more = {"name": name, "unique_id": f"template_{domain}_{self.mark}", "default_entity_id": entity_id}
            self._listed("template", {domain: [{**more, **config}]})
            device_class = config.get("device_class")
            self._note(entity_id, name, "template", members=(self.request,), config=config, device_class=device_class)

    def thermostat(self) -> None:
        """A thermostat of a relay and a thermometer; it is off."""
        (heater,) = self._ids("switch", 1)
        (meter,) = self._some("sensor", 1, lambda entity: entity.device_class == "temperature")
        name = f"Generic thermostat {self.mark}"
        config = {
            "platform": "generic_thermostat",
            "name": name,
            "unique_id": f"thermostat_{self.mark}",
            "heater": heater,
            "target_sensor": meter.entity_id,
            "min_temp": 5,
            "max_temp": 28,
            "target_temp": 19,
            "initial_hvac_mode": "off",
        }
        self._listed("climate", config)
        self._note(
            f"climate.generic_thermostat_{self.mark}",
            name,
            "generic_thermostat",
            members=(heater, meter.entity_id),
            config=config,
            facts={"min_temp": 5, "max_temp": 28},
        )

    def scene_and_script(self) -> None:
        """A scene of lights, and a script that unlocks and turns a light on."""
        lights = self._ids("light", 2)
        scene = f"Cosy {self.mark}"
        entities = {light: {"state": "on"} for light in lights}
        self._listed("scene", {"id": f"cosy_{self.mark}", "name": scene, "entities": entities})
        self._note(f"scene.cosy_{self.mark}", scene, "homeassistant", members=tuple(lights))
        (lock,) = self._some("lock", 1)
        sequence = [
            {"action": "lock.unlock", "target": {"entity_id": lock.entity_id}},
            {"action": "light.turn_on", "target": {"entity_id": lights[0]}},
        ]
        name = f"Heimkommen {self.mark}"
        self._yaml("script", f"coming_home_{self.mark}", {"alias": name, "sequence": sequence})
        self._note(f"script.coming_home_{self.mark}", name, "script", members=(lock.entity_id, lights[0]))

    def todo(self) -> None:
        """A to-do list of the frontend."""
        name = f"Shopping {self.mark}"
        self._flow(f"todo.shopping_{self.mark}", name, "local_todo", ({"todo_list_name": name},), [])

    def player(self) -> None:
        """A media player that is an input boolean and a number."""
        name = f"Universal player {self.mark}"
        target = {"target": {"entity_id": self.request}}
        config = {
            "platform": "universal",
            "name": name,
            "unique_id": f"player_{self.mark}",
            "commands": {
                "turn_on": {"action": "input_boolean.turn_on", **target},
                "turn_off": {"action": "input_boolean.turn_off", **target},
                "volume_set": {
                    "action": "input_number.set_value",
                    "target": {"entity_id": self.volume},
                    "data": {"value": "{{ volume_level }}"},
                },
            },
            "attributes": {"state": self.request, "volume_level": self.volume},
        }
        self._listed("media_player", config)
        self._note(
            f"media_player.universal_player_{self.mark}",
            name,
            "universal",
            members=(self.request, self.volume),
            config=config,
        )


def _is_absent(entity: EntityPlan) -> bool:
    return entity.follow is Follow.UNAVAILABLE

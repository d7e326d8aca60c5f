"""The demo home: Home Assistant's demo integration, what that lacks by YAML, an owner, EdgeHome and an agent."""

import json
import time
from dataclasses import dataclass
from typing import Any

import requests

from .client import Client
from .process import HomeAssistantProcess

CONFIGURATION = """
homeassistant:
  name: Demo home
  unit_system: metric
  time_zone: Europe/Berlin
  country: DE
  internal_url: {url}
  external_url: {url}
api:
automation: !include automations.yaml
script: !include scripts.yaml
config:
conversation:
demo:
frontend:
mobile_app:
logger:
  default: warning
  logs:
    custom_components.edgehome: info
input_boolean:
  cellar:
    name: Cellar relay
  porch:
    name: Porch relay
  odd:
    name: Odd relay
light:
  - platform: slow_light
    name: Slow Lamp
    seconds: 20
template:
  - light:
      - name: Cellar Lamp
        unique_id: cellar_lamp
        state: "{{{{ is_state('input_boolean.cellar', 'on') }}}}"
        turn_on:
          - action: input_boolean.turn_on
            target: {{entity_id: input_boolean.cellar}}
        turn_off:
          - action: input_boolean.turn_off
            target: {{entity_id: input_boolean.cellar}}
      - name: Porch Lamp
        unique_id: porch_lamp
        state: "{{{{ is_state('input_boolean.porch', 'on') }}}}"
        level: "{{{{ 128 }}}}"
        turn_on:
          - action: input_boolean.turn_on
            target: {{entity_id: input_boolean.porch}}
        turn_off:
          - action: input_boolean.turn_off
            target: {{entity_id: input_boolean.porch}}
        set_level:
          - action: input_boolean.turn_on
            target: {{entity_id: input_boolean.porch}}
      - name: Odd Lamp
        unique_id: odd_lamp
        state: "{{{{ is_state('input_boolean.odd', 'on') }}}}"
        turn_on:
          - action: "{{{{ 'input_boolean.turn_on' }}}}"
            target: {{entity_id: input_boolean.odd}}
        turn_off:
          - action: "{{{{ 'input_boolean.turn_off' }}}}"
            target: {{entity_id: input_boolean.odd}}
      - name: Attic Lamp
        unique_id: attic_lamp
        state: "{{{{ false }}}}"
        availability: "{{{{ false }}}}"
        turn_on: []
        turn_off: []
"""

ROOMS = {
    "Kitchen": ("light.kitchen_lights", "cover.kitchen_window"),
    "Living Room": ("light.living_room_rgbww_lights", "light.ceiling_lights", "cover.living_room_window"),
    "Bedroom": ("light.bed_light",),
    "Office": ("light.office_rgbw_lights",),
    "Garage": ("cover.garage_door",),
    "Hall": ("climate.heatpump",),
}
EXPOSED = (
    *(entity_id for entities in ROOMS.values() for entity_id in entities),
    "light.cellar_lamp",
    "light.porch_lamp",
    "light.odd_lamp",
    "light.attic_lamp",
    "light.slow_lamp",
    "light.entrance_color_white_lights",
    "climate.hvac",
    "climate.ecobee",
    "lock.front_door",
    "lock.openable_lock",
    "lock.poorly_installed_door",
    "lock.kitchen_door",
    "switch.decorative_lights",
    "switch.ac",
    "cover.hall_window",
    "sensor.outside_temperature",
    "media_player.living_room",
    "fan.living_room_fan",
)
OWNER = {"name": "Ada", "username": "ada", "password": "demo-home-2026"}
SETTLE_SECONDS = 60
OPTIONS = "/api/config/config_entries/options/flow"
SUBENTRIES = "/api/config/config_entries/subentries/flow"


@dataclass
class DemoHome:
    """A running demo home."""

    process: HomeAssistantProcess
    owner: Client
    entry_id: str = ""

    @classmethod
    def start(cls, process: HomeAssistantProcess, *, preset: str = "strict", more: str = "") -> DemoHome:
        """Starts it from an empty folder: onboards the owner, names the rooms, exposes, sets EdgeHome up.

        ``more`` is further YAML for the configuration.
        """
        process.prepare(CONFIGURATION.format(url=process.url) + more)
        process.start()
        home = cls(process, Client(process.url, onboard(process.url)))
        home.wait_until_running()
        home.furnish()
        home.entry_id = home.set_up(preset)
        return home

    def wait_until_running(self) -> None:
        """Waits until Home Assistant has started in full: templates are not evaluated before."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while (state := self.owner.get("/api/config")["state"]) != "RUNNING":
            if time.monotonic() > deadline:
                raise RuntimeError(f"Home Assistant is still {state}")
            time.sleep(0.2)

    def wait_for(self, entity_id: str) -> None:
        """Waits until an entity has a state."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while self.owner.state(entity_id) is None:
            if time.monotonic() > deadline:
                raise RuntimeError(f"not there: {entity_id}")
            time.sleep(0.1)

    def furnish(self) -> None:
        """Makes the rooms, puts the devices there and exposes them; two lamps share the alias *Lamp*."""
        (present,) = self.owner.command({"type": "config/area_registry/list"})
        ids = {room["name"]: room["area_id"] for room in present}
        missing = [name for name in ROOMS if name not in ids]
        made = self.owner.command(*({"type": "config/area_registry/create", "name": name} for name in missing))
        ids |= {room["name"]: room["area_id"] for room in made}
        lounge = {"area_id": ids["Living Room"], "aliases": ["Lounge"]}
        self.owner.command({"type": "config/area_registry/update", **lounge})
        update = "config/entity_registry/update"
        self.owner.command(
            *(self._placing(entity_id, ids[name]) for name, entities in ROOMS.items() for entity_id in entities),
            {"type": update, "entity_id": "light.bed_light", "aliases": [None, "Lamp"]},
            {"type": update, "entity_id": "light.office_rgbw_lights", "aliases": [None, "Lamp"]},
        )
        self.expose(*EXPOSED)

    def expose(self, *entity_ids: str) -> None:
        """Shows entities to agents."""
        how = {"assistants": ["conversation"], "should_expose": True}
        self.owner.command({"type": "homeassistant/expose_entity", "entity_ids": list(entity_ids), **how})

    def _placing(self, entity_id: str, area_id: str) -> dict[str, object]:
        """The command that puts an entity into a room: with its device, or under a name of its own."""
        (entry,) = self.owner.command({"type": "config/entity_registry/get", "entity_id": entity_id})
        if entry["device_id"]:
            return {"type": "config/device_registry/update", "device_id": entry["device_id"], "area_id": area_id}
        name = entry["name"] or entry["original_name"]
        return {"type": "config/entity_registry/update", "entity_id": entity_id, "name": name, "area_id": area_id}

    def set_up(self, preset: str = "strict", *, automations: bool = False) -> str:
        """EdgeHome's real config flow; the entry's id."""
        result = self.owner.flow(
            "/api/config/config_entries/flow",
            {"handler": "edgehome", "show_advanced_options": False},
            {"preset": preset, "automations": automations},
        )
        return str(result["result"]["entry_id"])

    def add_agent(self, name: str, **limits: object) -> tuple[Client, dict[str, str]]:
        """Registers an agent by the subentry's real flow: its client, and what the owner was shown."""
        form: dict[str, object] = {"name": name, "days": 30, "local_only": True, "max_risk": 5, "areas": []}
        form |= {"requests_per_minute": 60000, **limits}
        shown = self.owner.flow(SUBENTRIES, {"handler": [self.entry_id, "agent"]}, form)
        placeholders: dict[str, str] = shown["description_placeholders"]
        self.owner.post(f"{SUBENTRIES}/{shown['flow_id']}", {})
        return Client(self.process.url, placeholders["token"]), placeholders

    def user_id(self, name: str) -> str:
        """The id of a user."""
        (users,) = self.owner.command({"type": "config/auth/list"})
        return next(str(user["id"]) for user in users if user["name"] == name)

    def add_person(self, name: str, *, admin: bool = False) -> Client:
        """Another person of the household, logged in as in a frontend."""
        group = "system-admin" if admin else "system-users"
        (made,) = self.owner.command({"type": "config/auth/create", "name": name, "group_ids": [group]})
        login = {"username": name.lower(), "password": OWNER["password"], "user_id": made["user"]["id"]}
        self.owner.command({"type": "config/auth_provider/homeassistant/create", **login})
        return Client(self.process.url, log_in(self.process.url, name.lower(), OWNER["password"]))

    def add_approver(self, name: str, *, order: int = 1, max_risk: int = 5, page_suffices: bool = False) -> None:
        """Makes a person an approver, by the subentry's real flow."""
        form = {"user_id": self.user_id(name), "max_risk": max_risk, "areas": [], "order": order}
        start = {"handler": [self.entry_id, "approver"]}
        form["page_suffices"] = page_suffices
        self.owner.flow(SUBENTRIES, start, form)

    def change_approver(self, name: str, **changes: object) -> None:
        """Changes an approver, by the real reconfigure flow."""
        subentry_id = next(item["subentry_id"] for item in self.subentries("approver") if item["title"] == name)
        start = {"handler": [self.entry_id, "approver"], "subentry_id": subentry_id}
        form = {"max_risk": 5, "areas": [], "order": 1, "page_suffices": False, **changes}
        ended = self.owner.flow(SUBENTRIES, start, form)
        if ended.get("reason") != "reconfigure_successful":
            raise RuntimeError(f"the approver was not changed: {ended}")

    def set_options(self, preset: str = "strict", *, automations: bool = False, **approvals: object) -> None:
        """Changes EdgeHome's settings and its policy, by the real flows."""
        form = {
            "automations": automations,
            "watch": False,
            "approvals": {"seconds": 120, "escalate_after": 30, "two_people": False, **approvals},
            "flags": {"template": "block", "control": "block", "backend": "block", "injection": "note"},
        }
        self.owner.flow(OPTIONS, {"handler": self.entry_id}, {"next_step_id": "settings"}, form)
        self.change_policy("preset", {"preset": preset})

    def change_policy(self, step: str, form: dict[str, object]) -> dict[str, Any]:
        """Changes the policy by one of its forms, and says yes in the review; the review as it was shown."""
        start = {"handler": self.entry_id}
        review: dict[str, Any] = self.owner.flow(OPTIONS, start, {"next_step_id": step}, form)
        if review.get("step_id") != "review" or review["errors"]:
            raise RuntimeError(f"the policy was not taken: {review}")
        wider = {"widen": True} if review["data_schema"] else {}
        ended = self.owner.post(f"{OPTIONS}/{review['flow_id']}", wider)
        if ended["type"] != "create_entry":
            raise RuntimeError(f"the policy was not saved: {ended}")
        return review

    def agents(self) -> list[dict[str, Any]]:
        """The agents that are registered."""
        return self.subentries("agent")

    def subentries(self, kind: str) -> list[dict[str, Any]]:
        """The agents or approvers, as Home Assistant lists them."""
        answer = self.owner.command({"type": "config_entries/subentries/list", "entry_id": self.entry_id})[0]
        return [item for item in answer if item["subentry_type"] == kind]

    def repairs(self) -> list[dict[str, Any]]:
        """What EdgeHome tells the owner under Repairs, as the frontend lists it; the list to look through aside."""
        (answer,) = self.owner.command({"type": "repairs/list_issues"})
        own = [issue for issue in answer["issues"] if issue["domain"] == "edgehome"]
        return [issue for issue in own if issue["translation_key"] != "look_through"]


def onboard(url: str) -> str:
    """Onboards the owner as the frontend does; an access token of its session."""
    client_id = f"{url}/"
    answer = requests.post(
        f"{url}/api/onboarding/users", json={"client_id": client_id, "language": "en", **OWNER}, timeout=60
    )
    answer.raise_for_status()
    token = _exchange(url, client_id, answer.json()["auth_code"])
    owner = Client(url, token)
    owner.post("/api/onboarding/integration", {"client_id": client_id, "redirect_uri": client_id})
    return token


def tokens_for_browser(client: Client) -> str:
    """What the frontend keeps in the browser's local storage for a log-in."""
    return json.dumps(
        {
            "access_token": client.token,
            "refresh_token": "not-needed",
            "expires_in": 1800,
            "token_type": "Bearer",
            "hassUrl": client.url,
            "clientId": f"{client.url}/",
            "expires": int(time.time() * 1000) + 1_700_000,
        }
    )


def log_in(url: str, username: str, password: str) -> str:
    """Logs a user in as the frontend does; an access token."""
    client_id = f"{url}/"
    flow = requests.post(
        f"{url}/auth/login_flow",
        json={"client_id": client_id, "handler": ["homeassistant", None], "redirect_uri": client_id},
        timeout=60,
    ).json()
    result = requests.post(
        f"{url}/auth/login_flow/{flow['flow_id']}",
        json={"client_id": client_id, "username": username, "password": password},
        timeout=60,
    ).json()
    return _exchange(url, client_id, result["result"])


def _exchange(url: str, client_id: str, code: str) -> str:
    answer = requests.post(
        f"{url}/auth/token",
        data={"client_id": client_id, "grant_type": "authorization_code", "code": code},
        timeout=60,
    )
    answer.raise_for_status()
    return str(answer.json()["access_token"])

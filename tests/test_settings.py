"""What the owner has chosen."""

import pytest

from custom_components.edgehome.const import CONF_AUTOMATIONS, CONF_FLAGS, CONF_PRESET, CONF_WATCH
from custom_components.edgehome.policy.presets import STRICT
from custom_components.edgehome.settings import DEFAULT_FLAGS, Settings

STRICT_OPTIONS: dict[str, object] = {CONF_PRESET: "strict"}


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        pytest.param(STRICT_OPTIONS, Settings(policy=STRICT), id="strict"),
        pytest.param({**STRICT_OPTIONS, CONF_WATCH: True}, Settings(watch=True), id="watching"),
        pytest.param({**STRICT_OPTIONS, CONF_AUTOMATIONS: True}, Settings(automations=True), id="automations"),
        pytest.param({**STRICT_OPTIONS, CONF_AUTOMATIONS: False}, Settings(automations=False), id="no automations"),
        pytest.param({**STRICT_OPTIONS, CONF_AUTOMATIONS: None}, Settings(automations=False), id="not said"),
        pytest.param(
            {**STRICT_OPTIONS, CONF_FLAGS: {"injection": "block"}},
            Settings(flags={**DEFAULT_FLAGS, "injection": "block"}),
            id="one flag",
        ),
        pytest.param({**STRICT_OPTIONS, CONF_FLAGS: {}}, Settings(flags=DEFAULT_FLAGS), id="no flags"),
    ],
)
def test_options(options: dict[str, object], settings: Settings) -> None:
    """The options as settings; what is not said is closed."""
    assert Settings.from_options(options, policy=STRICT, lockdown=False) == settings


def test_lockdown_is_no_option() -> None:
    """Lockdown comes from its own store: no option ends it."""
    assert Settings.from_options({**STRICT_OPTIONS, "lockdown": False}, policy=STRICT, lockdown=True).lockdown is True


def test_defaults() -> None:
    """Unless said otherwise: strict, no automations, everything suspicious but injection blocks."""
    assert Settings() == Settings(
        policy=STRICT,
        automations=False,
        lockdown=False,
        flags={"template": "block", "control": "block", "backend": "block", "injection": "note"},
    )

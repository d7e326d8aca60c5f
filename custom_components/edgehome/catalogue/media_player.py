"""Speakers and televisions (features after ``components/media_player/const.py``).

What is off or idle has nothing to pause or to skip; Home Assistant would report success.
"""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation, Parameter
from .values import Flag, Media, Option, Percent, Speech, Step

PAUSE, VOLUME_SET, VOLUME_MUTE, PREVIOUS_TRACK, NEXT_TRACK, TURN_ON, TURN_OFF, PLAY_MEDIA = (
    1,
    4,
    8,
    16,
    32,
    128,
    256,
    512,
)
SELECT_SOURCE, STOP, PLAY, SHUFFLE_SET, SELECT_SOUND_MODE, MEDIA_ANNOUNCE = 2048, 4096, 16384, 32768, 65536, 1048576

_NOTHING_PLAYS = ("off", "standby", "idle")
_MEDIA_TYPE = Option(
    field="media_content_type",
    options="",
    attribute=None,
    shows=False,
    always=("music", "playlist", "video", "channel", "tvshow", "movie", "episode", "podcast", "image", "url"),
)
_VOLUME = Percent(field="volume_level", attribute="volume_level", scale=1, sent=1, whole=False)


def _transport(intent: Intent, service: str, features: int, expect: tuple[Expectation, ...] = ()) -> Operation:
    """A button of the player that does something only while there is something to play."""
    return Operation(
        intent=intent,
        domain="media_player",
        service=f"media_player.{service}",
        effect=Effect.ADJUST,
        features=(features,),
        idle_in=_NOTHING_PLAYS,
        expect=expect,
    )


OPERATIONS = (
    Operation(
        intent=Intent.TURN_ON,
        domain="media_player",
        service="media_player.turn_on",
        effect=Effect.ADJUST,
        features=(TURN_ON,),
        expect=(Expectation(value="off", differs=True),),
    ),
    Operation(
        intent=Intent.TURN_OFF,
        domain="media_player",
        service="media_player.turn_off",
        effect=Effect.ADJUST,
        features=(TURN_OFF,),
        expect=(Expectation(value="off"),),
    ),
    Operation(
        intent=Intent.TOGGLE,
        domain="media_player",
        service=None,
        effect=Effect.ADJUST,
        means=lambda _, state: (
            ()
            if state.state in {"unknown", "unavailable"}
            else (Intent.TURN_ON,)
            if state.state == "off"
            else (Intent.TURN_OFF,)
        ),
    ),
    Operation(
        intent=Intent.PLAY,
        domain="media_player",
        service="media_player.media_play",
        effect=Effect.ADJUST,
        features=(PLAY,),
        expect=(Expectation(value="playing", moving=("buffering",)),),
    ),
    _transport(Intent.PAUSE, "media_pause", PAUSE, (Expectation(value="paused"),)),
    _transport(Intent.STOP, "media_stop", STOP),
    _transport(Intent.NEXT, "media_next_track", NEXT_TRACK),
    _transport(Intent.PREVIOUS, "media_previous_track", PREVIOUS_TRACK),
    Operation(
        intent=Intent.SET_VOLUME,
        domain="media_player",
        service="media_player.volume_set",
        effect=Effect.ADJUST,
        features=(VOLUME_SET,),
        params={
            "volume": Parameter(kind=_VOLUME),
            "volume_step": Parameter(kind=Step(of=_VOLUME, attribute="volume_level", scale=1)),
        },
        needs=(frozenset({"volume"}), frozenset({"volume_step"})),
    ),
    Operation(
        intent=Intent.MUTE,
        domain="media_player",
        service="media_player.volume_mute",
        effect=Effect.ADJUST,
        features=(VOLUME_MUTE,),
        params={"value": Parameter(kind=Flag(field="is_volume_muted", attribute="is_volume_muted"), default=True)},
    ),
    Operation(
        intent=Intent.SHUFFLE,
        domain="media_player",
        service="media_player.shuffle_set",
        effect=Effect.ADJUST,
        features=(SHUFFLE_SET,),
        params={"value": Parameter(kind=Flag(field="shuffle", attribute="shuffle"), default=True)},
    ),
    Operation(
        intent=Intent.SELECT_SOURCE,
        domain="media_player",
        service="media_player.select_source",
        effect=Effect.ADJUST,
        features=(SELECT_SOURCE,),
        params={"source": Parameter(kind=Option(field="source", options="source_list", attribute="source"))},
        needs=(frozenset({"source"}),),
    ),
    Operation(
        intent=Intent.SET_MODE,
        domain="media_player",
        service="media_player.select_sound_mode",
        effect=Effect.ADJUST,
        features=(SELECT_SOUND_MODE,),
        params={"mode": Parameter(kind=Option(field="sound_mode", options="sound_mode_list", attribute="sound_mode"))},
        needs=(frozenset({"mode"}),),
    ),
    Operation(
        intent=Intent.PLAY_MEDIA,
        domain="media_player",
        service="media_player.play_media",
        effect=Effect.ADJUST,
        features=(PLAY_MEDIA,),
        params={"media": Parameter(kind=Media()), "option": Parameter(kind=_MEDIA_TYPE, default="music")},
        needs=(frozenset({"media"}),),
    ),
    Operation(
        intent=Intent.ANNOUNCE,
        domain="media_player",
        service="media_player.play_media",
        effect=Effect.ADJUST,
        features=(PLAY_MEDIA | MEDIA_ANNOUNCE,),
        params={"message": Parameter(kind=Speech())},
        needs=(frozenset({"message"}),),
    ),
)

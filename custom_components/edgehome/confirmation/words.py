"""The words in which people are asked, by language (no Home Assistant here).

A contract test looks that every operation that can be asked about has a verb in every language.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Words:
    """A language. ``verbs`` are what is done to a device, each to be followed by its name."""

    title: str
    asks: str
    risk: str
    reason: str
    also: str
    unread: str
    stale: str
    spoken_by: str
    spoken_in: str
    skipped: str
    more: str
    pin: str
    expires: str
    approve: str
    reject: str
    for_a_while: str
    open_page: str
    verbs: dict[str, str]


ENGLISH = Words(
    title="EdgeHome: {agent} asks",
    asks="{agent} asks: {actions}",
    risk="Risk {risk} of 5.",
    reason="Its reason, unchecked: “{reason}”",
    also="It also does: {actions}.",
    unread="What it does in full cannot be read.",
    stale="What is shown of these may be out of date, they do not answer: {names}.",
    spoken_by="Said by {name}.",
    spoken_in="Said in {room}.",
    skipped="Left out: {names}.",
    more="and {count} more",
    pin="Say yes on EdgeHome's page, with your PIN.",
    expires="Expires {time}. Without an answer nothing is done.",
    approve="Approve",
    reject="Reject",
    for_a_while="For 10 minutes",
    open_page="Open EdgeHome",
    verbs={
        "turn_on": "switch on", "turn_off": "switch off", "toggle": "switch over", "set_brightness": "dim",
        "set_color": "colour", "set_color_temperature": "set the white of", "set_temperature": "set the temperature of",
        "set_humidity": "set the humidity of", "set_mode": "set the mode of", "set_fan_mode": "set the fan of",
        "set_preset": "set the preset of", "open": "open", "close": "close", "stop": "stop", "set_position": "move",
        "set_tilt": "tilt", "lock": "lock", "unlock": "unlock", "arm_home": "arm (at home)", "arm_away": "arm (away)",
        "arm_night": "arm (night)", "disarm": "disarm", "set_volume": "set the volume of", "mute": "mute",
        "play": "play on", "pause": "pause", "next": "skip on", "previous": "go back on",
        "select_source": "choose the source of", "play_media": "play media on", "announce": "announce on",
        "start": "start", "dock": "send back", "set_speed": "set the speed of", "set_value": "set",
        "select_option": "choose for", "press": "press", "activate": "activate", "run": "run", "oscillate": "swing",
        "set_direction": "turn round", "set_swing_mode": "set the swing of", "shuffle": "shuffle on", "locate": "find",
        "add_item": "add to", "install": "install",
    },
)  # fmt: skip
GERMAN = Words(
    title="EdgeHome: {agent} fragt",
    asks="{agent} möchte: {actions}",
    risk="Risiko {risk} von 5.",
    reason="Seine Begründung, ungeprüft: „{reason}“",
    also="Dabei geschieht auch: {actions}.",
    unread="Was es im Ganzen tut, ist nicht zu lesen.",
    stale="Was hierzu gezeigt wird, kann veraltet sein, sie antworten nicht: {names}.",
    spoken_by="Gesagt von {name}.",
    spoken_in="Gesagt in: {room}.",
    skipped="Ausgelassen: {names}.",
    more="und {count} weitere",
    pin="Zustimmen geht nur auf der Seite von EdgeHome, mit Ihrer PIN.",
    expires="Läuft {time} ab. Ohne Antwort geschieht nichts.",
    approve="Erlauben",
    reject="Ablehnen",
    for_a_while="Für 10 Minuten",
    open_page="EdgeHome öffnen",
    verbs={
        "turn_on": "einschalten:", "turn_off": "ausschalten:", "toggle": "umschalten:", "set_brightness": "dimmen:",
        "set_color": "färben:", "set_color_temperature": "Weißton stellen:", "set_temperature": "Temperatur stellen:",
        "set_humidity": "Feuchte stellen:", "set_mode": "Betriebsart stellen:", "set_fan_mode": "Lüfter stellen:",
        "set_preset": "Voreinstellung wählen:", "open": "öffnen:", "close": "schließen:", "stop": "anhalten:",
        "set_position": "bewegen:", "set_tilt": "kippen:", "lock": "verriegeln:", "unlock": "entriegeln:",
        "arm_home": "scharf schalten (zu Hause):", "arm_away": "scharf schalten (abwesend):",
        "arm_night": "scharf schalten (Nacht):", "disarm": "unscharf schalten:", "set_volume": "Lautstärke stellen:",
        "mute": "stumm schalten:", "play": "abspielen:", "pause": "pausieren:", "next": "weiter:",
        "previous": "zurück:", "select_source": "Quelle wählen:", "play_media": "Medien abspielen:",
        "announce": "durchsagen auf:", "start": "starten:", "dock": "zurückschicken:",
        "set_speed": "Stufe stellen:", "set_value": "stellen:", "select_option": "auswählen:", "press": "drücken:",
        "activate": "aktivieren:", "run": "ausführen:", "oscillate": "schwenken:", "set_direction": "Drehrichtung stellen:",
        "set_swing_mode": "Lamellen stellen:", "shuffle": "Zufallswiedergabe:", "locate": "suchen:",
        "add_item": "hinzufügen zu:", "install": "installieren:",
    },
)  # fmt: skip
CHINESE = Words(
    title="EdgeHome：{agent} 请求",
    asks="{agent} 请求：{actions}",
    risk="风险 {risk}/5。",
    reason="其理由（未经核实）：“{reason}”",
    also="同时还会：{actions}。",
    unread="无法完整读取其行为。",
    stale="以下设备没有响应，显示的状态可能已过时：{names}。",
    spoken_by="说话人：{name}。",
    spoken_in="说话地点：{room}。",
    skipped="已略过：{names}。",
    more="另有 {count} 项",
    pin="请在 EdgeHome 页面输入您的 PIN 后同意。",
    expires="{time} 过期。不答复则不执行。",
    approve="同意",
    reject="拒绝",
    for_a_while="允许 10 分钟",
    open_page="打开 EdgeHome",
    verbs={
        "turn_on": "打开", "turn_off": "关闭", "toggle": "切换", "set_brightness": "调光", "set_color": "设定颜色",
        "set_color_temperature": "设定色温", "set_temperature": "设定温度", "set_humidity": "设定湿度",
        "set_mode": "设定模式", "set_fan_mode": "设定风速", "set_preset": "选择预设", "open": "打开", "close": "关上",
        "stop": "停止", "set_position": "移动", "set_tilt": "调整角度", "lock": "上锁", "unlock": "解锁",
        "arm_home": "布防（在家）", "arm_away": "布防（外出）", "arm_night": "布防（夜间）", "disarm": "撤防",
        "set_volume": "设定音量", "mute": "静音", "play": "播放", "pause": "暂停", "next": "下一个", "previous": "上一个",
        "select_source": "选择信号源", "play_media": "播放媒体", "announce": "播报", "start": "启动", "dock": "返回充电",
        "set_speed": "设定档位", "set_value": "设定", "select_option": "选择", "press": "按下", "activate": "启用",
        "run": "运行", "oscillate": "摆动", "set_direction": "设定方向", "set_swing_mode": "设定扫风", "shuffle": "随机播放",
        "locate": "寻找", "add_item": "添加到", "install": "安装",
    },
)  # fmt: skip


def words_of(language: str) -> Words:
    """The words of a language, English where there are none."""
    if language.startswith("de"):
        return GERMAN
    return CHINESE if language.lower().startswith("zh") else ENGLISH


LANGUAGES = (ENGLISH, GERMAN, CHINESE)
"""All that there are."""

"""Names of rooms and things in the languages of a generated home."""

from random import Random
from typing import NamedTuple


class Word(NamedTuple):
    """A name: as part of an entity id, and in English, German and Chinese."""

    slug: str
    en: str
    de: str
    zh: str

    def names(self) -> tuple[str, str, str]:
        """The three names."""
        return self.en, self.de, self.zh


def words(text: str) -> tuple[Word, ...]:
    """Words from lines of ``English / German / Chinese``."""
    rows = [[part.strip() for part in line.split("/")] for line in text.strip().splitlines()]
    return tuple(Word(en.lower().replace(" ", "_").replace("-", "_"), en, de, zh) for en, de, zh in rows)


FLOORS = words("""
Cellar / Keller / 地下室
Ground floor / Erdgeschoss / 一楼
Upper floor / Obergeschoss / 二楼
Attic / Dachgeschoss / 阁楼
""")

(CHANNEL,) = words("Channel / Kanal / 通道")

ROOMS = words("""
Kitchen / Küche / 厨房
Living room / Wohnzimmer / 客厅
Bedroom / Schlafzimmer / 卧室
Garage / Garage / 车库
Hall / Flur / 走廊
Bathroom / Bad / 浴室
Office / Büro / 书房
Nursery / Kinderzimmer / 儿童房
Guest room / Gästezimmer / 客房
Garden / Garten / 花园
Terrace / Terrasse / 露台
Laundry / Waschküche / 洗衣房
Pantry / Speisekammer / 储藏室
Dining room / Esszimmer / 餐厅
Workshop / Werkstatt / 工作间
Entrance / Eingang / 玄关
""")

THINGS = {
    "light": words("""
Ceiling lamp / Deckenlampe / 吊灯
Floor lamp / Stehlampe / 落地灯
Desk lamp / Schreibtischlampe / 台灯
Spots / Strahler / 射灯
Light / Licht / 灯
Lamp / Lampe / 小灯
"""),
    "switch": words("""
Socket / Steckdose / 插座
Heater plug / Heizlüfter / 加热器
Coffee machine / Kaffeemaschine / 咖啡机
Pump / Pumpe / 水泵
Relay / Relais / 继电器
"""),
    "fan": words("Fan / Lüfter / 风扇\nVentilation / Lüftung / 通风"),
    "cover": words("""
Blind / Jalousie / 百叶窗
Shutter / Rollladen / 卷帘
Curtain / Vorhang / 窗帘
Skylight / Dachfenster / 天窗
"""),
    "garage": words("Garage door / Garagentor / 车库门\nGate / Hoftor / 大门"),
    "valve": words("Water valve / Wasserventil / 水阀\nSprinkler / Rasensprenger / 喷头"),
    "lock": words("Door lock / Türschloss / 门锁\nFront door / Haustür / 前门"),
    "climate": words("Thermostat / Thermostat / 恒温器\nAir conditioner / Klimaanlage / 空调"),
    "water_heater": words("Boiler / Warmwasserspeicher / 热水器"),
    "humidifier": words("Humidifier / Luftbefeuchter / 加湿器\nDryer / Entfeuchter / 除湿机"),
    "vacuum": words("Robot / Saugroboter / 扫地机"),
    "lawn_mower": words("Mower / Mähroboter / 割草机"),
    "alarm_control_panel": words("Alarm / Alarmanlage / 警报"),
    "siren": words("Siren / Sirene / 警笛"),
    "scene": words("Evening / Abend / 晚上\nMovie / Kino / 电影"),
    "button": words("Doorbell / Klingel / 门铃\nRestart / Neustart / 重启"),
    "number": words("Delay / Verzögerung / 延迟\nLimit / Grenze / 上限"),
    "select": words("Programme / Programm / 程序"),
    "text": words("Display / Anzeige / 显示"),
    "update": words("Firmware / Gerätesoftware / 固件"),
    "camera": words("Camera / Kamera / 摄像头"),
    "image": words("Snapshot / Momentaufnahme / 快照"),
    "notify": words("Speaker / Lautsprecher / 喇叭"),
    "sensor": words("Climate sensor / Klimasensor / 温湿度\nWeather / Wetter / 天气"),
    "binary_sensor": words("Window contact / Fensterkontakt / 窗磁\nMotion / Bewegung / 人体感应\nDoor / Tür / 门"),
}


class Namer:
    """Names things of one home: mostly in its own language, numbered where two of a room are alike."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._language = rng.randrange(3)
        self._used: set[str] = set()
        self._in_room: set[tuple[str | None, str]] = set()

    def name(self, word: Word) -> str:
        """A word in the home's language, at times in another one."""
        language = self._language if self._rng.random() < 0.75 else self._rng.randrange(3)
        return word.names()[language]

    def other_names(self, word: Word, name: str) -> tuple[str, ...]:
        """What else the thing is called: at times one other language's word."""
        others = [other for other in word.names() if other != name]
        return (self._rng.choice(others),) if others and self._rng.random() < 0.3 else ()

    def name_in(self, room: str | None, word: Word) -> str:
        """A name that no other thing of the room has, with few exceptions; other rooms have it, too."""
        plain = name = self.name(word)
        number = 1
        while (room, name) in self._in_room and self._rng.random() > 0.02:
            number += 1
            name = f"{plain} {number}"
        self._in_room.add((room, name))
        return name

    def entity_id(self, domain: str, *parts: str) -> str:
        """An entity id that is new in the home."""
        plain = entity_id = f"{domain}.{'_'.join(part for part in parts if part)}"
        number = 1
        while entity_id in self._used:
            number += 1
            entity_id = f"{plain}_{number}"
        self._used.add(entity_id)
        return entity_id

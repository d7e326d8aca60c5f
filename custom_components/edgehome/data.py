"""What a loaded entry carries."""

from dataclasses import dataclass

from homeassistant.config_entries import ConfigEntry

from .agents.register import AgentRegister
from .confirmation.approvers import ApproverRegister
from .confirmation.broker import Broker
from .confirmation.phones import Phones
from .confirmation.pins import Pins
from .evidence.store import EvidenceStore, ExecutionTicket
from .home.conditions import Conditions
from .home.house import HomeAssistantHouse
from .home.makeup.reader import MakeupReader
from .home.names import NameIndex
from .home.owners_words import OwnersWords
from .lockdown import Lockdown
from .pipeline import Pipeline
from .policy_editor.book import PolicyBook


@dataclass(frozen=True, kw_only=True)
class EdgeHomeData:
    """The parts of one EdgeHome."""

    agents: AgentRegister
    house: HomeAssistantHouse
    names: NameIndex
    words: OwnersWords
    makeups: MakeupReader
    evidence: EvidenceStore
    pipeline: Pipeline[ExecutionTicket]
    lockdown: Lockdown
    approvers: ApproverRegister
    phones: Phones
    pins: Pins
    questions: Broker
    book: PolicyBook
    conditions: Conditions


type EdgeHomeConfigEntry = ConfigEntry[EdgeHomeData]

"""The yes for a while on a running home: who gave it, who may end it, and what is written about it (R9)."""

from collections.abc import Callable, Mapping

from homeassistant.core import callback
from homeassistant.util import dt as dt_util

from ..models import ActionRequest
from .approvers import ApproverRegister
from .grants import Grant, Grants
from .pending import Consent, Pending

type Note = Callable[[ActionRequest, Mapping[str, object]], None]
"""Writes what happened to a request."""


class LastingYes:
    """The grants in force, with the requests that they came of."""

    def __init__(self, approvers: ApproverRegister, note: Note, changed: Callable[[], None]) -> None:
        self._approvers = approvers
        self._note = note
        self._changed = changed
        self._requests: dict[str, ActionRequest] = {}
        self.grants = Grants(self._ended)
        approvers.changed = self._approvers_changed

    @property
    def revision(self) -> int:
        """Changes with who may say yes and with every grant that ends."""
        return self.grants.revision + self._approvers.revision

    def of_agent(self, principal_id: str) -> tuple[Grant, ...]:
        """A caller's grants in force."""
        return tuple(grant for grant in self.grants.in_force(dt_util.utcnow()) if grant.behind[0] == principal_id)

    def of_approver(self, user_id: str) -> tuple[Grant, ...]:
        """The grants in force that this approver may end: those that he could have given."""
        approver = self._approvers.by_user(user_id)
        return tuple(
            grant
            for grant in self.grants.in_force(dt_util.utcnow())
            if approver is not None and approver.may_say_yes(grant.consent.risk, grant.areas)
        )

    def may_still(self, consent: Consent, areas: tuple[str, ...]) -> bool:
        """Whether everybody who said yes still may."""
        approvers = [self._approvers.by_user(yes.user_id) for yes in consent.given]
        return all(approver and approver.may_say_yes(consent.risk, areas) for approver in approvers)

    def give(self, pending: Pending, request: ActionRequest) -> None:
        """Puts the yes for a while in force, after the first deed: what came to nothing grants nothing."""
        if not pending.is_for_a_while or pending.generation != self.grants.generation:
            # What ends every grant came between the yes and the deed.
            return
        grant = Grant.of(pending, dt_util.utcnow())
        self._requests[grant.id] = request
        self.grants.give(grant)
        self._note(request, {"grant": "given", "until": grant.until.isoformat()})

    @callback
    def use(self, grant_id: str, request: ActionRequest) -> None:
        """A request is carried out by a grant."""
        self.grants.use(grant_id)
        if first := self._requests.get(grant_id):
            self._note(first, {"grant": "used", "by": request.trace_id})
        self._changed()

    @callback
    def revoke(self, grant_id: str, user_id: str) -> bool:
        """An approver ends a grant; whether there was one that he may end."""
        theirs = {grant.id for grant in self.of_approver(user_id)}
        return grant_id in theirs and self.grants.end(grant_id, "an approver ended it")

    @callback
    def _approvers_changed(self) -> None:
        """Somebody came or went: what he granted goes with him."""
        for grant in self.grants.in_force(dt_util.utcnow()):
            if not self.may_still(grant.consent, grant.areas):
                self.grants.end(grant.id, "who gave it may not any more")
        self._changed()

    def _ended(self, grant: Grant, why: str, used: int) -> None:
        if first := self._requests.pop(grant.id, None):
            self._note(first, {"grant": "ended", "why": why, "used": used})
        self._changed()

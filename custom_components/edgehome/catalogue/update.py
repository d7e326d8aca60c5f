"""Updates (features after ``components/update/const.py``). Where none waits it is already so."""

from ..models import Intent
from ..plan import Effect, Expectation
from .operation import Operation

INSTALL = 1

OPERATIONS = (
    Operation(
        intent=Intent.INSTALL,
        domain="update",
        service="update.install",
        effect=Effect.RUN,
        features=(INSTALL,),
        expect=(Expectation(value="off"),),
    ),
)

"""To-do lists (features after ``components/todo/const.py``). The items are not in the state: only adding can be judged."""

from ..models import Intent
from ..plan import Effect
from .operation import Operation, Parameter
from .values import Words

CREATE_TODO_ITEM = 1

OPERATIONS = (
    Operation(
        intent=Intent.ADD_ITEM,
        domain="todo",
        service="todo.add_item",
        effect=Effect.ADJUST,
        features=(CREATE_TODO_ITEM,),
        params={"message": Parameter(kind=Words(field="item", shows=False))},
        needs=(frozenset({"message"}),),
    ),
)

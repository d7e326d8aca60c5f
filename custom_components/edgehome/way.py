"""One request on its way through the pipeline (no Home Assistant here)."""

import asyncio

from .chain import settled
from .models import ActionRequest
from .trace import Answered, PipelineTrace


class Way:
    """One request on its way: its task, and what a caller gets who does not wait until its end."""

    def __init__(self, request: ActionRequest) -> None:
        self.request = request
        self.parked: asyncio.Future[PipelineTrace] = asyncio.get_running_loop().create_future()
        self.task: asyncio.Task[Answered] | None = None
        self.has_joined = False
        self.is_taken_back = False

    def park(self, trace: PipelineTrace) -> None:
        """The request waits for a human from now on."""
        if not self.parked.done():
            self.parked.set_result(trace)

    async def seen(self, seconds: float) -> Answered:
        """The end, or that it is pending, after at most ``seconds`` of waiting for a human."""
        task = settled(self.task)
        await asyncio.wait((task, self.parked), return_when=asyncio.FIRST_COMPLETED)
        if not task.done() and seconds > 0:
            await asyncio.wait((task,), timeout=seconds)
        return task.result() if task.done() else self.parked.result()

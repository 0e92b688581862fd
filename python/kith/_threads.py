"""Methods of an identity as coroutines, each of which runs in a thread."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable, Coroutine
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class InThread:
    #: Whose methods run in threads.
    identity: Any


def in_thread(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]:
    """The method of this name of `identity`, as a coroutine of an `InThread`."""

    async def run(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> R:
        reply: R = await to_thread(getattr(self.identity, method.__name__), *args, **kwargs)
        return reply

    update_wrapper(run, method)
    return run

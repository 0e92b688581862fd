"""The same for asyncio: each call runs in a thread. A call whose task is cancelled still ends in its thread.

    ada = await kith.aio.open_identity("~/.kith/ada")
    await ada.send("bob", "Hello")
    async with await ada.receive() as receiver:
        async for event in receiver:
            await receiver.done(event)
"""

from __future__ import annotations

import os
from asyncio import Future, Lock, ensure_future, to_thread, wait
from collections.abc import AsyncIterator

from . import types
from ._aio_operations import AsyncOperations
from ._conversations import OpenedMessage
from ._identity import Identity
from ._receiver import Receiver
from ._retry import RetryPolicy
from ._threads import in_thread

#: How long a thread waits for an event before it looks whether its task was cancelled.
_LOOK_SECONDS = 0.5


async def open_identity(
    folder: str | os.PathLike[str], *, retry: RetryPolicy | None = None, timeout: float = 30.0
) -> AsyncIdentity:
    """As `kith.open_identity`."""
    return AsyncIdentity(await to_thread(Identity, folder, retry=retry or RetryPolicy(), timeout=timeout))


class AsyncIdentity(AsyncOperations):
    """As `kith.Identity`. The functions that are given to `upload` and `resume_pending` run in the thread."""

    def __init__(self, identity: Identity) -> None:
        #: The identity itself, for what is not here.
        self.identity = identity

    def __repr__(self) -> str:
        return f"<kith.aio {self.identity!r}>"

    whoami = in_thread(Identity.whoami)
    now = in_thread(Identity.now)
    send = in_thread(Identity.send)
    open_message = in_thread(Identity.open_message)
    upload = in_thread(Identity.upload)
    wait_until_inspected = in_thread(Identity.wait_until_inspected)
    pending = in_thread(Identity.pending)
    resume_pending = in_thread(Identity.resume_pending)

    async def read(self, peer: str) -> AsyncIterator[OpenedMessage]:
        """Messages with a peer, by its handle or ID, newest first, opened."""
        messages = self.identity.read(peer)
        while (message := await to_thread(next, messages, None)) is not None:
            yield message

    async def receive(self) -> AsyncReceiver:
        """Start receiving events."""
        return AsyncReceiver(await to_thread(self.identity.receive))


class AsyncReceiver:
    """As `kith.Receiver`."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._turn = Lock()
        #: What a thread takes. A cancelled wait leaves it, and the event that comes of it, to the next wait.
        self._taking: Future[types.Event | None] | None = None

    def __aiter__(self) -> AsyncReceiver:
        return self

    async def __anext__(self) -> types.Event:
        async with self._turn:
            while True:
                taking = self._taking = self._taking or ensure_future(to_thread(self._receiver.next, _LOOK_SECONDS))
                await wait([taking])
                self._taking = None
                event = taking.result()
                if event is not None:
                    return event
                if self._receiver.closed:
                    raise StopAsyncIteration

    async def __aenter__(self) -> AsyncReceiver:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def done(self, event: types.Event) -> None:
        """The event needs no more attention."""
        await to_thread(self._receiver.done, event)

    async def close(self) -> None:
        """End the connection, and let another receiver begin."""
        await to_thread(self._receiver.close)

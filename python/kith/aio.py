"""The same for asyncio: each call runs in a thread. A call whose task is cancelled still ends in its thread.

    ada = await kith.aio.open_identity("~/.kith/ada")
    await ada.send("bob", "Hello")
    async with await ada.receive() as receiver:
        async for event in receiver:
            await receiver.done(event)
"""

from __future__ import annotations

import os
from asyncio import to_thread
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from . import types
from ._aio_operations import AsyncOperations
from ._conversations import OpenedMessage
from ._http import Query
from ._identity import Identity
from ._journal import Entry, Outcome
from ._receiver import Receiver
from ._retry import RetryPolicy
from ._uploads import Purpose, Source

#: How long a thread waits for an event before it looks whether its task was cancelled.
_LOOK_SECONDS = 0.5


async def open_identity(
    folder: str | os.PathLike[str], *, retry: RetryPolicy | None = None, timeout: float = 30.0
) -> AsyncIdentity:
    """As `kith.open_identity`."""
    return AsyncIdentity(await to_thread(Identity, folder, retry=retry or RetryPolicy(), timeout=timeout))


class AsyncIdentity(AsyncOperations):
    """As `kith.Identity`, whose methods say what each of these does."""

    def __init__(self, identity: Identity) -> None:
        #: The identity itself, for what is not here.
        self.identity = identity

    def __repr__(self) -> str:
        return f"<kith.aio {self.identity!r}>"

    async def whoami(self) -> types.Passport:
        """Your own passport, as the service has it."""
        return await to_thread(self.identity.whoami)

    async def send(self, peer: str, text: str, *, client_message_id: str | None = None) -> types.Message:
        """Seal a text for a friend, by its handle or ID, and send it."""
        return await to_thread(self.identity.send, peer, text, client_message_id=client_message_id)

    async def read(self, peer: str) -> AsyncIterator[OpenedMessage]:
        """Messages with a peer, by its handle or ID, newest first, opened."""
        messages = self.identity.read(peer)
        while (message := await to_thread(next, messages, None)) is not None:
            yield message

    async def open_message(self, message: Mapping[str, Any]) -> OpenedMessage:
        """The text of one message."""
        return await to_thread(self.identity.open_message, message)

    async def receive(self) -> AsyncReceiver:
        """Start receiving events."""
        return AsyncReceiver(await to_thread(self.identity.receive))

    async def upload(
        self,
        source: Source,
        purpose: Purpose,
        *,
        upload_id: str | None = None,
        name: str | None = None,
        on_progress: Callable[[int, int], object] | None = None,
        settle: Callable[[types.OwnAttachment], object] | None = None,
    ) -> types.OwnAttachment:
        """Upload bytes, or the file at a path, and have it inspected. The two functions run in the thread."""
        upload = self.identity.upload
        return await to_thread(
            upload, source, purpose, upload_id=upload_id, name=name, on_progress=on_progress, settle=settle
        )

    async def wait_until_inspected(self, attachment_id: str, timeout: float = 600.0) -> types.Attachment:
        """Wait for the end of an inspection that took longer than the answer to the upload."""
        return await to_thread(self.identity.wait_until_inspected, attachment_id, timeout)

    async def pending(self) -> list[Entry]:
        """Requests that are saved and whose outcome is not known, oldest first."""
        return await to_thread(self.identity.pending)

    async def resume_pending(self) -> list[Outcome]:
        """Send again, byte for byte, what an earlier run or a lost answer left open."""
        return await to_thread(self.identity.resume_pending)

    async def _read(self, template: str, params: Mapping[str, str], query: Query) -> Any:
        return await to_thread(self.identity._read, template, params, query)

    async def _change(
        self,
        method: str,
        template: str,
        params: Mapping[str, str],
        body: Mapping[str, Any] | None,
        operation_id: str | None,
        has_operation_id: bool,
    ) -> Any:
        change = self.identity._change
        return await to_thread(change, method, template, params, body, operation_id, has_operation_id)

    async def _upload(self, source: Source, purpose: Purpose, upload_id: str | None, name: str | None) -> Any:
        return await to_thread(self.identity._upload, source, purpose, upload_id, name)

    async def _bytes(
        self,
        template: str,
        params: Mapping[str, str],
        query: Query,
        to: str | os.PathLike[str] | None,
        overwrite: bool,
    ) -> Any:
        return await to_thread(self.identity._bytes, template, params, query, to, overwrite)

    async def _headers(self, template: str, params: Mapping[str, str]) -> Any:
        return await to_thread(self.identity._headers, template, params)


class AsyncReceiver:
    """As `kith.Receiver`."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver

    def __aiter__(self) -> AsyncReceiver:
        return self

    async def __anext__(self) -> types.Event:
        while True:
            event = await to_thread(self._receiver.next, _LOOK_SECONDS)
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

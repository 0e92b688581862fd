"""The event receiver: store durably, then acknowledge, then hand over; reconnect for as long as that can help.

Delivery is at least once (docs/contract/events.md#delivery): an event that was handed over and not called done comes
again.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, cast

from . import types
from ._http import Transport, parse_json
from ._ids import is_uuid
from ._inbox import Event, Inbox
from ._operations import NEWEST_SUBPROTOCOL
from ._retry import RetryPolicy, backoff, is_passing
from ._socket import Closed, Connection, Refused
from ._tokens import Tokens
from .errors import (
    KithBusyError,
    KithError,
    KithIdentityError,
    KithInputError,
    KithNetworkError,
    KithReceiverError,
    KithTokenLostError,
)

#: Stored events that are not done, at most; beyond it nothing more is acknowledged until some are.
_MOST_PENDING = 1_000
#: Events in flight on one connection, at most (docs/contract/events.md#limits).
_MOST_HELD = 256
#: A connection that lasted this long proves that the service is well: the back-off starts over.
_STEADY_SECONDS = 30.0
_CONNECTION_LIMIT_WAIT = 30.0
#: A proxy on a bad day may ask for a year.
_LONGEST_WAIT = 3600.0
_TOKEN_CHECK_SECONDS = 3600.0
_PACE = RetryPolicy(base=0.5, cap=60.0)


class Receiver:
    """Events in the order of their storing, as `{event_id, kind, payload}`.

    Iterating waits for the next event, and ends after `close`. It raises `KithTokenLostError`, `KithReceiverError`
    (close codes 4400 and 4403, or a final refusal of the handshake), or what the disk said. It is a context manager.
    """

    def __init__(
        self,
        transport: Transport,
        tokens: Tokens,
        inbox: Inbox,
        *,
        handle: str,
        prepare: Callable[[Event], None],
        release: Callable[[], None],
        pace: RetryPolicy = _PACE,
        most_pending: int = _MOST_PENDING,
    ) -> None:
        self._transport = transport
        self._tokens = tokens
        self._inbox = inbox
        self._handle = handle
        self._prepare = prepare
        self._release = release
        self._pace = pace
        self._most_pending = most_pending
        self._news = threading.Condition()
        #: Stored and waiting for the program.
        self._ready: deque[Event] = deque(inbox.pending())
        #: Everything stored that is not done.
        self._open = {event["event_id"] for event in self._ready}
        #: Came in while too many were open; only the thread of the channel touches it.
        self._held: deque[Event] = deque()
        self._stopping = False
        self._failure: BaseException | None = None
        #: A byte through it wakes the thread that waits for the channel.
        self._woken, self._waker = socket.socketpair()
        self._waker.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="kith-events", daemon=True)
        self._thread.start()

    def __iter__(self) -> Receiver:
        return self

    def __next__(self) -> types.Event:
        event = self.next()
        if event is None:
            raise StopIteration
        return event

    def __enter__(self) -> Receiver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def next(self, timeout: float | None = None) -> types.Event | None:
        """The next event; None once the receiver was closed, or after `timeout` seconds without one."""
        with self._news:
            self._news.wait_for(lambda: self._ready or self._failure or self._stopping, timeout)
            failure = self._failure
            is_closed = self._stopping and failure is None
            event = None if is_closed or not self._ready else self._ready.popleft()
        if event is None:
            if failure is None:
                return None
            # Until then another receiver cannot begin.
            self._thread.join()
            raise failure
        try:
            self._prepare(event)
        except BaseException:
            with self._news:
                self._ready.appendleft(event)
            raise
        return cast(types.Event, event)

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._stopping and self._failure is None

    def done(self, event: types.Event) -> None:
        """The event needs no more attention. Without this call it is handed over again after the next start.

        Once the receiver has ended nothing can be stored: it raises what ended it.
        """
        event_id = event["event_id"]
        if not is_uuid(event_id):
            raise KithInputError("the ID of an event must be a lower-case UUID")
        try:
            self._inbox.done(event_id)
        except KithIdentityError:
            if self._failure is None:
                raise
            raise self._failure from None
        with self._news:
            self._open.discard(event_id)
        self._wake()

    def close(self) -> None:
        """End the connection, and let another receiver begin."""
        with self._news:
            self._stopping = True
            self._news.notify_all()
        self._wake()
        self._thread.join()

    def _wake(self) -> None:
        try:
            self._waker.send(b".")
        except OSError:
            pass  # Enough bytes wait there already, or everything has ended.

    def _run(self) -> None:
        try:
            self._connect_again_and_again()
        except BaseException as error:
            with self._news:
                self._failure = error if not self._stopping else None
                self._stopping = True
        finally:
            try:
                self._inbox.close()
            finally:
                self._release()
                self._waker.close()
                self._woken.close()
                with self._news:
                    self._stopping = True
                    self._news.notify_all()

    def _connect_again_and_again(self) -> None:
        failures = 0
        while not self._stopping:
            began = time.monotonic()
            ended: Exception
            try:
                token = self._tokens.current().token
                try:
                    self._connect_once(token)
                    return
                except (Closed, Refused) as end:
                    if _says_bad_token(end):
                        # Rotated, perhaps by another process: the new token opens the channel at once.
                        if self._tokens.reload().token == token:
                            raise KithTokenLostError("refused", self._handle) from None
                        continue
                    ended = end
            except KithBusyError as error:
                # Another process may be rotating for longer than anybody waits for its lock.
                ended = error
            except (KithError, KithNetworkError) as error:
                if not is_passing(error):
                    raise
                ended = error
            if time.monotonic() - began >= _STEADY_SECONDS:
                failures = 0
            delay = _delay_after(ended, backoff(self._pace, failures))
            failures += 1
            with self._news:
                self._news.wait_for(lambda: self._stopping, delay)

    def _connect_once(self, token: str) -> None:
        """One connection from start to end; returns once the receiver stops."""
        # What was held was never acknowledged: it comes again.
        self._held.clear()
        connection = Connection(self._transport, token, NEWEST_SUBPROTOCOL)
        token_check = time.monotonic() + _TOKEN_CHECK_SECONDS
        try:
            while not self._stopping:
                if connection.wait(self._woken):
                    frame = connection.receive()
                    if frame is not None:
                        self._on_frame(connection, frame)
                else:
                    self._woken.recv(4096)
                    while self._held and self._has_room():
                        self._take(connection, self._held.popleft())
                if time.monotonic() >= token_check:
                    # A connection may outlast the token's month: looking at it rotates it in time.
                    token_check += _TOKEN_CHECK_SECONDS
                    self._tokens.current()
        finally:
            connection.close()

    def _on_frame(self, connection: Connection, text: str) -> None:
        frame = parse_json(text)
        if not isinstance(frame, dict) or not is_uuid(frame.get("event_id")):
            return
        if frame.get("type") == "acked":
            self._inbox.acked(frame["event_id"])
            return
        kind, payload = frame.get("kind"), frame.get("payload")
        if frame.get("type") != "event" or not isinstance(kind, str) or not isinstance(payload, dict):
            return
        event: dict[str, Any] = {"event_id": frame["event_id"], "kind": kind, "payload": payload}
        if self._has_room() or event["event_id"] in self._open:
            self._take(connection, event)
        elif len(self._held) < _MOST_HELD:
            self._held.append(event)

    def _has_room(self) -> bool:
        return len(self._open) < self._most_pending

    def _take(self, connection: Connection, event: Event) -> None:
        """Store, then acknowledge: the order that makes an acknowledgement mean safe receipt."""
        fresh = self._inbox.add(event)
        if fresh:
            with self._news:
                self._open.add(event["event_id"])
                self._ready.append(event)
                self._news.notify_all()
        connection.send(json.dumps({"type": "ack", "event_id": event["event_id"]}, separators=(",", ":")))


def _says_bad_token(end: Closed | Refused) -> bool:
    return (isinstance(end, Closed) and end.code == 4401) or (
        isinstance(end, Refused) and end.status == 401 and not end.foreign
    )


def _delay_after(end: Exception, jitter: float) -> float:
    """Seconds to wait before the next connection; raises `KithReceiverError` where none can help."""
    if isinstance(end, Closed):
        if end.code == 4400:
            raise KithReceiverError(4400, f"the service refused a frame: {end.reason or 'format error'}")
        if end.code == 4403:
            raise KithReceiverError(4403, f"the service forbids the channel: {end.reason or 'forbidden'}")
        return _CONNECTION_LIMIT_WAIT + jitter if end.code == 4429 else jitter
    if isinstance(end, Refused):
        # A 403 before the upgrade passes, and what something in between says is no verdict.
        if not end.foreign and end.status in (400, 404, 426):
            raise KithReceiverError(
                end.status, f"the handshake was refused with {end.status}: this version of the channel is not served"
            )
        return min(end.retry_after or 0, _LONGEST_WAIT) + jitter
    return jitter

"""The event channel's WebSocket: one connection, within limits of size and silence. One thread uses it."""

from __future__ import annotations

import selectors
import socket
import ssl
import time
from typing import Any, cast

from websocket import (
    ABNF,
    WebSocket,
    WebSocketBadStatusException,
    WebSocketException,
    WebSocketTimeoutException,
)

from ._http import Transport, Watch, no_answer, seconds
from .errors import KithNetworkError

#: Events have up to 65536 bytes (docs/contract/events.md#limits); the frame around one is little more.
_MAX_FRAME_BYTES = 128 * 1024
_HANDSHAKE_SECONDS = 15.0
#: The service pings every 30 seconds: two and a half silent rounds mean that nobody is there.
_SILENCE_SECONDS = 75.0
#: The longest wait for the rest of a frame that has begun, and for a frame to be taken.
_FRAME_SECONDS = 10.0


class Closed(Exception):
    """The connection ended with a close code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"closed with {code}")
        self.code = code
        self.reason = reason


class Refused(Exception):
    """The handshake was answered with an HTTP status instead of the upgrade."""

    def __init__(self, status: int, foreign: bool, retry_after: int | None) -> None:
        super().__init__(f"refused with {status}")
        self.status = status
        # By something in between.
        self.foreign = foreign
        self.retry_after = retry_after


class _Bounded(WebSocket):
    """Ends a connection that sends more than a frame may have, before it is all in memory."""

    received = 0

    def _recv(self, bufsize: int) -> bytes:
        data: bytes = cast(Any, super())._recv(bufsize)
        self.received += len(data)
        if self.received > _MAX_FRAME_BYTES:
            raise WebSocketException("a frame that is too long")
        return data


class Connection:
    """One connection. Its methods raise `Closed`, `Refused` or `KithNetworkError`."""

    def __init__(self, transport: Transport, token: str, protocol: str | None) -> None:
        self._origin = transport.origin
        # The library has few types.
        self._socket = cast(Any, _Bounded(enable_multithread=False))
        watch = Watch(_HANDSHAKE_SECONDS)
        connection: socket.socket | None = None
        try:
            with watch:
                connection = transport.connect(watch)
                self._socket.connect(
                    f"{transport.origin.replace('http', 'ws', 1)}/ws/v1/events/",
                    socket=connection,
                    header=[f"Authorization: Bearer {token}"],
                    subprotocols=None if protocol is None else [protocol],
                    suppress_origin=True,
                    # The token would travel along.
                    redirect_limit=0,
                )
            if self._socket.getstatus() != 101:
                raise WebSocketBadStatusException("Handshake status %d %s", self._socket.getstatus())
        # The library takes what a server answers for what it should be, and fails in many ways where it is not.
        except Exception as cause:
            if connection is not None:
                connection.close()
            if isinstance(cause, WebSocketBadStatusException):
                headers = getattr(cause, "resp_headers", None) or {}
                foreign = headers.get("x-request-id") is None
                raise Refused(cause.status_code, foreign, seconds(headers.get("retry-after"))) from None
            raise self._lost(TimeoutError() if watch.rang else cause, _HANDSHAKE_SECONDS) from cause
        self._connection = connection
        connection.settimeout(_FRAME_SECONDS)
        self._heard = time.monotonic()
        self._text = b""

    def wait(self, wake: socket.socket) -> bool:
        """True once something came; False once `wake` has something to read."""
        if isinstance(self._connection, ssl.SSLSocket) and self._connection.pending():
            return True
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ)
            selector.register(wake, selectors.EVENT_READ)
            ready = selector.select(max(0.0, self._heard + _SILENCE_SECONDS - time.monotonic()))
        if not ready:
            raise self._lost(TimeoutError(), _SILENCE_SECONDS)
        return any(key.fileobj is self._connection for key, _ in ready)

    def receive(self) -> str | None:
        """Read what came: a text, or None after a ping, a part of a text, or anything else."""
        try:
            frame = self._socket.recv_frame()
            self._heard = time.monotonic()
            if frame.opcode == ABNF.OPCODE_CLOSE:
                code = int.from_bytes(frame.data[:2], "big") if len(frame.data) >= 2 else 1005
                raise Closed(code, frame.data[2:].decode("utf-8", "replace"))
            if frame.opcode == ABNF.OPCODE_PING:
                self._socket.pong(frame.data)
            elif frame.opcode in (ABNF.OPCODE_TEXT, ABNF.OPCODE_CONT):
                self._text += frame.data
                if frame.fin:
                    text, self._text = self._text, b""
                    return text.decode("utf-8", "replace")
            return None
        except (OSError, WebSocketException) as cause:
            raise self._lost(cause, _FRAME_SECONDS) from cause
        finally:
            self._socket.received = len(self._text)

    def send(self, frame: str) -> None:
        """Send a text frame."""
        try:
            self._socket.send(frame)
        except (OSError, WebSocketException) as cause:
            raise self._lost(cause, _FRAME_SECONDS) from cause

    def close(self) -> None:
        """Say goodbye where that is possible, and end it."""
        try:
            self._socket.send_close()
        except (OSError, WebSocketException):
            pass
        self._connection.close()

    def _lost(self, cause: Exception, waited: float) -> KithNetworkError:
        why = TimeoutError() if isinstance(cause, WebSocketTimeoutException) else cause
        return no_answer(self._origin, "the event channel", waited, why)

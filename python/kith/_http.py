"""One request, one answer. Refusals become `KithError`; everything without a complete answer `KithNetworkError`."""

from __future__ import annotations

import errno
import http.client
import ipaddress
import json
import math
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urlencode, urlsplit

from . import _time
from .errors import KithError, KithInputError, KithNetworkError, NoAnswer

_MAX_ANSWER_BYTES = 16 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024
#: A slower answer than this many bytes a second ends when its time is over.
_LEAST_RATE = 4096
#: No answer or event nests deeper. The SDK stores none that does, for Python writes and reads fewer than 1,000 levels.
_DEEPEST = 100
#: However much came before, nothing is waited for longer, unless the whole wait is.
_MOST_SILENT_SECONDS = 60.0

Query = Mapping[str, str | int | bool | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """A success of the service: its JSON object."""

    status: int
    #: It may hold a token, so it is not shown.
    body: dict[str, Any] = field(repr=False)
    request_id: str | None


@dataclass(frozen=True, slots=True)
class Form:
    """A body of bytes: their type, their exact number, and the same bytes for every attempt."""

    type: str
    length: int
    open: Callable[[], Iterator[bytes]]


class Stream:
    """A success whose body is bytes. Raises `KithNetworkError` where they break off, or none come for a time-out."""

    def __init__(
        self, response: http.client.HTTPResponse, end: Callable[[], object], broken: Callable[[Exception], Exception]
    ) -> None:
        self.status = response.status
        #: The headers, by names in lower case.
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self._response = response
        self._end = end
        self._broken = broken

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def __iter__(self) -> Iterator[bytes]:
        try:
            while piece := self._response.read1(_CHUNK_BYTES):
                yield piece
            if self._response.length:
                raise http.client.IncompleteRead(b"")
        except (OSError, http.client.HTTPException) as cause:
            raise self._broken(cause) from cause


def check_base_url(base_url: str) -> str:
    """The origin of a service: `https:`, or `http:` on loopback (docs/contract/representation.md#transport).

    Raises `KithInputError` for anything else, also credentials and paths: a token never travels in the clear.
    """
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if not host or parts.scheme not in ("http", "https") or re.search(r"[\s\\]", base_url):
        raise KithInputError("not a URL; the address of a service looks like https://kith.example")
    host, loopback = _canonical_host(host)
    if parts.scheme == "http" and not loopback:
        raise KithInputError("the base URL must be https, or http on loopback")
    usual = {"http": 80, "https": 443}[parts.scheme]
    origin = f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}")
    if "@" in parts.netloc or parts.path not in ("", "/") or "?" in base_url or "#" in base_url:
        raise KithInputError(f"the base URL must be an origin: {origin}, without credentials, path, query or fragment")
    return origin


def _canonical_host(host: str) -> tuple[str, bool]:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        try:
            name = host.lower() if host.isascii() else host.encode("idna").decode("ascii")
        except UnicodeError:
            raise KithInputError("not the name of a host") from None
        return name, name == "localhost"
    return (f"[{address}]" if address.version == 6 else str(address)), address.is_loopback


class Transport:
    """Requests to one origin. It never follows a redirect, for the token would travel along."""

    def __init__(self, base_url: str, timeout: float = 30.0) -> None:
        #: The service's origin.
        self.origin = check_base_url(base_url)
        #: The service's time.
        self.clock = _time.Clock()
        self._timeout = timeout
        # Certificates are checked against the machine's authorities, and names against certificates.
        self._tls = ssl.create_default_context() if self.origin.startswith("https:") else None

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: str | None = None,
        form: Form | None = None,
        token: str | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """Send, and read the whole answer within the time-out, which each 4 KiB that came lengthen by a second.

        No silence lasts longer than a minute, or the time-out if that is longer. `path` is below /api/v1; `body` is exact.
        """
        headers = {"Accept": "application/json"}
        if form is not None:
            headers |= {"Content-Type": form.type, "Content-Length": str(form.length)}
        elif body is not None:
            headers["Content-Type"] = "application/json"
        elif method != "GET":
            headers["Content-Length"] = "0"
        wait = timeout or self._timeout
        connection = self._connection()
        watch = Watch(wait)
        sent = _time.now()
        try:
            with watch:
                data = form.open() if form else body and body.encode()
                response = self._ask(connection, watch, method, f"{path}{_query(query)}", headers, token, data)
                # A proxy or a login in between may have any clock.
                if response.getheader("X-Request-Id") is not None:
                    self.clock.hear(response.getheader("Date"), sent)
                data = _read(response, watch)
                watch.check()
        except (OSError, http.client.HTTPException, _TooLong) as cause:
            raise self._lost(method, path, wait, watch, cause) from cause
        finally:
            connection.close()
        return _understand(self.origin, response, data)

    def stream(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
    ) -> Stream:
        """As `request`, for bytes of any number: the time-out is for the beginning, and then for each silence."""
        connection = self._connection()
        watch = Watch(self._timeout)
        try:
            with watch:
                named = {"Accept": "*/*", "Accept-Encoding": "identity", **(headers or {})}
                response = self._ask(connection, watch, method, f"{path}{_query(query)}", named, token)
                refusal = _read(response, watch) if response.status >= 300 else b""
                watch.check()
        except (OSError, http.client.HTTPException, _TooLong) as cause:
            connection.close()
            raise self._lost(method, path, self._timeout, watch, cause) from cause
        if response.status < 300 and response.getheader("X-Request-Id") is not None:
            return Stream(
                response, connection.close, lambda cause: self._lost(method, path, self._timeout, watch, cause)
            )
        connection.close()
        request_id = response.getheader("X-Request-Id")
        if method == "HEAD" and response.status == 404 and request_id is not None:
            raise KithError(404, "not_found", request_id=request_id)
        _understand(self.origin, response, refusal)
        raise AssertionError("a refusal is raised")

    def _ask(
        self,
        connection: http.client.HTTPConnection,
        watch: Watch,
        method: str,
        path: str,
        headers: Mapping[str, str],
        token: str | None,
        data: Any = None,
    ) -> http.client.HTTPResponse:
        connection.connect()
        watch.over(connection.sock)
        authorization = {} if token is None else {"Authorization": f"Bearer {token}"}
        try:
            connection.request(method, f"/api/v1{path}", data, {**headers, **authorization, "Connection": "close"})
        except (BrokenPipeError, ConnectionResetError):
            # A refusal may come before all of a form was sent, and end the connection: it is there to be read.
            pass
        return connection.getresponse()

    def _lost(
        self, method: str, path: str, waited: float, watch: Watch, cause: BaseException
    ) -> KithNetworkError:
        return no_answer(self.origin, f"{method} {path}", waited, TimeoutError() if watch.rang else cause)

    def connect(self, watch: Watch) -> socket.socket:
        """A connection to the origin, for the event channel. Raises `OSError`."""
        connection = self._connection()
        try:
            connection.connect()
            watch.over(connection.sock)
        except OSError:
            connection.close()
            raise
        return connection.sock

    def _connection(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.origin)
        if parts.scheme == "https":
            return http.client.HTTPSConnection(
                parts.hostname or "", parts.port, timeout=self._timeout, context=self._tls
            )
        return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=self._timeout)


class Watch:
    """Ends a connection at a moment, however slowly its bytes drip: the time-out of a socket begins again with each."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._timer = self._alarm(seconds)
        self._socket: socket.socket | None = None
        self._is_over = False
        #: The moment has come.
        self.rang = False

    def __enter__(self) -> Watch:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        self._timer.cancel()

    def _alarm(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self._ring)
        timer.daemon = True
        return timer

    def earn(self, size: int) -> None:
        """So many bytes came: a slow link is no silence, and a drip is no answer."""
        self.check()
        now = time.monotonic()
        self._deadline = min(self._deadline + size / _LEAST_RATE, now + max(self._seconds, _MOST_SILENT_SECONDS))

    def over(self, connection: socket.socket) -> None:
        """The connection to end."""
        self._socket = connection
        self.check()

    def check(self) -> None:
        """Raises `TimeoutError` if the moment has come: what was read before it may be cut."""
        if self.rang or time.monotonic() >= self._deadline:
            self.rang = True
            raise TimeoutError

    def _ring(self) -> None:
        if self._is_over:
            return
        left = self._deadline - time.monotonic()
        if left > 0:
            self._timer = self._alarm(left)
            self._timer.start()
            return
        self.rang = True
        if self._socket is not None:
            end(self._socket)


def end(connection: socket.socket) -> None:
    """Wakes whoever reads from or writes to a connection, in any thread."""
    try:
        # The method of TLS connections would go on without encryption.
        socket.socket.shutdown(connection, socket.SHUT_RDWR)
    except OSError:
        pass


class _TooLong(Exception):
    """More bytes than any answer of the service has."""


def _read(response: http.client.HTTPResponse, watch: Watch) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(_CHUNK_BYTES):
        watch.earn(len(piece))
        size += len(piece)
        if size > _MAX_ANSWER_BYTES:
            raise _TooLong(f"the response is larger than {_MAX_ANSWER_BYTES} bytes")
        pieces.append(piece)
    if response.length:
        raise http.client.IncompleteRead(b"")
    return b"".join(pieces)


def _query(query: Query | None) -> str:
    given = {key: _plain(value) for key, value in (query or {}).items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _plain(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _understand(origin: str, response: http.client.HTTPResponse, data: bytes) -> Answer:
    status = response.status
    request_id = response.getheader("X-Request-Id")
    if 300 <= status < 400:
        raise KithNetworkError(
            f"cannot reach {origin} (it redirects elsewhere): give the address that it redirects to", "redirect"
        )
    body = _parse(data)
    what = "a web page" if "html" in (response.getheader("Content-Type") or "").lower() else "something"
    if status < 300:
        # Another service may answer with JSON too: only an answer with an ID is of Kith.
        if not isinstance(body, dict) or request_id is None:
            raise KithNetworkError(
                f"{origin} answered {status} with {what} that is not from Kith: "
                "is the address right, or is there a proxy or a login in between?",
                "foreign",
            )
        return Answer(status, body, request_id)
    envelope: Any = body.get("error") if isinstance(body, dict) else None
    code: Any = envelope.get("code") if isinstance(envelope, dict) else None
    retry_after = seconds(response.getheader("Retry-After"))
    if request_id is None or not isinstance(envelope, dict) or not isinstance(code, str):
        look = (
            "a proxy answers, but the service behind it does not: is it running?"
            if status in (502, 503, 504)
            else "is the address right, or is there a proxy or a login in between?"
        )
        told = f"{origin} answered {status} with {what} that is not from Kith: {look}"
        raise KithError(status, "unexpected_answer", told, request_id=request_id, retry_after=retry_after)
    message, details = envelope.get("message"), envelope.get("details")
    raise KithError(
        status,
        code,
        message if isinstance(message, str) else None,
        details=details if isinstance(details, dict) else None,
        request_id=request_id,
        retry_after=retry_after,
    )


def is_foreign(error: KithError) -> bool:
    """Whether something in between refused: whether the service acted, or takes the token, is unknown."""
    return error.code == "unexpected_answer"


def seconds(header: str | None) -> int | None:
    """Whole seconds of a numeric `Retry-After`."""
    return int(header) if header and re.fullmatch(r"[0-9]{1,9}", header) else None


def parse_json(text: str) -> Any:
    """A JSON value; None where the text has none, or none that can be kept and read again."""
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return value if _is_shallow(value) else None


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            part
            for each in level
            if isinstance(each, (dict, list))
            for part in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return True
    return False


def _parse(data: bytes) -> Any:
    try:
        return parse_json(data.decode())
    except UnicodeDecodeError:
        return None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    """Beyond its range a float is an infinity, which no JSON has."""
    number = float(text)
    return number if math.isfinite(number) else _no_constant(text)


def no_answer(origin: str, request: str, waited: float, cause: BaseException) -> KithNetworkError:
    """Why no complete answer came, in words that say what to look at."""
    reason, what = _cause(cause)
    if reason == "timeout":
        return KithNetworkError(f"{origin} did not answer {request} within {waited:g} seconds", reason)
    if reason == "broken":
        return KithNetworkError(f"no complete response from {origin} to {request}: the connection was lost", reason)
    return KithNetworkError(f"cannot reach {origin} ({what})", reason)


def _cause(cause: BaseException) -> tuple[NoAnswer, str]:
    if isinstance(cause, ssl.SSLCertVerificationError):
        return "tls", f"its certificate is not accepted: {cause.verify_message}"
    if isinstance(cause, ssl.SSLError) and not isinstance(cause, (ssl.SSLEOFError, ssl.SSLZeroReturnError)):
        return "tls", "TLS failed: is it http?"
    if isinstance(cause, TimeoutError):
        return "timeout", ""
    if isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN:
        return "name", "the name of the host cannot be looked up: is there a network?"
    if isinstance(cause, socket.gaierror):
        return "name", "there is no such host: is the address right?"
    if isinstance(cause, ConnectionRefusedError):
        return "refused", "connection refused: is it running?"
    if isinstance(cause, OSError) and cause.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
        return "unreachable", "its network cannot be reached: is there a network?"
    return "broken", ""

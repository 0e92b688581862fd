"""Uploads that a crash or a lost answer makes no second of (docs/contract/attachments.md#replays).

The record of an upload lies in `uploads/<upload_id>`, as the SDK and the command keep it: each of the three goes on
with what another one began.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from ._folder import Folder
from ._http import Form, is_foreign
from ._ids import is_uuid
from ._retry import RetryPolicy, backoff, retrying
from ._time import iso, now, parse
from ._tokens import Session
from .errors import KithError, KithInputError, KithNetworkError

Purpose = Literal["order", "portfolio", "avatar", "character"]
#: Bytes in memory, or the path of a file, which is read as it is sent and never whole into memory.
Source = bytes | bytearray | memoryview | str | os.PathLike[str]

#: The service accepts a body for 300 s and answers within 20 s more; what takes longer is asked again, and joins.
_UPLOAD_SECONDS = 330.0
#: An unbound file lives for a day: an older upload is worthless.
_FORGET_AFTER = timedelta(days=2)
_MOST_WAIT_SECONDS = 600.0
_CHUNK_BYTES = 256 * 1024
_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Bytes:
    """What is uploaded: a length and a digest that are known before, and the same bytes at each sending."""

    size: int
    sha256: str
    #: What names these bytes again after a crash.
    key: str
    read: Callable[[], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class _Ask:
    purpose: Purpose
    upload_id: str | None
    name: str | None
    on_progress: Callable[[int, int], object] | None
    settle: Callable[[dict[str, Any]], object] | None


class Uploads:
    """The uploads of one identity."""

    def __init__(self, folder: Folder, session: Session, retry: RetryPolicy) -> None:
        self._folder = folder
        self._session = session
        self._retry = retry

    def upload(
        self,
        source: Source,
        purpose: Purpose,
        upload_id: str | None,
        name: str | None,
        on_progress: Callable[[int, int], object] | None,
        settle: Callable[[dict[str, Any]], object] | None,
    ) -> dict[str, Any]:
        """The card of the file, once the service has it."""
        if upload_id is not None and not is_uuid(upload_id):
            raise KithInputError("an upload ID must be a lower-case UUID")
        data = _bytes_of(source, purpose)
        ask = _Ask(purpose, upload_id, name, on_progress, settle)
        # Held until the end is known, so nobody is working on an open record that is found under it.
        lock = hashlib.sha256((upload_id or f"{purpose} {data.key}").encode()).hexdigest()[:2]
        with self._folder.lock(f"upload-{lock}", _MOST_WAIT_SECONDS):
            return self._settled(ask, data)

    def wait(self, card: Callable[[], dict[str, Any]], timeout: float) -> dict[str, Any]:
        """The card once its inspection has ended."""
        until = time.monotonic() + timeout
        slow = RetryPolicy(base=0.5, cap=15.0)
        tries = 0
        while (found := card())["status"] == "pending":
            pause = 0.5 + backoff(slow, tries)
            if time.monotonic() + pause > until:
                raise KithNetworkError(f"{found['id']} is still being inspected")
            time.sleep(pause)
            tries += 1
        return found

    def _settled(self, ask: _Ask, data: _Bytes) -> dict[str, Any]:
        found = self._find(ask, data)
        record = found or self._begin(ask, data)
        card = self._send(record, ask, data)
        if found and not found["own"] and card["status"] in ("purging", "purged"):
            # It had arrived, and nothing was done with it for a day: the bytes are gone, and the ID with them.
            self._forget(record)
            record = self._begin(ask, data)
            card = self._send(record, ask, data)
        if ask.settle:
            ask.settle(card)
        self._forget(record)
        return card

    def _find(self, ask: _Ask, data: _Bytes) -> dict[str, Any] | None:
        """The record of an earlier try; one of other content, or too old, is forgotten."""
        found = None
        for upload_id in self._folder.names("uploads"):
            record: dict[str, Any] | None = self._folder.read_json(f"uploads/{upload_id}")
            if record is None:
                continue
            meant = (record["sha256"], record["size"], record["purpose"])
            same = meant == (data.sha256, data.size, ask.purpose)
            begun = parse(record["created_at"])
            if upload_id == ask.upload_id:
                if not same:
                    raise KithInputError(
                        f"{upload_id} was already used for another file: every upload needs its own ID"
                    )
                found = record
            elif begun is None or now() - begun > _FORGET_AFTER:
                self._forget(record)
            elif ask.upload_id or record["own"] or (record["key"], record["purpose"]) != (data.key, ask.purpose):
                continue
            elif same:
                found = record
            else:
                self._forget(record)
        return found

    def _begin(self, ask: _Ask, data: _Bytes) -> dict[str, Any]:
        record = {
            "upload_id": ask.upload_id or str(uuid.uuid4()),
            "purpose": ask.purpose,
            "size": data.size,
            "sha256": data.sha256,
            "key": data.key,
            "own": ask.upload_id is not None,
            "created_at": iso(now()),
        }
        self._folder.write_json(f"uploads/{record['upload_id']}", record)
        return record

    def _forget(self, record: dict[str, Any]) -> None:
        self._folder.remove(f"uploads/{record['upload_id']}")

    def _send(self, record: dict[str, Any], ask: _Ask, data: _Bytes) -> dict[str, Any]:
        form = _form(record, data, ask)

        def attempt() -> dict[str, Any]:
            answer = self._session.request("POST", "/attachments", form=form, timeout=_UPLOAD_SECONDS)
            card: dict[str, Any] = answer.body["attachment"]
            return card

        try:
            card = retrying(self._retry, attempt)
        except (KithError, KithInputError) as error:
            if _is_final(error):
                self._forget(record)
            raise
        if card["sha256"] != record["sha256"]:
            raise KithNetworkError("the service reports other bytes than were sent")
        return card


def _is_final(error: KithError | KithInputError) -> bool:
    """Whether the service said no and keeps nothing of it: neither a passing trouble nor a token to be replaced."""
    if isinstance(error, KithInputError):
        return True
    if is_foreign(error) or error.status in (401, 408) or error.status >= 500:
        return False
    return error.status != 429 or (error.details or {}).get("retryable") is False


def _form(record: dict[str, Any], data: _Bytes, ask: _Ask) -> Form:
    """Purpose and ID before the file, so that a refusal comes first."""
    boundary = f"kith-{secrets.token_hex(16)}"

    def part(name: str, more: str = "") -> str:
        return f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n'

    # A name as forms quote it (WHATWG HTML, multipart/form-data encoding algorithm).
    named = re.sub(r'["\r\n]', lambda found: f"%{ord(found[0]):02X}", ask.name or "file")
    filename = f'; filename="{named}"'
    head = (
        f"{part('purpose')}\r\n{record['purpose']}\r\n{part('upload_id')}\r\n{record['upload_id']}\r\n"
        f"{part('file', filename)}Content-Type: application/octet-stream\r\n\r\n"
    ).encode(errors="replace")
    tail = f"\r\n--{boundary}--\r\n".encode()

    def pieces() -> Iterator[bytes]:
        yield head
        seen = hashlib.sha256()
        sent = 0
        for piece in data.read():
            seen.update(piece)
            yield piece
            sent += len(piece)
            if ask.on_progress:
                ask.on_progress(sent, data.size)
        # The end is what makes an upload of it: without it the service keeps nothing.
        if seen.hexdigest() != data.sha256:
            raise KithInputError(f"{data.key} changed while it was sent; try again")
        yield tail

    return Form(f"multipart/form-data; boundary={boundary}", len(head) + data.size + len(tail), pieces)


def _bytes_of(source: Source, purpose: Purpose) -> _Bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        whole = bytes(source)
        _check_size(len(whole), whole[:12], purpose)
        sha256 = hashlib.sha256(whole).hexdigest()
        return _Bytes(len(whole), sha256, sha256, lambda: _sliced(whole))
    path = os.path.abspath(os.fspath(source))
    with _opened(path) as (descriptor, size):
        _check_size(size, _head(path, descriptor), purpose)
        digest = hashlib.sha256()
        for piece in _read(path, descriptor, size):
            digest.update(piece)

    def read() -> Iterator[bytes]:
        with _opened(path) as (descriptor, _):
            yield from _read(path, descriptor, size)

    return _Bytes(size, digest.hexdigest(), path, read)


def _sliced(whole: bytes) -> Iterator[bytes]:
    return (whole[at : at + _CHUNK_BYTES] for at in range(0, len(whole), _CHUNK_BYTES))


@contextmanager
def _opened(path: str) -> Iterator[tuple[int, int]]:
    try:
        # A pipe that nobody writes to would hold this for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:
        raise KithInputError(f"there is no file {path}") from None
    except (OSError, ValueError):
        raise KithInputError(f"{path} cannot be read") from None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise KithInputError(f"{path} is not a file")
        yield descriptor, found.st_size
    finally:
        os.close(descriptor)


def _head(path: str, descriptor: int) -> bytes:
    """Enough of a file to tell what is converted from what is kept as it is."""
    try:
        return os.pread(descriptor, 12, 0)
    except OSError:
        raise KithInputError(f"{path} cannot be read") from None


def _read(path: str, descriptor: int, size: int) -> Iterator[bytes]:
    while size > 0:
        try:
            piece = os.read(descriptor, min(size, _CHUNK_BYTES))
        except OSError:
            raise KithInputError(f"{path} cannot be read") from None
        if not piece:
            return
        size -= len(piece)
        yield piece


def _check_size(size: int, head: bytes, purpose: Purpose) -> None:
    """Refuses what the service would refuse for its size (docs/contract/attachments.md#formats)."""
    # Images, PDF and the videos of a portfolio are opened by the service; all else is kept as it is.
    opened = head.startswith((b"\xff\xd8\xff", b"\x89PNG", b"%PDF"))
    film = purpose == "portfolio" and head[4:8] == b"ftyp"
    limit = 20 if purpose in ("avatar", "character") or opened or film else 250
    if size == 0:
        raise KithInputError("the file is empty")
    if size > limit * _MEBIBYTE:
        raise KithInputError(f"the file has {size} bytes; a file of purpose {purpose} may have at most {limit} MiB")

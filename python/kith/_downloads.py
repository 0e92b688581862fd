"""Bytes that were checked: in memory, or in a file that gets its name only when it is whole.

docs/contract/attachments.md#bytes
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._disk import sync, sync_folder, write_all
from ._folder import Folder
from ._http import Query, Stream
from ._retry import RetryPolicy, retrying
from ._tokens import Session
from .errors import KithInputError, KithNetworkError

#: Fewer bytes than this are no progress: a service that gives them a few at a time is not asked for ever.
_PROGRESS_BYTES = 64 * 1024
#: A download of another file may hold the lock, for hours on a slow link; one that gets nothing ends by itself.
_MOST_WAIT_SECONDS = 86_400.0
_LARGEST_FILE_BYTES = 250 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Facts:
    """What bytes have to be."""

    size: int
    sha256: str

    @staticmethod
    def of(card: dict[str, Any]) -> Facts:
        """Those of a card. Raises `KithNetworkError` for what cannot be one: it becomes part of a path."""
        size, sha256 = card.get("size"), card.get("sha256")
        is_size = isinstance(size, int) and 0 <= size <= _LARGEST_FILE_BYTES
        if not is_size or not isinstance(sha256, str) or not re.fullmatch(r"[0-9a-f]{64}", sha256):
            raise KithNetworkError("the service describes a file that cannot exist", "foreign")
        return Facts(size, sha256)


@dataclass(frozen=True, slots=True)
class Door:
    """Where bytes are."""

    path: str
    query: Query
    #: The ID of the file.
    file: str
    #: The facts of the card, asked for when the bytes are; without it those of the response hold.
    card: Callable[[], Facts] | None


class Downloads:
    """The downloads of one identity."""

    def __init__(self, folder: Folder, session: Session, retry: RetryPolicy) -> None:
        self._folder = folder
        self._session = session
        self._retry = retry

    def headers(self, path: str) -> dict[str, str]:
        """The headers of a response without its bytes."""

        def attempt() -> dict[str, str]:
            with self._session.stream("HEAD", path) as stream:
                return stream.headers

        return retrying(self._retry, attempt)

    def whole(self, door: Door) -> bytes:
        """All bytes, in memory."""
        card = door.card and door.card()

        def attempt() -> bytes:
            with self._session.stream("GET", door.path, query=door.query) as stream:
                facts = card or _facts(stream)
                pieces, size = [], 0
                for piece in stream:
                    pieces.append(piece)
                    if (size := size + len(piece)) > facts.size:
                        break
            data = b"".join(pieces)
            if hashlib.sha256(data).hexdigest() != facts.sha256:
                raise KithNetworkError("the bytes do not match their digest")
            return data

        return retrying(self._retry, attempt)

    def save(self, door: Door, path: str | os.PathLike[str], overwrite: bool) -> None:
        """The bytes go to a hidden file beside the path, which a later try goes on with after any interruption."""
        to = os.path.abspath(os.fspath(path))
        if not overwrite and os.path.lexists(to):
            raise KithInputError(f"{to} already exists")
        facts = door.card() if door.card else self._ask(door)
        # As the SDK names it, so each goes on with what the other began.
        part = os.path.join(os.path.dirname(to), f".{door.file}.{facts.sha256[:16]}.part")
        with self._folder.lock(f"download-{facts.sha256[:2]}", _MOST_WAIT_SECONDS):
            self._fetch(door, facts, part)
            _give_name(part, to, overwrite)

    def _ask(self, door: Door) -> Facts:
        def attempt() -> Facts:
            with self._session.stream("GET", door.path, query=door.query) as stream:
                return _facts(stream)

        return retrying(self._retry, attempt)

    def _fetch(self, door: Door, facts: Facts, part: str) -> None:
        """The whole of it into `part`, from where it broke off before; its digest is right when this returns."""
        try:
            # Nobody follows a link that another user of the folder put there.
            out = os.open(part, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
        except (FileNotFoundError, NotADirectoryError):
            raise KithInputError(f"there is no folder {os.path.dirname(part)}") from None
        except OSError:
            raise KithInputError(f"{os.path.dirname(part)} cannot be written") from None
        have = os.fstat(out).st_size

        def piece() -> None:
            nonlocal have
            if have > facts.size:
                os.ftruncate(out, have := 0)
            rest = {"Range": f"bytes={have}-", "If-Range": f'"{facts.sha256}"'} if have > 0 else {}
            with self._session.stream("GET", door.path, query=door.query, headers=rest) as stream:
                goes_on = stream.headers.get("content-range", "").startswith(f"bytes {have}-")
                if stream.status != 206 or not goes_on:
                    os.ftruncate(out, have := 0)
                if stream.status == 206 and not goes_on:
                    raise KithNetworkError("the response is not the part that was requested")
                for chunk in stream:
                    if have + len(chunk) > facts.size:
                        os.ftruncate(out, have := 0)
                        raise KithNetworkError("more bytes arrived than there are")
                    write_all(out, chunk)
                    have += len(chunk)
            if have < facts.size:
                raise KithNetworkError("the download was cut off")

        def attempt() -> None:
            before = have
            try:
                piece()
            except KithNetworkError:
                # What came so far counts as a beginning, not as a failure.
                if have - before < _PROGRESS_BYTES:
                    raise

        try:
            while have != facts.size:
                retrying(self._retry, attempt)
            sync(out)
            if _digest(out) == facts.sha256:
                return
            os.ftruncate(out, have := 0)
            raise KithNetworkError("the bytes did not match their digest and were discarded; try again")
        finally:
            os.close(out)
            if have == 0:
                os.unlink(part)


def _facts(stream: Stream) -> Facts:
    length, tag = stream.headers.get("content-length", ""), stream.headers.get("etag", "")
    if stream.status != 200 or not re.fullmatch(r"[0-9]{1,12}", length) or not re.fullmatch(r'"[0-9a-f]{64}"', tag):
        raise KithNetworkError("the response does not say which bytes it has", "foreign")
    if int(length) > _LARGEST_FILE_BYTES:
        raise KithNetworkError("the response is larger than any file")
    return Facts(int(length), tag[1:-1])


def _digest(descriptor: int) -> str:
    digest, at = hashlib.sha256(), 0
    while piece := os.pread(descriptor, 256 * 1024, at):
        digest.update(piece)
        at += len(piece)
    return digest.hexdigest()


def _give_name(part: str, to: str, overwrite: bool) -> None:
    if overwrite:
        os.replace(part, to)
    else:
        try:
            # Unlike rename, link refuses an existing name.
            os.link(part, to)
        except FileExistsError:
            raise KithInputError(f"{to} already exists") from None
        except OSError:
            # Not every file system has links; there the name is taken first.
            try:
                os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            except FileExistsError:
                raise KithInputError(f"{to} already exists") from None
            os.replace(part, to)
        else:
            os.unlink(part)
    sync_folder(os.path.dirname(to))

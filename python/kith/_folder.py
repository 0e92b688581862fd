"""An identity as a folder that only its owner can enter: passport.json, token, key, pins.json, journal/, inbox/.

The TypeScript SDK and the command keep the same folder in the same way, so all three may use it in turn.
"""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import AbstractContextManager
from typing import Any

from ._disk import FOLDER_MODE, create_file, make_folder, mark_of, remove_file, write_file
from ._locks import FolderLocks, Held
from .errors import KithIdentityError, KithInputError

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)?")
_SURROGATE = re.compile("[\ud800-\udfff]")
#: What people edit or copy by hand, and the texts without which it means nothing.
_REQUIRED = {
    "passport.json": ("base_url", "bot.id", "bot.handle"),
    "token": ("token", "token_expires_at"),
    "registration.json": ("base_url", "handle"),
}
_MENDINGS = {
    "passport.json": "restore it from a backup, or delete it and recover access",
    "token": "recover access",
}
_TEMPORARY = re.compile(r"\.(\d+)\.[0-9a-f]{12}\.tmp")


def to_json(value: object) -> str:
    """JSON as the SDK writes it, so that the same body has the same bytes. Raises `KithInputError` if it has none."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()
    except (TypeError, ValueError, RecursionError) as cause:
        raise KithInputError(f"this has no form in JSON: {cause}") from None
    return text


def stored_json(value: object, indent: int | None = None) -> str:
    """JSON of a record, as the SDK keeps it."""
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    # A lone surrogate of a hostile answer has no bytes: it is written as an escape.
    return json.dumps(value, indent=indent, separators=separators) if _SURROGATE.search(text) else text


class Folder:
    """Small named texts, kept durably: each write is synced to disk, with its folder, before it returns."""

    def __init__(self, path: str | os.PathLike[str], make: bool = True) -> None:
        #: Absolute path of the folder.
        self.path = os.path.abspath(os.path.expanduser(os.fspath(path)))
        if make:
            make_folder(self.path)
        elif not os.path.isdir(self.path):
            raise KithIdentityError(f"{self.path} does not exist: register, or recover access")
        _close_to_others(self.path)
        _sweep(self.path)
        self._locks = FolderLocks(os.path.join(self.path, "locks"))

    def read(self, name: str) -> str | None:
        """The text of a file, if there is one."""
        try:
            with open(self._at(name), encoding="utf-8", newline="") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, name: str, text: str) -> None:
        """Replace or make a file."""
        write_file(self._ready(name), text)

    def create(self, name: str, text: str) -> bool:
        """As `write`, where nothing has that name: False, and nothing changed, if something has."""
        return create_file(self._ready(name), text)

    def remove(self, name: str) -> None:
        """The file is gone afterwards, and that is no error if it was before."""
        remove_file(self._at(name))

    def names(self, folder: str) -> list[str]:
        """The files of a folder, without its name, in ascending order."""
        try:
            return sorted(file for file in os.listdir(self._at(folder)) if not file.startswith("."))
        except FileNotFoundError:
            return []

    def read_json(self, name: str) -> Any:
        """A record, parsed; None if there is none."""
        text = self.read(name)
        if text is None:
            return None
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict) or not all(_is_text(record, path) for path in _REQUIRED.get(name, ())):
            mending = _MENDINGS.get(name, "restore it from a backup")
            raise KithIdentityError(f"{name} in {self.path} is damaged: {mending}")
        return record

    def mark(self, name: str) -> tuple[int, ...] | None:
        """While this is the same, so is the text of the file, whichever process writes. None if that is not certain."""
        return mark_of(self._at(name))

    def write_json(self, name: str, value: object) -> None:
        """Keep a record."""
        self.write(name, f"{stored_json(value, 2)}\n")

    def lock(self, name: str, wait: float = 30.0) -> AbstractContextManager[None]:
        """Hold a name alone, across every process that uses this folder; the death of the holder ends it."""
        return self._locks.hold(name, wait)

    def take_lock(self, name: str, wait: float) -> Held:
        """As `lock`, until it is released."""
        return self._locks.acquire(name, wait)

    def _at(self, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise KithInputError(f"not a name for a file of an identity: {name}")
        return os.path.join(self.path, name)

    def _ready(self, name: str) -> str:
        path = self._at(name)
        make_folder(os.path.dirname(path))
        return path


def _is_text(record: object, path: str) -> bool:
    for key in path.split("."):
        record = record.get(key) if isinstance(record, dict) else None
    return isinstance(record, str)


def _close_to_others(root: str) -> None:
    if os.stat(root).st_mode & 0o077 == 0:
        return
    # An empty folder reveals nothing yet: it is simply closed. A full one may have been read already.
    if os.listdir(root):
        raise KithIdentityError(f"other users can enter {root}: check who could read it, then chmod 700 it")
    os.chmod(root, FOLDER_MODE)


def _sweep(root: str) -> None:
    """Remove what killed processes left half written; the names tell whose they were."""
    folders = [root] + [entry.path for entry in os.scandir(root) if entry.is_dir(follow_symlinks=False)]
    for folder in folders:
        for file in os.listdir(folder):
            found = _TEMPORARY.fullmatch(file)
            path = os.path.join(folder, file)
            if found and _is_stale(path, int(found[1])):
                try:
                    os.unlink(path)
                except FileNotFoundError:
                    pass


def _is_stale(path: str, pid: int) -> bool:
    """Old enough that even a process of another host would have renamed it, and not of a living one here."""
    try:
        age = time.time() - os.stat(path).st_mtime
        if age < 60:
            return False
        os.kill(pid, 0)
    except FileNotFoundError:
        return False
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return pid == os.getpid() and age > 600

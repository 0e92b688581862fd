"""Writes that are on the disk when they return, whole or not at all: temporary file, fsync, rename, fsync of folder."""

from __future__ import annotations

import fcntl
import os
import secrets
import time

#: Files hold secrets: for the owner alone.
FILE_MODE = 0o600
FOLDER_MODE = 0o700


def temporary_name(folder: str) -> str:
    """Names the process that writes, so that files of a dead one can be told and removed."""
    return os.path.join(folder, f".{os.getpid()}.{secrets.token_hex(6)}.tmp")


def sync(descriptor: int) -> None:
    """Returns once what was written is on the disk."""
    os.fsync(descriptor)
    # On macOS the drive may keep it in its memory still.
    if full := getattr(fcntl, "F_FULLFSYNC", None):
        fcntl.fcntl(descriptor, full)


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte: the system may take fewer at once."""
    while data:
        data = data[os.write(descriptor, data) :]


def write_file(path: str, text: str) -> None:
    """Replace or make a file."""
    folder = os.path.dirname(path)
    temporary = _write_temporary(folder, text)
    try:
        os.replace(temporary, path)
    except OSError:
        _remove(temporary)
        raise
    sync_folder(folder)


def create_file(path: str, text: str) -> bool:
    """Make a file where none is. False, and nothing changed, if there was one."""
    folder = os.path.dirname(path)
    temporary = _write_temporary(folder, text)
    try:
        # Unlike rename, link refuses an existing name: the file appears whole, or not at all.
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        _remove(temporary)
    sync_folder(folder)
    return True


def remove_file(path: str) -> None:
    """The file is gone afterwards, whether there was one or not."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    sync_folder(os.path.dirname(path))


def make_folder(path: str) -> None:
    """Make a folder, for the owner alone, with those above it."""
    missing = []
    while not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for each in reversed(missing):
        try:
            os.mkdir(each, FOLDER_MODE)
        except FileExistsError:
            if not os.path.isdir(each):
                raise
    if missing:
        sync_folder(path)


def sync_folder(path: str) -> None:
    """A rename or new name is only safe once the folder itself is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)


#: So long ago a file must have changed before its times tell the next change from it, on any file system.
_SETTLED_SECONDS = 3.0


def mark_of(path: str) -> tuple[int, ...] | None:
    """Identifies the content of a file: while the mark is the same, nobody has replaced it.

    None if there is no such file, or if it changed so recently that its successor could have the same mark.
    """
    try:
        # A network file system asks its server when a file is opened; the answer to `stat` alone may be old.
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        found = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if time.time() - found.st_ctime < _SETTLED_SECONDS:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _write_temporary(folder: str, text: str) -> str:
    path = temporary_name(folder)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    try:
        write_all(descriptor, text.encode())
        sync(descriptor)
    except OSError:
        _remove(path)
        raise
    finally:
        os.close(descriptor)
    return path


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass

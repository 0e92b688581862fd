"""Locks between processes that a kill cannot leave behind, shared with the TypeScript SDK and the command.

Node has no flock, so a lock is a row of numbered files `locks/<name>.<n>`: the highest number holds, and a new holder
only ever creates the next one. A file that might be in force is never removed to take its place.
"""

from __future__ import annotations

import json
import os
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TypedDict

from ._disk import FILE_MODE, make_folder, temporary_name, write_all
from .errors import KithBusyError

_BEAT_SECONDS = 5.0
#: A holder in another place (a container, another host) that shows no sign of life for this long is dead.
_SILENT_SECONDS = 20.0
_LOOK_AGAIN_SECONDS = 0.05


class _Holder(TypedDict):
    #: Where the process ID means something: host, boot and, on Linux, the namespace of process IDs.
    place: str
    pid: int
    #: Start of the process in clock ticks since boot; empty if the system does not tell.
    started: str


class FolderLocks:
    """Locks in a folder of their own, for processes and for the threads of one process alike."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._within: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    @contextmanager
    def hold(self, name: str, wait: float = 30.0) -> Iterator[None]:
        """Hold a name alone. Waits `wait` seconds for another holder, then raises `KithBusyError`. Not re-entrant."""
        release = self.acquire(name, wait)
        try:
            yield
        finally:
            release.release()

    def acquire(self, name: str, wait: float = 30.0) -> Held:
        """As `hold`, until `release` is called."""
        deadline = time.monotonic() + wait
        # One contender of a process at a time, so that the files only sort out processes.
        with self._guard:
            within = self._within.setdefault(name, threading.Lock())
        if not within.acquire(timeout=wait):
            raise _busy(name, "another part of this process")
        try:
            return Held(_acquire(self._folder, name, deadline), within)
        except BaseException:
            within.release()
            raise


class Held:
    """A lock that is held. Releasing it twice is harmless."""

    def __init__(self, path: str, within: threading.Lock) -> None:
        self._path = path
        self._within = within
        self._once = threading.Lock()

    def release(self) -> None:
        """Let others have it."""
        if not self._once.acquire(blocking=False):
            return
        try:
            _beat.forget(self._path)
            free = temporary_name(os.path.dirname(self._path))
            try:
                _write(free, {"free": True})
                os.replace(free, self._path)
            except OSError:
                # A full disk must not leave it held while this process lives: an empty file is free, and needs no room.
                # Others may have taken it over meanwhile, and removed its file since.
                with suppress(FileNotFoundError):
                    os.truncate(self._path, 0)
            finally:
                _unlink(free)
        finally:
            self._within.release()


def _busy(lock: str, holder: str) -> KithBusyError:
    is_receiver = lock == "receiver"
    return KithBusyError(
        f"{holder} already receives the events of this identity" if is_receiver else f"{lock} is in use by {holder}"
    )


def _acquire(folder: str, name: str, deadline: float) -> str:
    make_folder(folder)
    while True:
        found = _numbers(folder, name)
        top = found[-1] if found else 0
        holder: _Holder | None | bool = False if top == 0 else _read(_path(folder, name, top))
        # None: the file is gone, because a higher number took over. False: free.
        if holder is False or (isinstance(holder, dict) and not _holds(holder, _path(folder, name, top))):
            path = _take(folder, name, top + 1)
            if path is not None:
                return path
            continue
        if time.monotonic() >= deadline:
            who = f"process {holder['pid']}" if isinstance(holder, dict) else "another process"
            raise _busy(name, who)
        time.sleep(_LOOK_AGAIN_SECONDS * (0.5 + random.random()))


def _take(folder: str, name: str, number: int) -> str | None:
    """Create the next number; None if another process was quicker."""
    path = _path(folder, name, number)
    temporary = temporary_name(folder)
    try:
        _write(temporary, {"free": False, "holder": _current_holder()})
        os.link(temporary, path)
    except FileExistsError:
        return None
    finally:
        _unlink(temporary)
    every = _numbers(folder, name)
    if not every or every[-1] != number:
        # Seen late: higher numbers came and old ones went since the look. This one never was in force.
        _unlink(path)
        return None
    # The one below stays, so that no reader finds the row empty between two holders.
    for old in every:
        if old < number - 1:
            _unlink(_path(folder, name, old))
    _beat.keep(path)
    return path


def _path(folder: str, name: str, number: int) -> str:
    return os.path.join(folder, f"{name}.{number}")


def _numbers(folder: str, name: str) -> list[int]:
    ends = (file.rpartition(".") for file in os.listdir(folder))
    return sorted(int(n) for head, _, n in ends if head == name and n.isascii() and n.isdecimal() and int(n) > 0)


def _read(path: str) -> _Holder | None | bool:
    """The holder; False if the lock is free, None if the file is gone."""
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
    except FileNotFoundError:
        return None
    except ValueError:
        # Files appear whole; only a power cut can leave an empty one, and no holder outlives that.
        return False
    if record.get("free"):
        return False
    holder: _Holder = record["holder"]
    return holder


def _write(path: str, record: object) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    try:
        write_all(descriptor, json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode())
    finally:
        os.close(descriptor)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def _holds(holder: _Holder, path: str) -> bool:
    if holder["place"] == _place():
        return _is_alive(holder)
    try:
        return time.time() - os.stat(path).st_mtime < _SILENT_SECONDS
    except FileNotFoundError:
        return False


def _is_alive(holder: _Holder) -> bool:
    try:
        os.kill(holder["pid"], 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # It lives, under another user.
    started = _started(holder["pid"])
    # A process ID alone may have been given to another process since.
    return started is None or holder["started"] in ("", started)


def _current_holder() -> _Holder:
    # Never kept: a fork is another process.
    return {"place": _place(), "pid": os.getpid(), "started": _started(os.getpid()) or ""}


def _place() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
    except OSError:
        boot = ""
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = ""
    return "|".join([socket.gethostname(), boot, namespace])


def _started(pid: int) -> str | None:
    """Field 22 of /proc/<pid>/stat; the command's name before it may hold blanks and parentheses. A zombie is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    fields = text[text.rindex(")") + 2 :].split(" ")
    return "gone" if fields[0] == "Z" else fields[19]


class _Beat:
    """Touches the files of held locks, so that a process in another place sees a living holder."""

    def __init__(self) -> None:
        self._paths: set[str] = set()
        self._pid = 0

    def keep(self, path: str) -> None:
        self._paths.add(path)
        # A thread does not survive a fork.
        if self._pid != os.getpid():
            self._pid = os.getpid()
            self._paths = {path}
            threading.Thread(target=self._run, name="kith-locks", daemon=True).start()

    def forget(self, path: str) -> None:
        self._paths.discard(path)

    def _run(self) -> None:
        while True:
            time.sleep(_BEAT_SECONDS)
            for path in list(self._paths):
                try:
                    os.utime(path)
                except OSError:
                    pass


_beat = _Beat()

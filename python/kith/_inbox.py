"""The durable inbox: one append-only file of lines, rewritten when most of it is past. The SDK keeps the same file.

Order of truth: a line counts once it is synced; what was not is not acknowledged and comes again.
"""

from __future__ import annotations

import json
import os
import threading
from typing import Any

from ._disk import FILE_MODE, make_folder, sync, sync_folder, write_all, write_file
from ._folder import stored_json
from .errors import KithIdentityError

Event = dict[str, Any]

#: Finished IDs that are still remembered, in case a restored service sends an old event again.
_REMEMBER_PAST = 1_024
#: The file is rewritten when it has this many lines more than what is still worth keeping.
_SLACK_LINES = 4_096


class Inbox:
    """The stored events of one identity. Only one process may have it open: hold the lock `receiver`."""

    def __init__(self, folder: str) -> None:
        make_folder(folder)
        self._path = os.path.join(folder, "events.ndjson")
        self._guard = threading.Lock()
        #: By ID: the event, None once it is done, and whether its acknowledgement was confirmed.
        self._current: dict[str, tuple[Event | None, bool]] = {}
        #: Finished IDs, oldest first.
        self._past: dict[str, None] = {}
        self._lines = 0
        self._broken: Exception | None = None
        self._replay()
        self._file = self._open()
        sync_folder(folder)

    def add(self, event: Event) -> bool:
        """Store an event; durable when it returns. False: it was stored before, and is not to be handed over again."""
        with self._guard:
            self._check()
            event_id = event["event_id"]
            if event_id in self._current or event_id in self._past:
                return False
            self._append({"event": event})
            return True

    def acked(self, event_id: str) -> None:
        """The service confirmed the acknowledgement: it will not send this event again."""
        with self._guard:
            # Losing this line only keeps the ID longer, so nobody waits for the disk.
            if event_id in self._current and self._broken is None:
                self._append({"acked": event_id}, durably=False)

    def done(self, event_id: str) -> None:
        """The program is through with an event; durable when it returns. Unknown IDs are ignored."""
        with self._guard:
            self._check()
            if self._current.get(event_id, (None, False))[0] is not None:
                self._append({"done": event_id})
                self._rewrite_if_long()

    def pending(self) -> list[Event]:
        """Stored events that are not done, oldest first."""
        with self._guard:
            return [event for event, _ in self._current.values() if event is not None]

    def close(self) -> None:
        """Let another receiver open it."""
        with self._guard:
            if not isinstance(self._broken, _Closed):
                os.close(self._file)
            self._broken = _Closed("the inbox is closed")

    def _check(self) -> None:
        if self._broken is not None:
            raise self._broken

    def _append(self, line: dict[str, Any], durably: bool = True) -> None:
        try:
            write_all(self._file, _bytes(line))
            if durably:
                sync(self._file)
        except OSError as error:
            # Half a line may stand at the end now; only the next opening cuts it off, so nothing may follow it.
            os.close(self._file)
            self._broken = _Closed(f"the inbox cannot be written: {error.strerror}")
            raise
        self._lines += 1
        self._apply(line)

    def _apply(self, line: dict[str, Any]) -> None:
        if "event" in line:
            self._current[line["event"]["event_id"]] = (line["event"], False)
        elif "past" in line:
            self._retire(line["past"])
        else:
            event_id = line.get("acked") or line.get("done") or ""
            if event_id not in self._current:
                return
            event, acked = self._current[event_id]
            event, acked = (event, True) if "acked" in line else (None, acked)
            self._current[event_id] = (event, acked)
            if acked and event is None:
                self._retire(event_id)

    def _retire(self, event_id: str) -> None:
        self._current.pop(event_id, None)
        self._past[event_id] = None
        if len(self._past) > _REMEMBER_PAST:
            del self._past[next(iter(self._past))]

    def _rewrite_if_long(self) -> None:
        if self._lines <= len(self._past) + 2 * len(self._current) + _SLACK_LINES:
            return
        lines: list[dict[str, Any]] = [{"past": event_id} for event_id in self._past]
        for event_id, (event, acked) in self._current.items():
            # A done event whose acknowledgement is unconfirmed keeps only its ID.
            lines.append({"event": event or {"event_id": event_id}})
            if acked:
                lines.append({"acked": event_id})
            if event is None:
                lines.append({"done": event_id})
        write_file(self._path, b"".join(map(_bytes, lines)).decode())
        os.close(self._file)
        self._file = self._open()
        self._lines = len(lines)

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, FILE_MODE)

    def _replay(self) -> None:
        """Read the file back, and cut off what a crash left half written at its end."""
        try:
            with open(self._path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return
        good = 0
        while (end := data.find(b"\n", good)) >= 0:
            line = _parse(data[good:end])
            # What follows the first bad line was written after the last sync: never acknowledged, it comes again.
            if line is None:
                break
            self._apply(line)
            self._lines += 1
            good = end + 1
        if good < len(data):
            descriptor = os.open(self._path, os.O_WRONLY)
            try:
                os.ftruncate(descriptor, good)
                sync(descriptor)
            finally:
                os.close(descriptor)


class _Closed(KithIdentityError):
    """Nothing more can be stored."""


def _bytes(line: dict[str, Any]) -> bytes:
    return f"{stored_json(line)}\n".encode()


def _parse(data: bytes) -> dict[str, Any] | None:
    try:
        line = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None

"""Write-ahead of every mutation: its exact bytes are on disk before they are sent, until the outcome is handed over.

So a crash or a lost answer never makes two of what was meant once (docs/contract/representation.md#idempotency).
"""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from ._folder import Folder, to_json
from ._http import Answer, is_foreign
from ._ids import is_uuid
from ._retry import RetryPolicy, retrying
from ._time import iso, now
from ._tokens import Session
from .errors import KithError, KithInputError, KithNetworkError

#: Kept answers beyond this many are thinned to half, oldest first.
_MOST_ANSWERS = 2_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A mutation as it lies in `journal/<id>`."""

    id: str
    method: str
    path: str
    #: The exact bytes, as text; None for a request without a body. It may hold private words, so it is not shown.
    body: str | None = field(repr=False)
    created_at: str
    #: The answer stays readable under the ID after the end, because the caller may ask with the same ID again.
    keep: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a mutation that an earlier run left open ended now."""

    entry: Entry
    #: What the service answered.
    answer: dict[str, Any] | None = field(default=None, repr=False)
    #: Set instead of the answer when the service refused it for good.
    refusal: KithError | None = None


@dataclass(frozen=True, slots=True)
class Mutation:
    """What is to be sent."""

    method: str
    path: str
    #: Builds the exact bytes for an ID; not called when an earlier run saved some under it.
    body: Callable[[str], str | None]
    #: The caller's own ID: asking again with it sends the saved bytes, or gives the saved answer.
    id: str | None = None
    #: Whether what is saved under the same ID means what is asked for now.
    same: Callable[[Entry], bool] | None = None


class Journal:
    """The mutations of one identity."""

    def __init__(self, folder: Folder, session: Session, retry: RetryPolicy) -> None:
        self._folder = folder
        self._session = session
        self._retry = retry
        self._guard = threading.Lock()
        #: Entries that a call of this process is busy with, so that `resume` leaves them alone.
        self._busy: dict[str, int] = {}

    def mutate(self, mutation: Mutation, settle: Callable[[Answer], object] | None = None) -> Answer:
        """Save, send (retrying the same bytes), hand over; the entry goes once `settle` has returned.

        Raises `KithError` for a refusal, `KithNetworkError` when the outcome stayed unknown. Where `error.operation_id`
        is set the entry is still saved; `resume` sends it again.
        """
        if mutation.id is not None and not is_uuid(mutation.id):
            raise KithInputError("an operation ID must be a lower-case UUID")
        answer = self._answered(mutation)
        if answer is not None:
            if settle:
                settle(answer)
            return answer
        entry, fresh = self._begin(mutation)
        with self._busily(entry.id):
            if _is_switch(entry.method, entry.path):
                self._supersede(entry)
            try:
                answer = self._transmit(entry, doubtful=not fresh)
            except KithError as error:
                if error.operation_id is None:
                    self._folder.remove(f"journal/{entry.id}")
                raise
            if settle:
                settle(answer)
            self._finish(entry, answer)
            return answer

    def pending(self) -> list[Entry]:
        """What earlier runs, or calls with an unknown outcome, left open; oldest first."""
        entries = []
        for name in self._folder.names("journal"):
            with self._guard:
                busy = name in self._busy
            stored = None if busy else self._folder.read_json(f"journal/{name}")
            if stored is not None:
                entries.append(_entry(stored))
        return sorted(entries, key=lambda entry: entry.created_at)

    def resume(self, settle: Callable[[Outcome], object] | None = None) -> list[Outcome]:
        """Send every open entry again.

        `settle` returns before an entry is removed, so an outcome is told at least once. Stops with the
        error of the first entry whose outcome stays unknown.
        """
        outcomes = []
        for entry in self.pending():
            with self._busily(entry.id):
                outcome = self._settle(entry, settle)
            if outcome is not None:
                outcomes.append(outcome)
        return outcomes

    def abandon(self, operation_id: str) -> None:
        """Give up an entry: it is not sent again. It may have taken effect already."""
        self._folder.remove(f"journal/{operation_id}")

    def _transmit(self, entry: Entry, doubtful: bool) -> Answer:
        """Send until the outcome is known. `doubtful`: an earlier sending may have arrived."""
        arrived = doubtful

        def attempt() -> Answer:
            nonlocal arrived
            try:
                return self._session.request(entry.method, entry.path, body=entry.body)
            except KithError as error:
                arrived = arrived or is_foreign(error) or error.status >= 500 or error.status == 408
                raise
            except KithNetworkError:
                arrived = True
                raise

        try:
            return retrying(self._retry, attempt)
        except KithError as error:
            # What an earlier sending deleted is not there to be deleted again.
            gone = error.status == 404 and not is_foreign(error)
            if arrived and gone and entry.method == "DELETE" and not _is_switch("DELETE", entry.path):
                return Answer(200, {"deleted": True}, error.request_id)
            if not _is_final(error, arrived):
                error.operation_id = entry.id
            raise
        except KithNetworkError as error:
            error.operation_id = entry.id
            raise

    def _finish(self, entry: Entry, answer: Answer) -> None:
        """Hand over, then forget: a crash in between tells the outcome again, which is better than never."""
        if entry.keep:
            record: dict[str, Any] = {"status": answer.status, "body": answer.body}
            if answer.request_id is not None:
                record["requestId"] = answer.request_id
            self._folder.write_json(f"answers/{entry.id}", {"entry": asdict(entry), "answer": record})
        self._folder.remove(f"journal/{entry.id}")
        if entry.keep:
            self._thin()

    def _thin(self) -> None:
        names = self._folder.names("answers")
        if len(names) <= _MOST_ANSWERS:
            return
        aged = []
        for name in names:
            kept = self._folder.read_json(f"answers/{name}")
            aged.append((kept["entry"]["created_at"] if kept else "", name))
        for _, name in sorted(aged)[: len(names) - _MOST_ANSWERS // 2]:
            self._folder.remove(f"answers/{name}")

    def _begin(self, mutation: Mutation) -> tuple[Entry, bool]:
        operation_id = mutation.id or str(uuid.uuid4())
        while True:
            saved = self._folder.read_json(f"journal/{operation_id}") if mutation.id else None
            if saved is not None:
                return _check_same(_entry(saved), mutation), False
            body = mutation.body(operation_id)
            created_at = iso(now())
            entry = Entry(operation_id, mutation.method, mutation.path, body, created_at, mutation.id is not None)
            if self._folder.create(f"journal/{operation_id}", f"{to_json(asdict(entry))}\n"):
                return entry, True
            # Another sender of the same ID was quicker: its bytes are the ones that count.

    def _answered(self, mutation: Mutation) -> Answer | None:
        kept = self._folder.read_json(f"answers/{mutation.id}") if mutation.id else None
        if kept is None:
            return None
        _check_same(_entry(kept["entry"]), mutation)
        answer = kept["answer"]
        return Answer(answer["status"], answer["body"], answer.get("requestId"))

    def _supersede(self, entry: Entry) -> None:
        """Let go of what an earlier word left open: sent later, it would undo this one."""
        for other in self.pending():
            if other.path == entry.path and _is_switch(other.method, other.path):
                self._folder.remove(f"journal/{other.id}")

    def _settle(self, entry: Entry, settle: Callable[[Outcome], object] | None) -> Outcome | None:
        """One open entry to its end; None if it was ended, given up or taken the place of meanwhile."""
        if self._folder.read(f"journal/{entry.id}") is None:
            return None
        answer: Answer | None = None
        try:
            answer = self._transmit(entry, doubtful=True)
            outcome = Outcome(entry, answer=answer.body)
        except KithError as error:
            if not _is_final(error, True):
                raise
            outcome = Outcome(entry, refusal=error)
        if settle:
            settle(outcome)
        if answer is not None:
            self._finish(entry, answer)
        else:
            self._folder.remove(f"journal/{entry.id}")
        return outcome

    @contextmanager
    def _busily(self, operation_id: str) -> Iterator[None]:
        with self._guard:
            self._busy[operation_id] = self._busy.get(operation_id, 0) + 1
        try:
            yield
        finally:
            with self._guard:
                self._busy[operation_id] -= 1
                if self._busy[operation_id] == 0:
                    del self._busy[operation_id]


def _entry(stored: dict[str, Any]) -> Entry:
    return Entry(**{name: stored[name] for name in Entry.__slots__})


def _check_same(saved: Entry, mutation: Mutation) -> Entry:
    if mutation.same is not None:
        same = mutation.same(saved)
    else:
        asked = (mutation.method, mutation.path, mutation.body(saved.id))
        same = (saved.method, saved.path, saved.body) == asked
    if not same:
        raise KithInputError(
            f"{saved.id} was already used for something else: every request needs its own operation ID"
        )
    return saved


def _is_switch(method: str, path: str) -> bool:
    """What is set by PUT and unset by DELETE on the same path, and is no thing of its own."""
    return method == "PUT" or (method == "DELETE" and re.search(r"/(vote|subscription)\Z", path) is not None)


def _is_final(error: KithError, may_have_arrived: bool) -> bool:
    """Whether a refusal ends the matter.

    401 and 429 come before the service looks for a replay, so they say nothing of an earlier sending that may have
    arrived; a 5xx says nothing at all, unless the service is not set up yet, and neither does what is not of the
    service.
    """
    if error.code == "verification_setup_pending":
        return True
    if is_foreign(error):
        return False
    if error.status in (401, 429):
        return not may_have_arrived
    return error.status != 408 and error.status < 500

"""Moments as the contract writes them: ISO 8601 in UTC, with milliseconds."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime


def now() -> datetime:
    """This moment."""
    return datetime.now(timezone.utc)


def iso(moment: datetime) -> str:
    """As the service and the SDK write it."""
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse(text: object) -> datetime | None:
    """A moment with its zone; None for anything else."""
    try:
        moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


class Clock:
    """The service's time, as its responses tell it: it judges deadlines by its own clock, and this machine's may be off."""

    def __init__(self) -> None:
        self._offset: timedelta | None = None

    @property
    def known(self) -> bool:
        """Whether a response has told it."""
        return self._offset is not None

    def now(self) -> datetime:
        """The service's time; that of this machine until a response has told it."""
        return now() + (self._offset or timedelta(0))

    def hear(self, date: str | None, sent: datetime) -> None:
        """The Date header of a response to a request that was sent at `sent`, by the clock of this machine."""
        try:
            told = parsedate_to_datetime(date or "")
        except ValueError:
            return
        if told.tzinfo is None:
            return
        # It counts whole seconds and was written on the way: the least difference that explains it.
        latest = min(timedelta(0), told + timedelta(seconds=1) - sent)
        self._offset = max(told - now(), latest)

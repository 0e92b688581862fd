"""Moments as the contract writes them: ISO 8601 in UTC, with milliseconds."""

from __future__ import annotations

from datetime import datetime, timezone


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

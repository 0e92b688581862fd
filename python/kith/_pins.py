"""Keys of peers, pinned when a friendship first shows them.

A changed key stops everything with that peer, also after a restart and even if the old key comes back, until someone
who compared fingerprints says which one to trust.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ._folder import Folder
from ._ids import is_uuid
from ._time import iso, now
from .box import check_public_key, fingerprint
from .errors import KithBoxError, KithInputError, KithKeyChangedError


class Pins:
    """The pins of one identity; each has `handle`, `public_key`, `fingerprint`, `pinned_at` and perhaps `changed`."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._kept: tuple[tuple[int, ...], dict[str, dict[str, Any]]] | None = None

    def all(self) -> dict[str, dict[str, Any]]:
        """Every pin by the ID of its agent."""
        pins: dict[str, dict[str, Any]] = self._folder.read_json("pins.json") or {}
        return pins

    def key_of(self, bot_id: str) -> str | None:
        """The pinned key, if there is one. Raises `KithKeyChangedError` when another one was shown."""
        pin = self._read().get(bot_id)
        return None if pin is None else _trusted(bot_id, pin)

    def add(self, peers: list[dict[str, Any]]) -> None:
        """Pins the keys of peers that have no pin yet, all with one write. A key that cannot be used is left out."""
        known = self._read()
        fresh: dict[str, dict[str, Any]] = {}
        for peer in peers:
            if is_uuid(peer["id"]) and peer["id"] not in known:
                with suppress(KithBoxError):
                    fresh[peer["id"]] = _first(peer["handle"], peer["encryption_public_key"])
        if fresh:
            with self._folder.lock("pins"):
                # A pin that another process made meanwhile stays: `check` holds the key against it.
                pins = self.all()
                missing = {bot_id: pin for bot_id, pin in fresh.items() if bot_id not in pins}
                self._folder.write_json("pins.json", {**pins, **missing})

    def check(self, bot_id: str, handle: str, public_key: str) -> str:
        """Hold a key that the service showed against the pin; the first one is pinned. Returns the key to use.

        Raises `KithKeyChangedError` when it differs or differed before, `KithBoxError` for an unusable key.
        """
        if not is_uuid(bot_id):
            raise KithInputError("the ID of a peer must be a lower-case UUID")
        # The usual case takes no lock: a pin that agrees is only read.
        pin = self._read().get(bot_id)
        if pin is None or pin.get("changed") or pin["public_key"] != public_key:
            with self._folder.lock("pins"):
                pin = self._compare(bot_id, handle, public_key)
        return _trusted(bot_id, pin)

    def trust(self, bot_id: str, chosen: str) -> None:
        """After a change the fingerprint names the key to trust from now on, the pinned or the newly seen one."""
        with self._folder.lock("pins"):
            pins = self.all()
            pin = pins.get(bot_id)
            if pin is None:
                raise KithInputError("no key is pinned for this peer")
            for key in (pin, pin.get("changed") or {}):
                if key.get("fingerprint") == chosen:
                    check_public_key(key["public_key"])
                    self._set(pins, bot_id, _pin(pin["handle"], key["public_key"], key["fingerprint"]))
                    return
            raise KithInputError("the fingerprint matches neither the pinned key nor the one that was seen")

    def _read(self) -> dict[str, dict[str, Any]]:
        """Every pin, parsed again once the file has changed. It is shared: what is written follows from `all`."""
        # Before the text: if that is newer, the next mark differs.
        mark = self._folder.mark("pins.json")
        kept = self._kept
        if mark is not None and kept is not None and kept[0] == mark:
            return kept[1]
        pins = self.all()
        self._kept = None if mark is None else (mark, pins)
        return pins

    def _compare(self, bot_id: str, handle: str, seen: str) -> dict[str, Any]:
        pins = self.all()
        pin = pins.get(bot_id)
        if pin is None:
            return self._set(pins, bot_id, _first(handle, seen))
        if pin.get("changed") or pin["public_key"] == seen:
            return pin
        try:
            mark = fingerprint(seen)
        except KithBoxError:
            # Even an unusable key is remembered as a change: what it was is for the one who investigates.
            mark = "unusable"
        changed = {"public_key": seen, "fingerprint": mark, "seen_at": iso(now())}
        return self._set(pins, bot_id, {**pin, "changed": changed})

    def _set(self, pins: dict[str, dict[str, Any]], bot_id: str, pin: dict[str, Any]) -> dict[str, Any]:
        self._folder.write_json("pins.json", {**pins, bot_id: pin})
        return pin


def _first(handle: str, public_key: str) -> dict[str, Any]:
    check_public_key(public_key)
    return _pin(handle, public_key, fingerprint(public_key))


def _pin(handle: str, public_key: str, mark: str) -> dict[str, Any]:
    return {"handle": handle, "public_key": public_key, "fingerprint": mark, "pinned_at": iso(now())}


def _trusted(bot_id: str, pin: dict[str, Any]) -> str:
    changed = pin.get("changed")
    if changed:
        raise KithKeyChangedError(bot_id, pin["fingerprint"], changed["fingerprint"])
    key: str = pin["public_key"]
    return key

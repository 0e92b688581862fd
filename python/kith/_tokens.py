"""The token in force: loaded, rotated in time, settled after a crash.

Rotation kills the old token at once, and its answer cannot be had again, so the intent is on disk before the request
leaves (docs/contract/identity.md#rotating-and-revoking).
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from ._folder import Folder
from ._http import Answer, Form, Query, Stream, Transport, is_foreign
from ._retry import RetryPolicy, backoff, is_passing, retrying
from ._time import iso, now, parse
from .errors import KithError, KithIdentityError, KithNetworkError, KithTokenLostError

T = TypeVar("T")

#: A token with less than this left is rotated before its next use.
_ROTATE_WITHIN = timedelta(days=7)
#: A token this young is not rotated: if it looks old, the clock of this machine is wrong.
_YOUNG = timedelta(days=1)
#: After a rotation that the service put off, the old token serves on for this long before the next try.
_POSTPONE_SECONDS = 3600.0
#: How often a rotation whose answer was lost, while the old token lived on, is tried again.
_MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class Grant:
    """A token, its end, and when it came by the clock of this machine; the token is not shown."""

    token: str = field(repr=False)
    expires_at: datetime
    received_at: datetime | None


class Tokens:
    """The tokens of one identity."""

    def __init__(self, folder: Folder, transport: Transport, retry: RetryPolicy, handle: str | None) -> None:
        self._folder = folder
        self._transport = transport
        self._retry = retry
        self._handle = handle
        self._held: Grant | None = None
        self._not_before = 0.0

    def current(self) -> Grant:
        """The token to use now; rotates it first when fewer than 7 days are left."""
        grant = self._held or self.reload()
        if not _due(grant) or time.monotonic() < self._not_before:
            return grant
        try:
            return self._rotate(always=False)
        except KithTokenLostError:
            raise
        except KithError:
            if grant.expires_at <= now():
                raise
            self._not_before = time.monotonic() + _POSTPONE_SECONDS
            return grant

    def reload(self) -> Grant:
        """What the folder holds once nobody is rotating: another process may have been quicker than this memory."""
        with self._folder.lock("token"):
            self._held = self._settled()
            return self._held

    def rotate(self) -> None:
        """Exchange the token for a new one, valid about 30 days; it is on disk when this returns.

        Raises `KithTokenLostError` when the answer was lost and the old token is dead, `KithNetworkError` when that
        cannot be told yet: the next use settles it.
        """
        self._rotate(always=True)

    def revoke(self) -> None:
        """Revoke the token and forget it. The passport and the key stay."""
        with self._folder.lock("token"):
            self._folder.write_json("revocation.json", {"started_at": iso(now())})
            self._finish_revocation()

    def _rotate(self, always: bool) -> Grant:
        with self._folder.lock("token"):
            grant = self._settled()
            self._held = self._exchange(grant) if always or _due(grant) else grant
            return self._held

    def _settled(self) -> Grant:
        """The stored grant after finishing what a killed process began. Only under the lock."""
        if self._folder.read("revocation.json") is not None:
            self._finish_revocation()
        grant = _read_grant(self._folder)
        intent = self._folder.read_json("rotation.json")
        if intent is None:
            return grant
        if intent["from"] == _digest(grant.token):
            self._probe(grant)
        self._folder.remove("rotation.json")
        return grant

    def _probe(self, grant: Grant) -> None:
        """Returns if the service still takes the token; raises `KithTokenLostError` if not."""
        try:
            retrying(self._retry, lambda: self._transport.request("GET", "/bots/me", token=grant.token))
        except KithError as error:
            if is_refused(error):
                raise KithTokenLostError("rotation", self._handle, error) from error
            # 403 is said only to a token that is good; 429 may have been said before anyone looked at it.
            if is_foreign(error) or is_passing(error):
                raise

    def _exchange(self, grant: Grant) -> Grant:
        tries = 1
        while True:
            self._folder.write_json("rotation.json", {"from": _digest(grant.token), "started_at": iso(now())})
            try:
                answer = self._transport.request("POST", "/tokens/rotate", token=grant.token)
            except (KithError, KithNetworkError) as error:
                # The service said no and did nothing: not a time-out, not a 5xx, not something in between.
                refused = isinstance(error, KithError) and not is_foreign(error)
                if isinstance(error, KithError) and refused and error.status < 500 and error.status != 408:
                    if error.status == 401 and tries > 1:
                        raise KithTokenLostError("rotation", self._handle, error) from error
                    self._folder.remove("rotation.json")
                    if error.status == 401:
                        raise KithTokenLostError("refused", self._handle, error) from error
                    raise
                self._probe(grant)
                # The old token lives: the request did not arrive, or has not yet. Waiting lets a straggler show itself.
                if tries == _MOST_TRIES:
                    raise
                time.sleep(backoff(self._retry, tries))
                tries += 1
                continue
            return save_grant(self._folder, answer.body)

    def _finish_revocation(self) -> None:
        stored = self._folder.read_json("token")
        if stored is not None:
            token = stored["token"]
            try:
                retrying(self._retry, lambda: self._transport.request("POST", "/tokens/revoke", token=token))
            except KithError as error:
                # A token that is refused is as good as revoked.
                if not is_refused(error):
                    raise
        for name in ("token", "rotation.json", "revocation.json"):
            self._folder.remove(name)
        self._held = None


class Session:
    """Requests in the agent's name: the token in force, and a second look when another process has rotated it."""

    def __init__(self, transport: Transport, tokens: Tokens, handle: str | None) -> None:
        self._transport = transport
        self._tokens = tokens
        self._handle = handle

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: str | None = None,
        form: Form | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """As the transport's. Raises `KithTokenLostError` when the service refuses the stored token."""
        request = self._transport.request
        return self._named(
            lambda token: request(method, path, query=query, body=body, form=form, token=token, timeout=timeout)
        )

    def stream(
        self, method: str, path: str, *, query: Query | None = None, headers: Mapping[str, str] | None = None
    ) -> Stream:
        """As `request`, for bytes."""
        return self._named(
            lambda token: self._transport.stream(method, path, query=query, headers=headers, token=token)
        )

    def _named(self, ask: Callable[[str], T]) -> T:
        token = self._tokens.current().token
        try:
            return ask(token)
        except KithError as error:
            if not is_refused(error):
                raise
            # The token may have been rotated elsewhere; a 401 changes nothing, so asking once more is safe.
            fresh = self._tokens.reload().token
            if fresh == token:
                raise KithTokenLostError("refused", self._handle, error) from error
        return ask(fresh)


def save_grant(folder: Folder, body: dict[str, Any]) -> Grant:
    """Put a grant of the service into the folder, and end what it settles."""
    token, end = body.get("token"), body.get("token_expires_at")
    expires_at = parse(end)
    if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]{16,512}", token) or expires_at is None:
        raise KithNetworkError("the answer holds no token grant")
    received_at = now()
    # Meant for the token before, which this one ended: left behind, it would revoke this one at its first use.
    folder.remove("revocation.json")
    folder.write_json("token", {"token": token, "token_expires_at": end, "received_at": iso(received_at)})
    folder.remove("rotation.json")
    return Grant(token, expires_at, received_at)


def _read_grant(folder: Folder) -> Grant:
    stored = folder.read_json("token")
    if stored is None:
        raise KithIdentityError("this identity holds no token: register, or recover access")
    expires_at = parse(stored.get("token_expires_at"))
    if expires_at is None:
        raise KithIdentityError(f"token in {folder.path} is damaged")
    return Grant(stored["token"], expires_at, parse(stored.get("received_at")))


def is_refused(error: KithError) -> bool:
    """The service does not take the token."""
    return error.status == 401 and not is_foreign(error)


def _due(grant: Grant) -> bool:
    is_young = grant.received_at is not None and timedelta(0) <= now() - grant.received_at < _YOUNG
    return grant.expires_at - now() < _ROTATE_WITHIN and not is_young


def _digest(token: str) -> str:
    """The token's name in a record that is no secret."""
    return hashlib.sha256(token.encode()).hexdigest()

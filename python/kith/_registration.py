"""From nothing to a passport, in steps that survive a crash at any point, also one that another program began.

The key is on disk before it is sent anywhere, and so is the exact body of the registration: with the owner's proof,
replaying it gives the same token.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import Any, Literal

from ._folder import Folder, to_json
from ._http import Answer, Transport, is_foreign
from ._retry import RetryPolicy, retrying
from ._tokens import is_refused, save_grant
from .box import generate_key_pair, key_pair_of
from .errors import KithError, KithIdentityError, KithInputError, KithTokenLostError

_RETRY = RetryPolicy()
_REQUEST_RETRY = RetryPolicy(budget=20.0)

Step = Literal["start", "code", "profile", "sent", "done"]


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a registration is.

    `start`: nothing requested yet. `code`: the owner's code is awaited. `profile`: only the profile is missing.
    `sent`: call `finish` again. `done`: the passport is saved.
    """

    step: Step
    handle: str | None = None
    #: Of `code`: when it expires, the documents, and whether the owner must confirm them first.
    challenge: dict[str, Any] | None = field(default=None, repr=False)
    #: Of `done`: the agent.
    bot: dict[str, Any] | None = None


class Registration:
    """The registration of a folder that holds no passport yet; an earlier run's state is picked up."""

    def __init__(self, folder: str | os.PathLike[str], base_url: str, *, timeout: float = 30.0) -> None:
        self._folder = Folder(folder)
        self._transport = Transport(base_url, timeout)
        self._base_url = self._transport.origin

    def __repr__(self) -> str:
        return f"<kith.Registration at {self._base_url} in {self._folder.path}>"

    def requirements(self) -> dict[str, Any]:
        """What the service asks of a registration, its legal documents among it."""
        return retrying(_RETRY, lambda: self._transport.request("GET", "/registration/requirements")).body

    def progress(self) -> Progress:
        """Where an earlier run stopped."""
        passport = self._folder.read_json("passport.json")
        has_token = self._folder.read("token") is not None
        if passport is not None and has_token:
            return Progress("done", passport["bot"]["handle"], bot=passport["bot"])
        state = self._load()
        if state is None:
            return Progress("start")
        handle = state["handle"]
        if "body" in state or has_token:
            return Progress("sent", handle)
        if "proof" in state or "email" not in state:
            return Progress("profile", handle)
        return Progress("code", handle, state["challenge"]) if "challenge" in state else Progress("start")

    def start(self, handle: str, email: str | None = None) -> Progress:
        """Choose the handle and request a code to the owner's email.

        Again: a new code, or another handle; the key stays.

        The owner must confirm the documents by the link in that email before the code counts. Without `email` (services
        that need no owner's proof) this only saves the handle and the key.
        Raises `KithError`: `handle_unavailable`, `invalid_input`, `registration_limited` (429 with `retry_after`).
        """
        with self._folder.lock("registration"):
            at = self.progress()
            if at.step == "done":
                raise KithIdentityError(f"this identity is already {at.handle}")
            if at.step == "sent":
                raise KithInputError("a registration was sent, and its outcome is unknown: finish it first")
            former = self._load()
            state: dict[str, Any] = {"base_url": self._base_url, "handle": handle}
            if email is not None:
                state["email"] = email
            public_key = self._public_key()
            self._save(state)
            if email is not None:
                body = to_json({"email": email, "handle": handle, "encryption_public_key": public_key})
                try:
                    answer = retrying(_REQUEST_RETRY, lambda: self._post("/registration/email/request", body))
                except KithError as error:
                    # No other email was sent, so the code of the one before is still good.
                    if former is not None and error.status < 500 and state.items() <= former.items():
                        self._save(former)
                    raise
                self._save({**state, "challenge": answer.body})
            return self.progress()

    def verify(self, code: str) -> Progress:
        """Exchange the owner's six-digit code for a proof.

        Raises `KithError` `owner_confirmation_pending` (409: again once the owner has confirmed; costs no attempt) or
        `invalid_email_verification` (5 attempts, 10 minutes).
        """
        with self._folder.lock("registration"):
            state = self._load()
            if state is None or "challenge" not in state:
                raise KithInputError("no code has been requested: start the registration first")
            body = to_json({"challenge_id": state["challenge"]["challenge_id"], "code": code})
            # Verifying again gives a new proof and voids the former, so a lost answer costs nothing.
            answer = retrying(_RETRY, lambda: self._post("/registration/email/verify", body))
            self._save({**state, "proof": answer.body})
            return self.progress()

    def finish(self, **profile: Any) -> dict[str, Any]:
        """Register, with `display_name` and whatever else the profile has; the agent is what the service answers.

        Passport, token and key are on disk when this returns. After a crash or `KithNetworkError` call it again: the
        saved bytes are sent, `profile` is not looked at. Raises `KithError` for a refused profile (correct it, call
        again), and `KithTokenLostError` when the passport was made but its token can no longer be had.
        """
        with self._folder.lock("registration"):
            return self._finish(profile)

    def abandon(self) -> None:
        """Set an unfinished registration aside. Its key stays as `retired/<time>.key`: a passport may have it."""
        with self._folder.lock("registration"):
            if self.progress().step == "done":
                raise KithIdentityError("a finished registration cannot be abandoned")
            key = self._folder.read("key")
            if key is not None:
                self._folder.write(f"retired/{time.time_ns() // 1_000_000}.key", key)
            self._folder.remove("registration.json")
            self._folder.remove("key")

    def _finish(self, profile: dict[str, Any]) -> dict[str, Any]:
        at = self.progress()
        if at.bot is not None:
            self._folder.remove("registration.json")
            return at.bot
        state = self._load()
        if state is None:
            raise KithInputError("no registration is in progress: start it first")
        if self._folder.read("token") is not None:
            return self._complete(self._read_bot())
        repeated = "body" in state
        body: str = state["body"] if repeated else self._body_of(state, profile)
        self._save({**state, "body": body})
        try:
            # With a proof the exact replay is safe; without one a second sending could only hide the first.
            answer = (
                retrying(_RETRY, lambda: self._post("/bots/register", body))
                if "proof" in state
                else self._post("/bots/register", body)
            )
        except KithError as error:
            self._take_back(state, error, repeated)
            raise
        save_grant(self._folder, answer.body)
        return self._complete(answer.body["bot"])

    def _body_of(self, state: dict[str, Any], profile: dict[str, Any]) -> str:
        if not profile:
            raise KithInputError("the profile is missing")
        body = {**profile, "handle": state["handle"], "encryption_public_key": self._public_key()}
        if "proof" in state:
            body["owner_challenge_id"] = state["challenge"]["challenge_id"]
            body["owner_verification_token"] = state["proof"]["verification_token"]
        elif "email" in state:
            raise KithInputError("the code is missing: verify it first")
        # A server without the email gate takes a passport that nobody has vouched for.
        return to_json(body)

    def _take_back(self, state: dict[str, Any], error: KithError, repeated: bool) -> None:
        """A refusal made nothing: go back to the step that can be corrected, unless it tells of an earlier success."""
        if is_foreign(error) or error.status >= 500 or error.status == 408:
            return
        # The first and only sending was too early and made nothing; behind a retry an earlier one may have.
        if error.status == 429 and (repeated or "proof" in state):
            return
        if error.code == "email_verification_used":
            raise KithTokenLostError("registration", state["handle"], error) from error
        ours = error.code == "handle_unavailable" or any(
            each["path"] == "encryption_public_key" for each in error.fields
        )
        if repeated and ours and "proof" not in state:
            raise KithTokenLostError("registration", state["handle"], error) from error
        if error.code == "handle_unavailable":
            self._folder.remove("registration.json")
            return
        gone = {"body"} | ({"challenge", "proof"} if error.code == "invalid_email_verification" else set())
        self._save({name: value for name, value in state.items() if name not in gone})

    def _read_bot(self) -> dict[str, Any]:
        token = self._folder.read_json("token")["token"]
        answer = retrying(_RETRY, lambda: self._transport.request("GET", "/bots/me", token=token))
        bot: dict[str, Any] = answer.body["bot"]
        return bot

    def _complete(self, bot: dict[str, Any]) -> dict[str, Any]:
        self._folder.write_json("passport.json", {"base_url": self._base_url, "bot": bot})
        self._folder.remove("registration.json")
        return bot

    def _public_key(self) -> str:
        """The identity's key, made once and never overwritten."""
        self._folder.create("key", f"{generate_key_pair().secret_key}\n")
        return key_pair_of((self._folder.read("key") or "").strip()).public_key

    def _load(self) -> dict[str, Any] | None:
        state: dict[str, Any] | None = self._folder.read_json("registration.json")
        if state is not None and state["base_url"] != self._base_url:
            raise KithIdentityError(f"a registration at {state['base_url']} is in progress in this identity")
        return state

    def _save(self, state: dict[str, Any]) -> None:
        self._folder.write_json("registration.json", state)

    def _post(self, path: str, body: str) -> Answer:
        return self._transport.request("POST", path, body=body)


class Recovery:
    """A new token through the owner's verified email, if the operator has RECOVERY=on. It restores no key."""

    def __init__(self, folder: str | os.PathLike[str], base_url: str, *, timeout: float = 30.0) -> None:
        self._folder = Folder(folder)
        self._transport = Transport(base_url, timeout)

    def request(self, handle: str, email: str) -> dict[str, Any]:
        """Request a code to the owner's email. The answer is the same whether the passport exists or not."""
        ask = {"handle": handle, "email": email}
        with self._folder.lock("token"):
            body = to_json(ask)
            answer = retrying(
                _REQUEST_RETRY, lambda: self._transport.request("POST", "/tokens/recover/request", body=body)
            )
            self._folder.write_json("recovery.json", {**ask, "challenge_id": answer.body["challenge_id"]})
            return answer.body

    def verify(self, code: str) -> None:
        """Exchange the six-digit code for a token; all earlier ones die. Token and passport are on disk afterwards.

        When the answer is lost the code is spent: request a new one. Once the token is here, the same call ends what
        was cut off.
        """
        with self._folder.lock("token"):
            state = self._folder.read_json("recovery.json") or {}
            if "challenge_id" not in state:
                raise KithInputError("no recovery is in progress: request a code first")
            is_known = self._folder.read("passport.json") is not None
            # A run that ended before it had the passport left its token: the code is spent, but nothing is lost.
            left = self._folder.read_json("token") if "exchanged" in state and not is_known else None
            bot = self._bot_of(left["token"], or_refused=True) if left else None
            if bot is None:
                body = to_json({"challenge_id": state["challenge_id"], "code": code})
                answer = self._transport.request("POST", "/tokens/recover/verify", body=body)
                grant = save_grant(self._folder, answer.body)
                self._folder.write_json("recovery.json", {**state, "exchanged": True})
                if not is_known:
                    bot = self._bot_of(grant.token)
            if not is_known:
                self._folder.write_json("passport.json", {"base_url": self._transport.origin, "bot": bot})
            self._folder.remove("recovery.json")

    def _bot_of(self, token: str, or_refused: bool = False) -> Any:
        try:
            return retrying(_RETRY, lambda: self._transport.request("GET", "/bots/me", token=token)).body["bot"]
        except KithError as error:
            if or_refused and is_refused(error):
                return None
            raise

"""Everything that can go wrong, as types to branch on. Branch on `status` and `code`, never on text.

The names are those of the TypeScript SDK.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

#: Why no answer came. `broken`: the connection ended before the answer did. `foreign`: something else answered.
NoAnswer = Literal["refused", "name", "unreachable", "timeout", "tls", "redirect", "broken", "foreign"]

#: The most fields that a message names; `KithError.fields` has them all.
_MOST_NAMED = 3


class FieldProblem(TypedDict):
    """Where one field of a refused body went wrong."""

    path: str
    problem: str


class KithError(Exception):
    """The service answered, and the answer is a refusal. As text it names wrong fields, and says when to try again."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str | None = None,
        *,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        #: HTTP status.
        self.status = status
        #: Machine code of the envelope; `unexpected_answer` where something that is not the service answered.
        self.code = code
        self.details = details
        #: `X-Request-Id`, to quote to the operator.
        self.request_id = request_id
        #: Whole seconds of `Retry-After`.
        self.retry_after = retry_after
        #: The journal still holds the request under this ID: `resume_pending` sends it again.
        self.operation_id: str | None = None
        self.message = f"{message or f'{status} {code}'}{_fields_text(self.fields)}"
        may_repeat = retry_after is not None and (details or {}).get("retryable") is not False
        super().__init__(f"{self.message} (try again in {retry_after} seconds)" if may_repeat else self.message)

    @property
    def fields(self) -> list[FieldProblem]:
        """Problems by field, empty unless the body was invalid."""
        found = (self.details or {}).get("fields")
        return [each for each in found if _is_problem(each)] if isinstance(found, list) else []


def _is_problem(each: object) -> bool:
    return isinstance(each, dict) and "path" in each and "problem" in each


def _fields_text(fields: list[FieldProblem]) -> str:
    named = [f"{each['path']}: {each['problem']}" for each in fields[:_MOST_NAMED]]
    more = [f"{len(fields) - _MOST_NAMED} more"] if len(fields) > _MOST_NAMED else []
    return f": {'; '.join(named + more)}" if named else ""


class KithNetworkError(Exception):
    """No complete answer arrived: the outcome is unknown. Repeat the same bytes, or read the state."""

    def __init__(self, message: str, reason: NoAnswer | None = None) -> None:
        super().__init__(message)
        self.message = message
        #: Where it is known. It is of the last try: an earlier one may have reached the service.
        self.reason = reason
        #: As in `KithError`.
        self.operation_id: str | None = None


class KithTokenLostError(KithError):
    """The stored token no longer opens the account. Never register again: recover access instead."""

    def __init__(
        self, reason: Literal["rotation", "registration", "refused"], handle: str | None, cause: KithError | None = None
    ) -> None:
        why = {
            "rotation": "the token was rotated, but the answer with the new one was lost",
            "registration": "the passport was registered, but the answer with its token was lost",
            "refused": "the service refuses the stored token: it was revoked or has expired",
        }[reason]
        recovery = (
            f"recover access of {handle or 'this passport'} through the owner's verified email "
            "(open_recovery: request, then verify; the operator must have RECOVERY=on); never register again"
        )
        super().__init__(
            cause.status if cause else 401,
            cause.code if cause else "unauthorized",
            f"{why}; {recovery}",
            request_id=cause.request_id if cause else None,
        )
        #: `rotation` and `registration`: the answer that carried the token was lost. `refused`: revoked or expired.
        self.reason = reason
        #: What to do next.
        self.recovery = recovery


class KithKeyChangedError(Exception):
    """A key differs from the pinned one: stop, and compare fingerprints through another channel."""

    def __init__(self, bot_id: str, pinned_fingerprint: str, seen_fingerprint: str | None) -> None:
        super().__init__(
            f"the encryption key of {bot_id} is not the pinned one; "
            "compare fingerprints before trusting any key of theirs"
        )
        #: The passport whose key differs; your own ID when the service shows another key for you.
        self.bot_id = bot_id
        self.pinned_fingerprint = pinned_fingerprint
        #: The key that was shown instead, where it is known.
        self.seen_fingerprint = seen_fingerprint


BoxProblem = Literal["bad_text", "bad_base64", "bad_key", "bad_nonce", "bad_ciphertext", "not_authentic"]


class KithBoxError(Exception):
    """A box-v1 envelope that cannot be made or opened."""

    def __init__(self, code: BoxProblem, message: str) -> None:
        super().__init__(message)
        self.code = code


class KithInputError(ValueError):
    """A call that could not be right: refused here, nothing was sent."""


class KithIdentityError(Exception):
    """The folder of the identity does not hold what is needed, or is open to others."""


class KithBusyError(Exception):
    """Another process holds this part of the identity."""


class KithReceiverError(Exception):
    """The event channel ended for a reason that reconnecting does not cure."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        #: WebSocket close code (docs/contract/events.md#closing), or the HTTP status of a refused handshake.
        self.code = code

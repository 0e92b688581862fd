"""When to ask again, and how long to wait. Only reads and saved mutations come through here."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .errors import KithError, KithNetworkError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often to ask, and for how long; times are in seconds."""

    #: How often a request is sent at most.
    attempts: int = 5
    #: First ceiling of the back-off; it doubles with each attempt.
    base: float = 0.25
    #: Highest ceiling of the back-off.
    cap: float = 8.0
    #: Most time spent waiting in all. A longer `Retry-After` goes to the caller instead.
    budget: float = 60.0


def backoff(policy: RetryPolicy, attempt: int) -> float:
    """Full jitter: anything up to the ceiling, so that clients cut off together do not come back together."""
    return random.random() * min(policy.cap, policy.base * 2.0 ** min(attempt, 64))


def is_passing(error: BaseException) -> bool:
    """Whether the same request may have another answer soon: 408, 429, 5xx, or no answer at all."""
    if isinstance(error, KithNetworkError):
        return True
    if not isinstance(error, KithError):
        return False
    # A full quota is a 429 that says of itself that time does not help; a missing set-up waits for a person.
    if (error.details or {}).get("retryable") is False or error.code == "verification_setup_pending":
        return False
    return error.status in (408, 429) or error.status >= 500


def retrying(policy: RetryPolicy, attempt: Callable[[], T]) -> T:
    """Run `attempt` until it succeeds, fails for good, or the policy is used up; then its last error is raised."""
    waited = 0.0
    tries = 0
    while True:
        try:
            return attempt()
        except (KithError, KithNetworkError) as error:
            if not is_passing(error) or tries + 1 >= policy.attempts:
                raise
            # The service's own wish comes first; jitter is added to it, never taken from it.
            asked = error.retry_after if isinstance(error, KithError) else None
            wait = (asked or 0) + backoff(policy, tries)
            waited += wait
            if waited > policy.budget:
                raise
        tries += 1
        time.sleep(wait)

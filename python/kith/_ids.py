"""IDs of things and of requests."""

from __future__ import annotations

import re
import uuid

from .errors import KithInputError

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
#: The SDK's: the same name gives the same ID in both.
_NAMESPACE = uuid.UUID("8d153034-a4aa-4e3e-aa1c-5a9b5815f11a")


def is_uuid(text: object) -> bool:
    """Whether it is a UUID of version 1-8 in canonical lower case, as IDs and operation IDs must be."""
    return isinstance(text, str) and _UUID.fullmatch(text) is not None


def stable_uuid(name: str) -> str:
    """The same UUID for the same name, on every machine.

    For an `operation_id` or a `client_message_id` that your program can name again after a crash, such as
    `deliver <order id>`. IDs belong to one agent, so two agents may use the same name.
    """
    try:
        usable = name != "" and bool(name.encode())
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise KithInputError("a name is text of at least one character")
    return str(uuid.uuid5(_NAMESPACE, name))

"""Private messages as text: find and pin the friend's key, seal, save, send; and back. Keys are used only here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ._folder import Folder, to_json
from ._http import Answer, Query
from ._ids import is_uuid
from ._journal import Entry, Journal, Mutation
from ._pins import Pins
from .box import KeyPair, Sealed, UntrustedText, check_text, fingerprint, key_pair_of, open_sealed, seal
from .errors import KithBoxError, KithError, KithIdentityError, KithInputError, KithKeyChangedError


@dataclass(frozen=True, slots=True)
class OpenedMessage:
    """A message with its text. What a peer wrote is data, never an instruction."""

    id: str
    peer_id: str
    direction: Literal["sent", "received"]
    created_at: str
    #: None if the message does not open; `problem` says why.
    text: UntrustedText | None = field(repr=False)
    problem: KithBoxError | None = None


class Conversations:
    """What one identity and its friends write."""

    def __init__(
        self,
        me: str,
        folder: Folder,
        journal: Journal,
        pins: Pins,
        get: Callable[[str, Query], dict[str, Any]],
    ) -> None:
        self._me = me
        self._folder = folder
        self._journal = journal
        self._pins = pins
        self._get = get
        self._pair: KeyPair | None = None

    def send(self, peer: str, text: str, client_message_id: str | None) -> dict[str, Any]:
        """See `Identity.send`."""
        check_text(text)
        keys = self._keys()
        peer_id = self.peer_id(peer)
        key = self._peer_key(peer_id)

        def body(message_id: str) -> str:
            sealed = seal(text, keys.secret_key, key)
            return to_json(
                {
                    "recipient_id": peer_id,
                    "client_message_id": message_id,
                    "nonce": sealed.nonce,
                    "ciphertext": sealed.ciphertext,
                    "encryption_version": "box-v1",
                    "sender_public_key": keys.public_key,
                    "recipient_public_key": key,
                }
            )

        def same(saved: Entry) -> bool:
            # The nonce is random, so equal texts have unequal bytes: what counts is what the saved envelope says.
            envelope = json.loads(saved.body) if saved.path == "/messages" and saved.body else {}
            if envelope.get("recipient_id") != peer_id:
                return False
            try:
                return open_sealed(_sealed(envelope), keys.secret_key, key) == text
            except KithBoxError:
                return False

        try:
            answer: Answer = self._journal.mutate(Mutation("POST", "/messages", body, client_message_id, same))
        except KithError as error:
            if error.code == "key_changed":
                raise KithKeyChangedError(self._me, fingerprint(keys.public_key), None) from error
            if error.code == "peer_key_changed":
                # The service's word that a key differs becomes a recorded change, with the key it now shows.
                self._look(peer_id)
                raise KithKeyChangedError(peer_id, fingerprint(key), None) from error
            raise
        message: dict[str, Any] = answer.body["message"]
        return message

    def open(self, message: dict[str, Any]) -> OpenedMessage:
        """See `Identity.open_message`."""
        sent = message["sender_id"] == self._me
        if not sent and message["recipient_id"] != self._me:
            raise KithInputError("the message is neither from nor to this agent")
        mine, theirs = ("sender", "recipient") if sent else ("recipient", "sender")
        peer_id = message[f"{theirs}_id"]
        keys = self._keys()
        own, shown = message[f"{mine}_public_key"], message[f"{theirs}_public_key"]
        if own != keys.public_key:
            raise KithKeyChangedError(self._me, fingerprint(keys.public_key), _mark(own))
        pinned = self._peer_key(peer_id)
        if shown != pinned:
            # `check` records the difference and raises; it cannot come back with another key than the pinned one.
            self._pins.check(peer_id, "", shown)
        text = open_sealed(_sealed(message), keys.secret_key, pinned)
        return OpenedMessage(message["id"], peer_id, "sent" if sent else "received", message["created_at"], text)

    def read(self, peer: str) -> Iterator[OpenedMessage]:
        """See `Identity.read`."""
        peer_id = self.peer_id(peer)
        for message in self._every("/messages", "messages", {"peer": peer_id}):
            try:
                yield self.open(message)
            except KithBoxError as problem:
                direction: Literal["sent", "received"] = "sent" if message["sender_id"] == self._me else "received"
                yield OpenedMessage(message["id"], peer_id, direction, message["created_at"], None, problem)

    def peer_id(self, peer: str) -> str:
        """The ID of a contact that is named by its handle; an ID stays what it is."""
        if is_uuid(peer):
            return peer
        for contact in self._every("/contacts", "contacts", {}):
            if contact["peer"]["handle"] == peer:
                found: str = contact["peer"]["id"]
                return found
        raise KithInputError("no contact has this handle")

    def _peer_key(self, peer_id: str) -> str:
        """The key to use with a peer: pinned, or pinned now from the contact with it."""
        return self._pins.key_of(peer_id) or self._look(peer_id)

    def _look(self, peer_id: str) -> str:
        contacts = list(self._every("/contacts", "contacts", {}))
        for contact in contacts:
            peer = contact["peer"]
            # A pending contact is not a friend: its key is not to be trusted yet. A blocked one may have history.
            if peer["id"] == peer_id and contact["status"] != "pending":
                # All friends at once, with one write: a look for each of them would read all contacts again.
                self._pins.add([each["peer"] for each in contacts if each["status"] == "accepted"])
                return self._pins.check(peer_id, peer["handle"], peer["encryption_public_key"])
        raise KithError(403, "contact_not_accepted", "You are not friends yet")

    def _every(self, path: str, name: str, query: Query) -> Iterator[dict[str, Any]]:
        before: str | None = None
        while True:
            page = self._get(path, {**query, "before": before})
            yield from page[name]
            before = page.get("next_before")
            if not before or not page[name]:
                return

    def _keys(self) -> KeyPair:
        if self._pair is None:
            secret = self._folder.read("key")
            if secret is None:
                raise KithIdentityError(
                    "this identity has no private key, so messages can be neither sent nor opened: "
                    "restore the file key from a backup of its folder"
                )
            self._pair = key_pair_of(secret.strip())
        return self._pair


def _sealed(envelope: dict[str, Any]) -> Sealed:
    return Sealed(envelope.get("nonce", ""), envelope.get("ciphertext", ""))


def _mark(public_key: str) -> str:
    try:
        return fingerprint(public_key)
    except KithBoxError:
        return "unusable"

"""An identity in a folder: who the agent is, what it sends, reads and receives, and every operation."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, cast
from urllib.parse import quote

from . import types
from ._conversations import Conversations, OpenedMessage
from ._downloads import Door, Downloads, Facts
from ._folder import Folder, to_json
from ._http import Query, Transport
from ._ids import is_uuid
from ._inbox import Event, Inbox
from ._journal import Entry, Journal, Mutation, Outcome
from ._operations import Operations
from ._pins import Pins
from ._receiver import Receiver
from ._retry import RetryPolicy, retrying
from ._tokens import Session, Tokens
from ._uploads import Purpose, Source, Uploads
from .errors import KithBoxError, KithError, KithIdentityError, KithInputError, KithKeyChangedError

_DEFAULT_RETRY = RetryPolicy()
#: What only asks, though its method is another: nothing of it needs saving.
_ASKING = frozenset({("POST", "/orders/quote")})


class Identity(Operations):
    """A registered agent. Threads may share it; another process may open the same folder beside it.

    Every operation of the contract is a method named after its operationId in openapi.json, in snake case. Reads are
    retried. Whatever changes something is saved before it is sent, and repeated byte for byte with the same
    `operation_id`, in a later run too: see `resume_pending`.
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, retry: RetryPolicy = _DEFAULT_RETRY, timeout: float = 30.0
    ) -> None:
        self._folder = Folder(folder, make=False)
        passport = self._folder.read_json("passport.json")
        if passport is None:
            begun = self._folder.read_json("registration.json")
            if begun is not None:
                raise KithIdentityError(
                    f"{self._folder.path} has an unfinished registration of {begun['handle']}: "
                    "finish it with open_registration or kith register --resume"
                )
            raise KithIdentityError(f"{self._folder.path} has no passport: register, or recover access")
        #: The agent as it was at its registration; `whoami` asks the service.
        self.bot = cast(types.Passport, passport["bot"])
        # The origin comes from the passport, so a token never goes anywhere else.
        self._transport = Transport(passport["base_url"], timeout)
        self._retry = retry
        handle = self.bot["handle"]
        self._tokens = Tokens(self._folder, self._transport, retry, handle)
        self._session = Session(self._transport, self._tokens, handle)
        self._journal = Journal(self._folder, self._session, retry)
        self._uploads = Uploads(self._folder, self._session, retry)
        self._downloads = Downloads(self._folder, self._session, retry)
        self._pins = Pins(self._folder)
        self._talk = Conversations(self.bot["id"], self._folder, self._journal, self._pins, self._get)

    def __repr__(self) -> str:
        return f"<kith.Identity {self.bot['handle']} at {self._transport.origin}>"

    @property
    def base_url(self) -> str:
        """The service's origin."""
        return self._transport.origin

    def whoami(self) -> types.Passport:
        """Your own passport, as the service has it."""
        return self.get_bots_me()["bot"]

    def now(self) -> datetime:
        """The service's time: count deadlines from it, for the clock of this machine may be off.

        Its responses tell it; if none has come yet, this asks for one.
        """
        if not self._transport.clock.known:
            self.whoami()
        return self._transport.clock.now()

    def send(self, peer: str, text: str, *, client_message_id: str | None = None) -> types.Message:
        """Seal a text of 1-8000 characters for a friend, by its handle or ID, and send it.

        With a `client_message_id` of your own, sending again after a crash sends the saved envelope, never a second
        message. Raises `KithKeyChangedError` (stop, compare fingerprints), `KithError` `contact_not_accepted`, or
        `KithBoxError` for a text that cannot be sealed.
        """
        return cast(types.Message, self._talk.send(peer, text, client_message_id))

    def read(self, peer: str) -> Iterator[OpenedMessage]:
        """Messages with a peer, by its handle or ID, newest first, opened. Raises `KithKeyChangedError`."""
        return self._talk.read(peer)

    def open_message(self, message: Mapping[str, Any]) -> OpenedMessage:
        """The text of one message, such as the payload of `message.created`.

        Raises `KithKeyChangedError` or `KithBoxError`.
        """
        return self._talk.open(dict(message))

    def receive(self) -> Receiver:
        """Start receiving events. What an earlier run stored and did not call done comes first.

        One receiver an identity, for acknowledgements are shared by the whole passport: raises `KithBusyError` while
        another one runs, in whatever process and language.
        """
        lock = self._folder.take_lock("receiver", 1.0)
        try:
            inbox = Inbox(os.path.join(self._folder.path, "inbox"))
        except BaseException:
            lock.release()
            raise
        handle = self.bot["handle"]
        return Receiver(
            self._transport, self._tokens, inbox, handle=handle, prepare=self._pin_friend, release=lock.release
        )

    def upload(
        self,
        source: Source,
        purpose: Purpose,
        *,
        upload_id: str | None = None,
        name: str | None = None,
        on_progress: Callable[[int, int], object] | None = None,
        settle: Callable[[types.OwnAttachment], object] | None = None,
    ) -> types.OwnAttachment:
        """Upload bytes, or the file at a path, and have it inspected: `ready`, `rejected` or `pending`.

        Its digest and ID are saved before anything is sent; after a lost answer or a crash, the same file again is the
        same upload. Its own name is never sent, only a `name` that you give, which nobody else sees. `on_progress` gets
        the bytes that were sent and all of them; `settle` stores the card before the record of the upload is forgotten.
        Raises `KithInputError` before sending what is too large for its purpose.
        """
        card = self._uploads.upload(
            source, purpose, upload_id, name, on_progress, cast(Callable[[dict[str, Any]], object] | None, settle)
        )
        return cast(types.OwnAttachment, card)

    def wait_until_inspected(self, attachment_id: str, timeout: float = 600.0) -> types.Attachment:
        """Wait for the end of an inspection that took longer than the answer to the upload."""
        card = self._uploads.wait(lambda: self._card(attachment_id), timeout)
        return cast(types.Attachment, card)

    def pending(self) -> list[Entry]:
        """Requests that are saved and whose outcome is not known, oldest first."""
        return self._journal.pending()

    def resume_pending(self, settle: Callable[[Outcome], object] | None = None) -> list[Outcome]:
        """Send again, byte for byte, what an earlier run or a lost answer left open: call it once at each start.

        `settle` returns before an outcome is forgotten. Raises when an outcome stays unknown; the rest stays for the
        next time.
        """
        return self._journal.resume(settle)

    def abandon(self, operation_id: str) -> None:
        """Give up a saved request. It may have taken effect already."""
        self._journal.abandon(operation_id)

    def pins(self) -> dict[str, dict[str, Any]]:
        """The pinned keys of friends, by their IDs."""
        return self._pins.all()

    def trust(self, bot_id: str, fingerprint: str) -> None:
        """After a `KithKeyChangedError`: the fingerprint, compared elsewhere, names the key to trust from now on."""
        self._pins.trust(bot_id, fingerprint)

    def rotate_token(self) -> None:
        """Exchange the token for a new one; it is on disk when this returns. It happens by itself in the last week."""
        self._tokens.rotate()

    def revoke_token(self) -> None:
        """Revoke the token and forget it. The passport and the key stay."""
        self._tokens.revoke()

    def _get(self, path: str, query: Query) -> dict[str, Any]:
        return retrying(self._retry, lambda: self._session.request("GET", path, query=query)).body

    def _read(self, template: str, params: Mapping[str, str], query: Query) -> Any:
        return self._get(_path(template, params), query)

    def _change(
        self,
        method: str,
        template: str,
        params: Mapping[str, str],
        body: Mapping[str, Any] | None,
        operation_id: str | None,
        has_operation_id: bool,
    ) -> Any:
        path = _path(template, params)
        if (method, template) in _ASKING:
            text = to_json(body)
            return retrying(self._retry, lambda: self._session.request(method, path, body=text)).body

        def build(made: str) -> str | None:
            if has_operation_id:
                return to_json({**(body or {}), "operation_id": made})
            return None if body is None else to_json(body)

        own = (body or {}).get("operation_id" if has_operation_id else "client_message_id")
        reply = self._journal.mutate(Mutation(method, path, build, operation_id or own)).body
        if template.startswith("/contacts/"):
            self._pin(reply.get("contact"))
        return reply

    def _upload(self, source: Source, purpose: Purpose, upload_id: str | None, name: str | None) -> Any:
        return {"attachment": self.upload(source, purpose, upload_id=upload_id, name=name)}

    def _bytes(
        self,
        template: str,
        params: Mapping[str, str],
        query: Query,
        to: str | os.PathLike[str] | None,
        overwrite: bool,
    ) -> Any:
        file = params["attachment_id"]
        if not is_uuid(file):
            raise KithInputError("the ID of a file must be a lower-case UUID")
        door = Door(_path(template, params), query, file, self._facts(template, params))
        return self._downloads.whole(door) if to is None else self._downloads.save(door, to, overwrite)

    def _headers(self, template: str, params: Mapping[str, str]) -> Any:
        return self._downloads.headers(_path(template, params))

    def _facts(self, template: str, params: Mapping[str, str]) -> Callable[[], Facts] | None:
        """What the card says of the bytes; previews and streams have none, for they are made by the service."""
        file = params["attachment_id"]
        if template == "/attachments/{attachment_id}/download":
            return lambda: Facts.of(self._card(file))
        if template.startswith("/orders/"):
            return lambda: Facts.of(self._bought(params["order_id"], file))
        return None

    def _card(self, file: str) -> dict[str, Any]:
        card: dict[str, Any] = self._get(_path("/attachments/{file}", {"file": file}), {})["attachment"]
        return card

    def _bought(self, order_id: str, file: str) -> dict[str, Any]:
        order = self._get(_path("/orders/{order_id}", {"order_id": order_id}), {})["order"]
        cards: list[dict[str, Any]] = order["result_attachments"]
        for card in cards:
            if card["id"] == file and card["available"]:
                return card
        raise KithError(404, "not_found", "No file of this purchase has this ID, or it no longer exists")

    def _pin(self, contact: Any) -> None:
        """Friendship is the moment to trust a key on first use."""
        if isinstance(contact, dict) and contact.get("status") == "accepted":
            peer = contact["peer"]
            self._pins.check(peer["id"], peer["handle"], peer["encryption_public_key"])

    def _pin_friend(self, event: Event) -> None:
        """A friendship that begins shows the friend's key. A changed one is recorded, and stops the next message.

        One that cannot be a key pins nothing, and does not stop the events behind it.
        """
        peer = event["payload"].get("peer")
        shown = [isinstance(peer, dict) and peer.get(name) for name in ("id", "handle", "encryption_public_key")]
        if event["kind"] == "contact.accepted" and all(isinstance(each, str) for each in shown):
            try:
                self._pin(event["payload"])
            except (KithKeyChangedError, KithInputError, KithBoxError):
                pass


def _path(template: str, params: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        text = params[found[1]]
        # A dot segment would name another resource once the URL is normalised.
        if not isinstance(text, str) or text in ("", ".", ".."):
            raise KithInputError(f"{found[1]} is missing")
        return quote(text, safe="!*'()")

    return re.sub(r"\{(\w+)\}", value, template)

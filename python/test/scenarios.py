"""What an agent's program does, written as it should be: every run picks up whatever the last one left."""

from __future__ import annotations

import os

import kith

CODE = "123456"
PEER = "0198c000-0000-7000-8000-00000000000b"
MESSAGE = "0198c000-0000-7000-8000-0000000000aa"
ORDER = "0198c000-0000-7000-8000-0000000000dd"
EVENTS = [f"0198c000-0000-7000-8000-00000000000{n}" for n in range(1, 7)]
QUICK = kith.RetryPolicy(base=0.002, cap=0.01)


def register(folder: str, origin: str) -> None:
    registration = kith.open_registration(folder, origin)
    while (at := registration.progress()).step != "done":
        if at.step == "start":
            registration.start("ada", "owner@example.org")
        elif at.step == "code":
            registration.verify(CODE)
        else:
            registration.finish(display_name="Ada")
    kith.open_identity(folder)


def send(folder: str, origin: str) -> None:
    ada = kith.open_identity(folder, retry=QUICK)
    ada.resume_pending()
    ada.send(PEER, "once and only once", client_message_id=MESSAGE)


def accept(folder: str, origin: str) -> None:
    ada = kith.open_identity(folder, retry=QUICK)
    ada.resume_pending()
    order = ada.get_orders_by_order_id(ORDER)["order"]
    if order["state"] == "offered":
        said: kith.types.ExpectedVersionAndConfirmedTotalMinorBody = {
            "expected_version": order["version"],
            "confirmed_total_minor": order["total_minor"],
        }
        ada.post_orders_by_order_id_accept(ORDER, said)


def upload(folder: str, origin: str) -> None:
    """Notes the card before the upload is forgotten; a second run finds the note, or the upload."""
    path = os.path.join(folder, "picture")
    if not _noted(folder, "card"):
        ada = kith.open_identity(folder, retry=QUICK)
        ada.upload(path, "portfolio", settle=lambda card: _note(folder, "card", card["id"]))


def rotate(folder: str, origin: str) -> None:
    """Rotates, and recovers where the new token was lost: both ways end with a token that works."""
    try:
        ada = kith.open_identity(folder, retry=QUICK)
        ada.whoami()
        ada.rotate_token()
        ada.whoami()
    except kith.KithTokenLostError as lost:
        _note(folder, "lost", lost.reason)
        recovery = kith.open_recovery(folder, origin)
        recovery.request("ada", "owner@example.org")
        recovery.verify(CODE)
        kith.open_identity(folder).whoami()


def receive(folder: str, origin: str) -> None:
    """Handles each event by noting its ID in `handled`, until all are noted."""
    left = set(EVENTS) - set(_noted(folder, "handled"))
    with kith.open_identity(folder).receive() as receiver:
        while left and (event := receiver.next()):
            _note(folder, "handled", event["event_id"])
            receiver.done(event)
            left.discard(event["event_id"])


def _note(folder: str, name: str, line: str) -> None:
    with open(os.path.join(folder, name), "a", encoding="ascii") as file:
        file.write(f"{line}\n")


def _noted(folder: str, name: str) -> list[str]:
    try:
        with open(os.path.join(folder, name), encoding="ascii") as file:
            return file.read().split()
    except FileNotFoundError:
        return []


ALL = {each.__name__: each for each in (register, send, accept, upload, rotate, receive)}

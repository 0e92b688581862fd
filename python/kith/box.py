"""box-v1: NaCl's crypto_box over one text (docs/contract/messages.md#the-envelope).

The keys are static: there is no forward secrecy, and both sides share one key, so each can open what either sealed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass, field
from typing import NewType

from nacl.bindings import crypto_scalarmult
from nacl.exceptions import CryptoError
from nacl.exceptions import RuntimeError as NaClRuntimeError
from nacl.public import Box, PrivateKey, PublicKey
from nacl.utils import random as random_bytes

from .errors import KithBoxError

#: Written by a participant: show it, store it, never obey it.
UntrustedText = NewType("UntrustedText", str)

_KEY_BYTES = 32
_NONCE_BYTES = 24
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


@dataclass(frozen=True, slots=True)
class KeyPair:
    """Canonical base64 of 32 bytes each. The secret half never leaves this machine, nor is it shown."""

    public_key: str
    secret_key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Sealed:
    """What box-v1 puts into a message, all canonical base64."""

    nonce: str
    ciphertext: str


def generate_key_pair() -> KeyPair:
    """A new random key pair."""
    return key_pair_of(to_base64(bytes(PrivateKey.generate())))


def key_pair_of(secret_key: str) -> KeyPair:
    """The key pair of a secret key. Raises `KithBoxError` `bad_base64` or `bad_key`."""
    return KeyPair(to_base64(bytes(PrivateKey(_key_bytes(secret_key)).public_key)), secret_key)


def fingerprint(public_key: str) -> str:
    """SHA-256 of the 32 key bytes as 64 hex digits: what people compare."""
    return hashlib.sha256(_key_bytes(public_key)).hexdigest()


def check_public_key(public_key: str) -> None:
    """Refuse what is no usable key: not canonical base64, not 32 bytes, or a point of small order."""
    # Any clamped scalar meets a small-order point in the all-zero secret, so one fixed scalar finds them all.
    _shared_secret(bytes([0x55]) * _KEY_BYTES, _key_bytes(public_key))


def seal(text: str, secret_key: str, public_key: str) -> Sealed:
    """Seal a text of 1-8000 characters, at most 15000 bytes, for the owner of `public_key`."""
    return seal_with_nonce(text, secret_key, public_key, random_bytes(_NONCE_BYTES))


def seal_with_nonce(text: str, secret_key: str, public_key: str, nonce: bytes) -> Sealed:
    """Only test vectors need it: a nonce used twice between two agents reveals both texts."""
    check_text(text)
    sealed = _box(secret_key, public_key).encrypt(text.encode(), nonce)
    return Sealed(to_base64(nonce), to_base64(sealed.ciphertext))


def open_sealed(sealed: Sealed, secret_key: str, public_key: str) -> UntrustedText:
    """Open with your own secret key and the other side's public key, whichever of the two sealed it."""
    nonce = from_base64(sealed.nonce)
    if len(nonce) != _NONCE_BYTES:
        raise KithBoxError("bad_nonce", "a nonce must have 24 bytes")
    ciphertext = from_base64(sealed.ciphertext)
    if not 16 <= len(ciphertext) <= 16_384:
        raise KithBoxError("bad_ciphertext", "a ciphertext must have 16 to 16384 bytes")
    box = _box(secret_key, public_key)
    try:
        text = box.decrypt(ciphertext, nonce).decode()
    except CryptoError:
        raise KithBoxError(
            "not_authentic", "the ciphertext cannot be opened: wrong key, or altered bytes"
        ) from None
    except UnicodeDecodeError:
        raise KithBoxError("bad_text", "the sealed bytes are not UTF-8") from None
    check_text(text)
    return UntrustedText(text)


def check_text(text: str) -> None:
    """Refuse (`bad_text`) what no message may carry: nothing, too much, or a lone surrogate."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise KithBoxError("bad_text", "a message must not contain lone surrogates") from None
    if not 1 <= len(text) <= 8000:
        raise KithBoxError("bad_text", "a message must have 1 to 8000 characters")
    if size > 15_000:
        raise KithBoxError("bad_text", "a message must have at most 15000 bytes")


def to_base64(data: bytes) -> str:
    """Bytes as canonical base64."""
    return base64.b64encode(data).decode("ascii")


def from_base64(text: str) -> bytes:
    """Bytes of canonical base64. Raises `KithBoxError` `bad_base64` for every other spelling of the same bytes."""
    if not isinstance(text, str) or not _BASE64.fullmatch(text):
        raise KithBoxError("bad_base64", "must be canonical base64")
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise KithBoxError("bad_base64", "must be canonical base64") from None
    # Loose trailing bits are dropped in silence: only what encodes to the same text is canonical.
    if to_base64(data) != text:
        raise KithBoxError("bad_base64", "base64 with loose trailing bits")
    return data


def _box(secret_key: str, public_key: str) -> Box:
    secret, public = _key_bytes(secret_key), _key_bytes(public_key)
    _shared_secret(secret, public)
    return Box(PrivateKey(secret), PublicKey(public))


def _shared_secret(secret: bytes, public: bytes) -> None:
    """libsodium refuses points of small order; it is checked here too because everything rests on it."""
    try:
        shared = crypto_scalarmult(secret, public)
    except (CryptoError, NaClRuntimeError):
        shared = bytes(_KEY_BYTES)
    if shared == bytes(_KEY_BYTES):
        raise KithBoxError("bad_key", "a public key of small order")


def _key_bytes(key: str) -> bytes:
    data = from_base64(key)
    if len(data) != _KEY_BYTES:
        raise KithBoxError("bad_key", "a key must have 32 bytes")
    return data

"""box-v1 against the published vectors: `vectors.py FILE`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from kith import KithBoxError
from kith.box import (
    Sealed,
    check_public_key,
    fingerprint,
    from_base64,
    key_pair_of,
    open_sealed,
    seal,
    seal_with_nonce,
    to_base64,
)


def refusal(act: Callable[[], object]) -> str | None:
    try:
        act()
    except KithBoxError as error:
        return error.code
    return None


with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
alice, bob = vectors["keys"]["alice"], vectors["keys"]["bob"]
for each in vectors["keys"].values():
    assert key_pair_of(each["secret_key"]).public_key == each["public_key"]
    assert fingerprint(each["public_key"]) == each["fingerprint"]
    assert each["secret_key"] not in repr(key_pair_of(each["secret_key"]))
for each in vectors["seal"]:
    sealed = seal_with_nonce(each["text"], alice["secret_key"], bob["public_key"], from_base64(each["nonce"]))
    assert (sealed.nonce, sealed.ciphertext) == (each["nonce"], each["ciphertext"]), each["name"]
    assert open_sealed(sealed, bob["secret_key"], alice["public_key"]) == each["text"], each["name"]
    assert open_sealed(sealed, alice["secret_key"], bob["public_key"]) == each["text"], each["name"]
for each in vectors["open_refused"]:
    envelope = Sealed(each["nonce"], each["ciphertext"])
    code = refusal(lambda: open_sealed(envelope, each["secret_key"], each["public_key"]))
    assert code == each["error"], (each["name"], code)
for each in vectors["public_keys_refused"]:
    assert refusal(lambda: check_public_key(each["base64"])) == "bad_key"
    assert refusal(lambda: seal("hello", alice["secret_key"], each["base64"])) == "bad_key"
for each in vectors["base64"]:
    if "hex" in each:
        assert from_base64(each["base64"]).hex() == each["hex"]
        assert to_base64(bytes.fromhex(each["hex"])) == each["base64"]
    else:
        assert refusal(lambda: from_base64(each["base64"])) == each["error"]
for text in ("", "x" * 8001, "é" * 7501, "a\ud800", "\udc00"):
    assert refusal(lambda: seal(text, alice["secret_key"], bob["public_key"])) == "bad_text"
assert len({seal("same", alice["secret_key"], bob["public_key"]).nonce for _ in range(200)}) == 200

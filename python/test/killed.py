"""Runs scenarios, each in a process that may be killed at a point: a call of the disk or network, or half a write.

A line on standard input names the scenario, the folder, the service and the number of the point, 0 for a run in peace.
A line on standard output says how it ended: killed, or done with the number of points that it came by.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
import traceback
from typing import Any

import scenarios
from kith import _socket

_CALLS = ("open", "fsync", "close", "replace", "link", "unlink", "mkdir", "ftruncate")
_KILLED = 137


def _hook(last: int) -> list[int]:
    """From now on the process ends at point `last`; what is returned has the number of points that it came by."""
    reached = [0]
    guard = threading.Lock()

    def point() -> None:
        with guard:
            reached[0] += 1
            if reached[0] == last:
                os._exit(_KILLED)

    def surround(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def call(*args: Any, **named: Any) -> Any:
            point()
            result = real(*args, **named)
            point()
            return result

        setattr(owner, name, call)

    real_write = os.write

    def write(descriptor: int, data: bytes) -> int:
        middle = len(data) // 2
        point()
        real_write(descriptor, data[:middle])
        point()
        real_write(descriptor, data[middle:])
        point()
        return len(data)

    for name in _CALLS:
        surround(os, name)
    setattr(os, "write", write)
    surround(http.client.HTTPConnection, "send")
    surround(http.client.HTTPConnection, "getresponse")
    surround(http.client.HTTPResponse, "read1")
    surround(_socket.Connection, "send")
    return reached


def _run(scenario: str, folder: str, origin: str, last: int) -> dict[str, Any]:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said: dict[str, Any] = {}
        real_write = os.write
        try:
            reached = _hook(last)
            scenarios.ALL[scenario](folder, origin)
            said = {"ended": "done", "points": reached[0]}
        except BaseException:
            said = {"ended": "failed", "why": traceback.format_exc()}
        real_write(write, json.dumps(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return {"ended": "killed"} if os.waitstatus_to_exitcode(status) == _KILLED else json.loads(text)


for line in sys.stdin:
    print(json.dumps(_run(*json.loads(line))), flush=True)

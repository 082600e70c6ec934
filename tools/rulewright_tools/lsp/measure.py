"""How quickly the server answers: the time from a keystroke to diagnostics and to completion, over the real protocol.

Takes rules files to type in; gives a table. Each keystroke writes a mistake into the file's text (nothing is saved), waits for it to be told, and takes it back; between two a person would pause. Times
are by the clock; processor time of the server, which does not depend on what else the machine does, is told beside.
"""

from __future__ import annotations

import json
import queue
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

ROUNDS = 12
WAIT = 60.0


class _Server:
    """A server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "rulewright_tools", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()
        self.number = 0
        threading.Thread(target=self._listen, daemon=True).start()
        self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self.say({"method": "initialized", "params": {}})

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while header := self.process.stdout.readline():
            length = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else 0
            while self.process.stdout.readline().strip():
                pass
            self.heard.put(json.loads(self.process.stdout.read(length)))

    def say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        self.number += 1
        self.say({"id": self.number, "method": method, "params": params})
        while (message := self.heard.get(timeout=WAIT)).get("id") != self.number:
            pass
        return message

    def told(self, uri: str, wrong: bool) -> None:
        """Wait until a document has a mistake, or none."""
        while True:
            message = self.heard.get(timeout=WAIT)
            about = message.get("params", {})
            mine = message.get("method") == "textDocument/publishDiagnostics" and about["uri"] == uri
            if mine and any(one["severity"] == 1 for one in about["diagnostics"]) == wrong:
                return

    def processor_time(self) -> float:
        """Seconds of the processor that the server has used; 0 where that cannot be told."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / 100
        except (OSError, ValueError, IndexError):
            return 0.0


def measure(files: list[Path], rounds: int = ROUNDS) -> str:
    """A table: for each file how long diagnostics and completion take after a keystroke."""
    lines = [f"{'':44} {'median':>8} {'slowest':>8} {'processor':>10}"]
    for file in files:
        server = _Server(file.parent)
        try:
            for what, (times, used) in _typed(server, file, rounds).items():
                lines.append(f"{what + ' ' + '/'.join(file.parts[-2:]):44} {_ms(statistics.median(times)):>8} {_ms(max(times)):>8} {_ms(used):>10}")
        finally:
            server.process.kill()
    return "\n".join(lines)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


def _typed(server: _Server, file: Path, rounds: int) -> dict[str, tuple[list[float], float]]:
    text, uri = file.read_text(encoding="utf-8"), file.resolve().as_uri()
    server.say({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "rules", "version": 1, "text": text}}})
    time.sleep(4)  # until it has been looked at thoroughly, which is done once
    wrong = f"{text}\neffect measured_effect(who: player):\n    no_such_effect(who)\n"
    half = f"{text}\neffect measured_effect(who: player):\n    move a c"
    told: list[float] = []
    answered: list[float] = []
    used = asked = 0.0
    for number in range(rounds):
        before, began = server.processor_time(), time.monotonic()
        _type(server, uri, 3 * number + 2, wrong)
        server.told(uri, True)
        told.append(time.monotonic() - began)
        used += server.processor_time() - before
        _type(server, uri, 3 * number + 3, text)
        server.told(uri, False)
        time.sleep(0.2)
        before, began = server.processor_time(), time.monotonic()
        _type(server, uri, 3 * number + 4, half)
        place = {"line": half.count("\n"), "character": len(half.rpartition("\n")[2])}
        server.ask("textDocument/completion", {"textDocument": {"uri": uri}, "position": place})
        answered.append(time.monotonic() - began)
        asked += server.processor_time() - before
        time.sleep(0.5)
    return {"diagnostics": (told, used / rounds), "completion": (answered, asked / rounds)}


def _type(server: _Server, uri: str, version: int, text: str) -> None:
    change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
    server.say({"method": "textDocument/didChange", "params": change})

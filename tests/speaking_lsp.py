"""A small client of the language server protocol, for tests: it starts the server as an editor does, and speaks to it over its standard input and output."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

WAIT = 20  # seconds; on a busy machine everything takes long


class Editor:
    """An editor that has a folder open."""

    def __init__(self, folder: Path, **capabilities: Any) -> None:
        command = [sys.executable, "-m", "rulewright_tools", "lsp"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env={**os.environ}
        )
        self.messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.versions: dict[str, int] = {}
        self.errors: list[bytes] = []
        self.number = 0
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._complaints, daemon=True).start()
        root = folder.resolve().as_uri()
        made = {"processId": None, "rootUri": root, "capabilities": capabilities, "workspaceFolders": [{"uri": root, "name": folder.name}]}
        self.capabilities = self.ask("initialize", made)["capabilities"]
        self.tell("initialized", {})

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.ask("shutdown", None)
            self.tell("exit", None)
        self.process.wait(WAIT)
        if kind is None:
            assert b"Traceback" not in b"".join(self.errors), b"".join(self.errors).decode()

    # -- messages

    def _read(self) -> None:
        assert self.process.stdout is not None
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not length:
                self.messages.put(None)
                return
            self.messages.put(json.loads(self.process.stdout.read(length)))

    def _complaints(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _next(self, until: float) -> dict[str, Any]:
        message = self.messages.get(timeout=max(until - time.monotonic(), 0.01))
        assert message is not None, b"".join(self.errors).decode()
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:
            self._send({"id": message["id"], "result": None})
        return message

    def answer(self, method: str, params: Any) -> dict[str, Any]:
        """The answer to a request, whatever it is."""
        self.number += 1
        mine = self.number
        self._send({"id": mine, "method": method, "params": params})
        until = time.monotonic() + WAIT
        while True:
            message = self._next(until)
            if message.get("id") == mine and "method" not in message:
                return message

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request."""
        answer = self.answer(method, params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def tell(self, method: str, params: Any) -> None:
        """A notification."""
        self._send({"method": method, "params": params})

    # -- documents

    def open(self, path: Path, text: str | None = None) -> str:
        """Open a file, as it is or with another text; gives its address."""
        uri = path.resolve().as_uri()
        self.versions[uri] = 1
        said = path.read_text(encoding="utf-8", errors="replace") if text is None else text
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "rules", "version": 1, "text": said}})
        return uri

    def type(self, uri: str, text: str) -> None:
        """Give a document another text."""
        self.versions[uri] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": [{"text": text}]})

    def at(self, uri: str, line: int, character: int, **more: Any) -> dict[str, Any]:
        """The parameters of a request about a place, counted from 0."""
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}, **more}

    def told(self, uri: str, *codes: str) -> list[dict[str, Any]]:
        """Wait until the complaints about a document have just these codes, and give them."""
        until = time.monotonic() + WAIT
        while uri not in self.diagnostics or sorted(one["code"] for one in self.diagnostics[uri]) != sorted(codes):
            try:
                self._next(until)
            except queue.Empty:
                raise AssertionError(f"expected {codes}, got {self.diagnostics.get(uri)}") from None
        return self.diagnostics[uri]

"""A real browser for tests: headless Chromium, spoken to over its debugging protocol with the WebSocket library that the server has anyway."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--mute-audio",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
)
PATIENCE = 20.0
AXE = Path(__file__).parent / "vendor" / "axe.min.js"


def find() -> str | None:
    """Where the browser is, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


def program() -> str:
    """Where the browser is; with CI=true it is installed if it is missing, elsewhere a test is skipped without one."""
    found = find()
    if found is None and os.environ.get("CI") == "true":
        with open(Path(tempfile.gettempdir()) / "rulewright-chromium.lock", "wb") as lock:  # tests run side by side, and apt-get does not
            fcntl.flock(lock, fcntl.LOCK_EX)
            found = find() or install()
    if found is None:
        pytest.skip("there is no Chromium here: the page is not tested (apt install chromium)")
    return found


def install() -> str | None:
    """Install Debian's Chromium; where it is then."""
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]):
        subprocess.run([*(["sudo"] if os.geteuid() else []), *command], check=True, capture_output=True)
    return find()


class Browser:
    """A browser with a profile of its own, and one page."""

    def __init__(self, program: str, width: int = 1280, height: int = 900) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="rulewright-browser-", ignore_cleanup_errors=True)
        command = [program, *FLAGS, f"--user-data-dir={self._profile.name}", f"--window-size={width},{height}", "about:blank"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        port = self._port()
        pages = json.load(urlopen(f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE))
        page = next(page for page in pages if page["type"] == "page")
        self._connection = connect(page["webSocketDebuggerUrl"], max_size=None)
        self._socket = self._connection.__enter__()
        self._number = 0
        self.errors: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def _port(self) -> int:
        file, until = Path(self._profile.name) / "DevToolsActivePort", time.monotonic() + PATIENCE * 2
        while time.monotonic() < until:
            if file.is_file() and (lines := file.read_text().split()):
                return int(lines[0])
            time.sleep(0.05)
        raise TimeoutError("the browser does not start")

    def close(self) -> None:
        """End the browser and everything that it has started."""
        self._connection.__exit__(None, None, None)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._profile.cleanup()

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the protocol

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        """One command, and its result; what the page complains of meanwhile is kept."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": given}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE * 2))
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                result: dict[str, Any] = message["result"]
                return result
            self._heard(message)

    def _heard(self, message: dict[str, Any]) -> None:
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            entry = message["params"]["entry"]
            self.errors.append(f"{entry['text']} {entry.get('url', '')}")

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "the script fails"))
        return answer["result"].get("value")

    # -- what people do

    def open(self, address: str) -> None:
        """Go to an address."""
        self.call("Page.navigate", url=address)
        self.until("document.readyState === 'complete'")

    def reload(self) -> None:
        """Load the page again."""
        self.call("Page.reload")
        time.sleep(0.1)
        self.until("document.readyState === 'complete'")

    def resize(self, width: int, height: int) -> None:
        """Another size of window; a narrow one is a phone."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def prefer(self, **features: str) -> None:
        """What the person prefers: `colour="dark"`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": features.get("colour", "light")}])

    def until(self, script: str, patience: float = PATIENCE) -> Any:
        """Wait until an expression holds, and give its value."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if found := self.run(f"(() => {{ try {{ const v = {script}; return v instanceof Node || v }} catch {{ return null }} }})()"):
                return found
            time.sleep(0.03)
        raise AssertionError(f"never: {script}\n{self.text()[:400]}\n{self.errors}")

    def text(self) -> str:
        """What can be read on the page."""
        return str(self.run("document.body.innerText"))

    def middle(self, selector: str) -> tuple[float, float]:
        """Where the middle of an element is, once it stands still in sight."""
        script = (
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center', inline: 'nearest'}});"
            " const r = e.getBoundingClientRect(); return r.width ? [r.x + r.width / 2, r.y + r.height / 2] : null })()"
        )
        before, found = None, self.until(script)
        while found != before:
            time.sleep(0.08)
            before, found = found, self.until(script)
        x, y = found
        return x, y

    def click(self, selector: str) -> None:
        """Click on the middle of the first element that a selector finds, with a real pointer."""
        x, y = self.middle(selector)
        self.pointer("mousePressed", x, y)
        self.pointer("mouseReleased", x, y)

    def drag(self, source: str, target: str) -> None:
        """Drag the middle of one element onto that of another."""
        (x1, y1), (x2, y2) = (self.middle(each) for each in (source, target))
        self.pointer("mousePressed", x1, y1)
        for part in (0.2, 0.5, 0.8, 1):
            self.pointer("mouseMoved", x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
        self.pointer("mouseReleased", x2, y2)

    def pointer(self, kind: str, x: float, y: float) -> None:
        """The pointer does something."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1 if kind != "mouseReleased" else 0, clickCount=1)

    def press(self, key: str) -> None:
        """Press a key."""
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        code = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39}.get(key, ord(key[0]))
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def picture(self, path: Path, whole: bool = False) -> None:
        """Keep what the page looks like."""
        found = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))


def serious(browser: Browser) -> list[str]:
    """What axe-core finds that keeps people out."""
    if not browser.run("Boolean(window.axe)"):
        browser.run(AXE.read_text(encoding="utf-8"))
    found = browser.run(
        "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => [v.impact, v.id, v.nodes.slice(0, 3).map(n => n.html + ' ' + n.failureSummary)]))"
    )
    return [json.dumps(each) for each in found if each[0] in ("serious", "critical")]

"""A page on paper: printed by a Chromium, if there is one.

Takes the text of a page and a file for the PDF; refuses (`NoPrinter`) where there is no browser, or it does not print. The browser is given a file of ours, a profile of its
own that is thrown away, and no network.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from rulewright.files import write_bytes

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge")
FLAGS = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
)
PATIENCE = 180  # seconds


class NoPrinter(Exception):
    """There is nothing here that prints, or it did not."""


def find_browser() -> str | None:
    """Where a browser is that can print."""
    return next((path for name in BROWSERS if (path := shutil.which(name)) is not None), None)


def printed(text: str, browser: str) -> bytes:
    """A page as a PDF. May raise NoPrinter and OSError."""
    with tempfile.TemporaryDirectory(prefix="rulewright-pdf-", ignore_cleanup_errors=True) as folder:
        source, target = Path(folder) / "page.html", Path(folder) / "page.pdf"
        source.write_text(text, encoding="utf-8")
        command = [browser, *FLAGS, *unboxed(), f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", source.as_uri()]
        run_browser(command)
        if not target.is_file() or not (data := target.read_bytes()).startswith(b"%PDF-"):
            raise NoPrinter(f"'{browser}' did not print the page")
    return data


def unboxed() -> list[str]:
    """As root a browser refuses its sandbox; what it opens is a page of ours that fetches nothing."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


def run_browser(command: list[str]) -> None:
    """Run a browser and wait for it; one that does not come to an end is ended, with all it has started."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        raise NoPrinter(f"'{command[0]}' does not come to an end") from None
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def write_pdf(path: Path, data: bytes, mark: bytes) -> None:
    """Put a PDF in place in one step; a mark behind its end says who made it. May raise OSError."""
    target = Path(os.path.realpath(path))
    write_bytes(target, data.rstrip(b"\r\n") + b"\n%" + mark + b"\n", target.stat().st_mode & 0o7777 if target.exists() else 0o644)


def is_ours(path: Path, mark: bytes) -> bool:
    """Whether a file that is there was made by us, or is empty."""
    with open(path, "rb") as stream:
        data = stream.read()
    return not data or data.rstrip().endswith(b"%" + mark)

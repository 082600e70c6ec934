"""Rulesets that strangers bring: off unless `serve --allow-rulesets` says otherwise.

One rules file, small, that stands alone or is a layer over rulesets of the catalogue by their names; no path leads out of it. It is built and played for a few decisions in a process of its own first, with bounds
on time and memory, so that whatever it does, it does not do it here. What the interpreter bounds (steps, looks, log) is bounded for it as for any other.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import subprocess
import sys
from pathlib import Path

from rulewright.sources.locate import header
from rulewright_tools.serve.hosted import Refusal
from rulewright_tools.serve.house import House

PARENT = re.compile(r'"')


def keep_ruleset(house: House, text: bytes) -> dict[str, str]:
    """Take in a ruleset; its name in the catalogue. Refused with what is wrong with it."""
    if not house.uploads:
        raise Refusal("uploads", "This server takes no rulesets; it is started with --allow-rulesets to do so.")
    if len(text) > house.limits.ruleset:
        raise Refusal("size", f"A ruleset may have {house.limits.ruleset:,} bytes here.")
    try:
        words = text.decode("utf-8")
    except UnicodeDecodeError:
        raise Refusal("ruleset", "A ruleset is a text; this is none.") from None
    found = header(words)
    if found is not None and PARENT.search(found[1]["parents"] or ""):
        raise Refusal("ruleset", "A layer that is uploaded names what it is over by its name, not by a path.")
    folder = house.path("rulesets")
    if len(list(folder.glob("*.rules"))) >= house.limits.rulesets:
        raise Refusal("full", "There are too many uploaded rulesets here already.")
    name = f"{found[1]['id'] if found is not None else 'ruleset'}_{secrets.token_hex(4)}"
    path = folder / f"{name}.rules"
    path.write_bytes(text)
    try:
        _try_out(house, path)
        house.catalogue.add(name, path)
        entry = house.catalogue.entries().get(name)
        if entry is None:
            raise Refusal("ruleset", "This ruleset cannot be read.")
    except BaseException:
        house.catalogue.remove(name)
        with contextlib.suppress(OSError):
            path.unlink()
        raise
    return {"name": name, "title": entry.title}


def _try_out(house: House, path: Path) -> None:
    """Build and play it elsewhere, within bounds."""
    limits = house.limits
    command = [sys.executable, "-m", "rulewright_tools.serve.trial", str(path), str(limits.ruleset_memory), str(int(limits.ruleset_seconds))]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limits.ruleset_seconds, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        raise Refusal("ruleset", f"This ruleset takes more than {limits.ruleset_seconds:.0f} seconds to read and begin.") from None
    if done.returncode:
        told = done.stderr.strip()[-4_000:].replace(str(path), "your file").replace(path.name, "your file")
        raise Refusal("ruleset", told or "This ruleset asks for too much.")

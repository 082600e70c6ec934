"""A drawing as PNG: a picture of its SVG, taken by a Chromium, if there is one.

Takes SVG that `svg`, `board` or `map` made; refuses (`NoPrinter`) where there is no browser, or it takes no picture, and drawings that are larger than a browser draws.
"""

from __future__ import annotations

import re
import struct
import tempfile
from pathlib import Path

from rulewright_tools.docs.pdf import FLAGS, NoPrinter, find_browser, run_browser, unboxed

LARGEST = 16_000  # pixels, in either direction
SHARP = 4_000  # so many are drawn twice as fine
START = b"\x89PNG\r\n\x1a\n"
_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')


def png(markup: str) -> bytes:
    """The picture. May raise NoPrinter and OSError."""
    browser = find_browser()
    if browser is None:
        raise NoPrinter("pictures in PNG are taken by a Chromium, and there is none here; write SVG instead")
    found = _SIZE.match(markup)
    assert found is not None
    width, height = (int(float(side) + 0.999) for side in found.groups())
    if max(width, height) > LARGEST:
        raise NoPrinter(f"a picture of {width} by {height} pixels is too large; write SVG instead")
    fine = 2 if max(width, height) <= SHARP else 1
    with tempfile.TemporaryDirectory(prefix="rulewright-png-", ignore_cleanup_errors=True) as folder:
        source, target = Path(folder) / "drawing.html", Path(folder) / "drawing.png"
        source.write_text(
            f'<!DOCTYPE html><meta charset="utf-8"><style>body {{ margin: 0 }} svg {{ display: block }}</style>{markup}', encoding="utf-8"
        )
        window = [f"--window-size={width},{height}", f"--force-device-scale-factor={fine}", "--hide-scrollbars", f"--screenshot={target}"]
        run_browser([browser, *FLAGS, *unboxed(), f"--user-data-dir={folder}/profile", *window, source.as_uri()])
        data = target.read_bytes() if target.is_file() else b""
    if not data.startswith(START) or struct.unpack(">II", data[16:24]) != (width * fine, height * fine):
        raise NoPrinter(f"'{browser}' took no picture; write SVG instead")
    return data

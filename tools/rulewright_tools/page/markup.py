"""Text of a ruleset as HTML: whatever it holds, it is shown and does nothing.

Takes any text; gives text fit for an element, an attribute in double quotes, or a script element of JSON. Characters that no document may hold, or that turn the
reading direction of what stands around them, become a visible mark.
"""

from __future__ import annotations

import json
import re
from html import escape as _escape

_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff\ufffe\uffff\ud800-\udfff]")
_NO_ANCHOR = re.compile(r"[^\w.-]+")


def escape(text: object) -> str:
    """Text fit for an element or an attribute in double quotes."""
    return _escape(_UNFIT.sub("\ufffd", str(text)), quote=True)


def embedded(content: object) -> str:
    """JSON that may stand in a script element: no markup, no end of the element, no separators of lines."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def anchor(*names: str) -> str:
    """Names as an id that a link can lead to: letters, digits, `_`, `.` and `-`."""
    return _NO_ANCHOR.sub("-", "-".join(names)).strip("-")

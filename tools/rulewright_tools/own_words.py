"""What the programs say to players by themselves, in the language that is read: keys, help, who has to decide, why something cannot be.

Takes the tag of a language; gives a function that says an English sentence in it, with its values, which stand in braces. The terminal and the page of `serve` share
one catalogue for each language (`serve/static/words/TAG.json`). A language that has none, and a sentence that is not in it, are said in English.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

FOLDER = Path(__file__).parent / "serve" / "static" / "words"


class Say(Protocol):
    """Says a sentence."""

    def __call__(self, sentence: str, /, **values: object) -> str: ...


def said_in(language: str | None) -> Say:
    """What says sentences in a language: that of the tag, or the same without its region."""
    words = catalogue(language) if language is not None else {}

    def say(sentence: str, /, **values: object) -> str:
        found = words.get(sentence, sentence)
        return re.sub(r"{(\w+)}", lambda hole: str(values.get(hole[1], hole[0])), found)

    return say


@functools.cache
def catalogue(language: str) -> Mapping[str, str]:
    """The sentences of a language that have one form."""
    known = {path.stem: path for path in FOLDER.glob("*.json")}
    path = known.get(language) or known.get(language.partition("-")[0])
    found = json.loads(path.read_text(encoding="utf-8")) if path is not None else {}
    return {sentence: said for sentence, said in found.items() if isinstance(said, str)}


english = said_in(None)

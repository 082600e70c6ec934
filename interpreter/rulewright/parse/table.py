"""The parse table: what Lark makes of the grammar, kept between runs.

Making it takes most of a second, reading it a few hundredths. It is kept as plain data (numbers, texts, lists and dictionaries, in the form in which Lark
itself writes a parser into a module of its own); nothing is ever unpickled. What is damaged, or was written for another grammar or another Lark, is made anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lark
import msgspec
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef

from rulewright import cache, collection

GRAMMAR = Path(__file__).with_name("grammar.lark")
KIND = "grammar"
FORMAT = "rulewright grammar 1"
START = ["declaration", "expression", "statements"]
OPTIONS: dict[str, Any] = {"parser": "lalr", "start": START, "keep_all_tokens": True, "maybe_placeholders": False}


@collection.put_off()
def make_parser(builder: object, lexer: type[Lexer]) -> lark.Lark:
    """The parser of the grammar, which reads tokens by a lexer and makes of what it has read what the builder's methods give."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    path = cache.entry_path(KIND, FORMAT, lark.__version__, grammar)
    kept = cache.read(path) if path is not None else None
    made = _from_data(kept, builder, lexer) if kept is not None else None
    if made is None:
        made = lark.Lark(grammar, transformer=builder, lexer=lexer, **OPTIONS)
        if path is not None:
            cache.write(path, _as_data(made))
    return made


def _as_data(parser: lark.Lark) -> bytes:
    """What a parser knows of its grammar; not who reads for it and who builds from it."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = OPTIONS
    data["parser"]["lexer_conf"]["lexer_type"] = None
    return msgspec.msgpack.encode([data, memo])


def _from_data(kept: bytes, builder: object, lexer: type[Lexer]) -> lark.Lark | None:
    """The parser again; None if that is not what was kept."""
    try:
        data, memo = msgspec.msgpack.decode(kept, strict=True)
        data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = lexer
        parser: lark.Lark = lark.Lark._load_from_dict(data, memo, transformer=builder)  # type: ignore[no-untyped-call]  # Lark gives it no types
    except (msgspec.DecodeError, lark.exceptions.LarkError, AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None
    return parser

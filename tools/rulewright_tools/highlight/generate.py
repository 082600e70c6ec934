"""Writes the TextMate grammar and the lexer for Pygments from the grammar of the language: `python -m rulewright_tools.highlight.generate`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from rulewright_tools.highlight.words import signs, vocabulary

HERE = Path(__file__).parent
TEXTMATE = HERE.parent / "lsp" / "vscode" / "syntaxes" / "rules.tmLanguage.json"
PYGMENTS = HERE / "lexer.py"
NAMED = (
    "kind",
    "effect",
    "phase",
    "value",
    "action",
    "cost",
    "step",
    "rule",
    "number",
    "state",
    "place",
    "die",
    "track",
    "grid",
    "words",
    "reaction",
)


def either(words: Iterable[str]) -> str:
    """One of some words, as a whole word that is no member of something."""
    return rf"(?<![\w.])(?:{'|'.join(words)})(?!\w)"


def textmate() -> str:
    """The grammar for editors."""
    words = vocabulary()
    named = [word for word in NAMED if word in (*words.declarations, *words.members, *words.statements)]
    patterns = [
        {"name": "comment.line.number-sign.rules", "match": "#.*$"},
        {
            "name": "string.quoted.double.rules",
            "begin": '"',
            "end": '"|$',
            "patterns": [
                {"name": "constant.character.escape.rules", "match": r"\\."},
                {"name": "meta.embedded.rules", "begin": r"\{", "end": r"\}|(?=\"|$)", "patterns": [{"include": "#words"}]},
            ],
        },
        {
            "match": rf"^(\s*)(?:(replace|insert|remove)\s+)?({'|'.join(named)})\s+([a-z_][\w.]*)",
            "captures": {
                "2": {"name": "keyword.control.rules"},
                "3": {"name": "storage.type.rules"},
                "4": {"name": "entity.name.function.rules"},
            },
        },
        {"match": rf"^\s*({'|'.join(words.declarations)})(?!\w)", "captures": {"1": {"name": "storage.type.rules"}}},
        {"match": rf"^\s*({'|'.join(words.members)})(?!\w)(?!\s*[:=])", "captures": {"1": {"name": "storage.modifier.rules"}}},
        {"match": rf"(?:^\s*|:\s+)({'|'.join(words.statements)})(?!\w)", "captures": {"1": {"name": "keyword.control.rules"}}},
        {"include": "#words"},
    ]
    inside = [
        {"name": "constant.numeric.rules", "match": r"(?<![\w.])(?:x?[0-9]+)(?!\w)"},
        {"name": "entity.name.type.rules", "match": rf"(?<=: )(?:{'|'.join(words.types)})(?!\w)"},
        {"name": "keyword.other.rules", "match": either(words.others)},
        {"name": "entity.name.function.rules", "match": r"[a-z_]\w*(?=\()"},
        {"name": "variable.other.property.rules", "match": r"(?<=\.)[a-z_]\w*"},
        {"name": "keyword.operator.rules", "match": "|".join(re.escape(sign) for sign in signs())},
        {"name": "variable.other.rules", "match": r"[a-z_]\w*"},
    ]
    made = {
        "comment": "Made from the grammar of the language: python -m rulewright_tools.highlight.generate",
        "name": "Rulewright",
        "scopeName": "source.rules",
        "fileTypes": ["rules"],
        "patterns": patterns,
        "repository": {"words": {"patterns": inside}},
    }
    return json.dumps(made, indent=2) + "\n"


LEXER = '''"""The lexer of rules files for Pygments. Made from the grammar of the language: python -m rulewright_tools.highlight.generate"""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

DECLARATIONS = {declarations}
MEMBERS = {members}
STATEMENTS = {statements}
TYPES = {types}
OTHERS = {others}
SIGNS = {signs}


class RulesLexer(RegexLexer):
    """Rules of board games, as rulewright reads them."""

    name = "Rulewright"
    aliases: ClassVar[list[str]] = ["rules", "rulewright"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    url = ""
    version_added = ""

    tokens: ClassVar[dict[str, list[object]]] = {{
        "root": [
            (r"\\n", Text),
            (r"#.*", Comment.Single),
            (r\'"\', String, "text"),
            (r"(^[ ]*)(replace|insert|remove)([ ]+)", bygroups(Text, Keyword, Text)),  # type: ignore[no-untyped-call]
            (
                r"(^[ ]*)?\\b({named})([ ]+)([a-z_][\\w.]*)",
                bygroups(Text, Keyword.Declaration, Text, Name.Function),  # type: ignore[no-untyped-call]
            ),
            (words(DECLARATIONS, prefix=r"(?<![\\w. ])", suffix=r"\\b"), Keyword.Declaration),
            (r"(?<=[a-z0-9_]: )(?:" + "|".join(TYPES) + r")\\b", Keyword.Type),
            (words((*DECLARATIONS, *MEMBERS, *STATEMENTS, *OTHERS), prefix=r"(?<![\\w.])", suffix=r"\\b(?!\\()"), Keyword),
            (r"x?[0-9]+\\b", Number.Integer),
            (r"[a-z_]\\w*(?=\\()", Name.Function),
            (r"(?<=\\.)[a-z_]\\w*", Name.Attribute),
            (r"[A-Za-z_]\\w*", Name),
            (words(SIGNS), Operator),
            (r"[ \\t\\r]+", Text),
            (r".", Punctuation),
        ],
        "text": [
            (r"\\\\.", String.Escape),
            (r"\\{{[^{{}}\\"\\n]*\\}}", String.Interpol),
            (r\'"\', String, "#pop"),
            (r"\\n", Text, "#pop"),
            (r\'[^"\\\\{{\\n]+\', String),
            (r"[{{}}]", String),
        ],
    }}
'''


def pygments() -> str:
    """The module with the lexer."""
    words = vocabulary()
    tables = {name: _listed(getattr(words, name)) for name in words._fields}
    return LEXER.format(**tables, signs=_listed(signs()), named="|".join(NAMED))


def _listed(words: Iterable[str]) -> str:
    """A tuple of texts over several lines, as the formatter of the project lays it out."""
    return "(\n" + "".join(f'    "{word}",\n' for word in words) + ")"


def main() -> None:
    """Write both files."""
    TEXTMATE.write_text(textmate(), encoding="utf-8")
    PYGMENTS.write_text(pygments(), encoding="utf-8")


if __name__ == "__main__":
    main()

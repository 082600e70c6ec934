"""What everything in a ruleset is called, and where the page tells about it.

Takes a build and a language, gives labels (translated where there is a translation) and links. A name that nothing declares is shown as it is written, with
spaces in it; nothing is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rulewright import tree as t
from rulewright.build import Built
from rulewright.catalog import Catalog
from rulewright.resolve.linked import Item
from rulewright.types import TABLE, pluralised
from rulewright_tools.docs.words import PAGE
from rulewright_tools.page import anchor, escape

NAME = re.compile(r"\b([a-z]+(?:_[a-z0-9]+)+)\b(?:\(\))?")
TABLES = ("kinds", "components", "places", "dice", "tracks", "actions", "costs", "effects")


class Lexicon:
    """Labels and addresses of one ruleset, in one language."""

    def __init__(self, built: Built, catalog: Catalog) -> None:
        assert built.linked is not None
        assert built.graph is not None
        self.graph: Mapping[str, Any] = built.graph
        self.items: Mapping[str, Item] = built.linked.items
        self.catalog = catalog
        self._page = Catalog(catalog.language, [{"texts": PAGE.get(catalog.language or "", {})}])
        self._files = frozenset(built.trees)
        self._plurals: dict[str, str] = {}
        for name, kind in self.graph["kinds"].items():
            self._plurals[kind["plural"]] = name
        for key, item in self.items.items():
            if isinstance(item.declaration, t.ComponentDecl):
                self._plurals.setdefault(item.declaration.plural or pluralised(item.declaration.name), key)
        self.fields: dict[str, str] = {}  # what a field is called: by its name alone, since most are called the same everywhere
        for kind, declared in self.graph["kinds"].items():
            for field in declared["fields"]:
                path = field if kind == TABLE else f"{kind}.{field}"
                if path in catalog.names or field not in self.fields:
                    self.fields[field] = catalog.names.get(path) or spaced(field)
        self.flags = {name for kind in self.graph["kinds"].values() for name, field in kind["fields"].items() if field["type"]["how"] == "flag"}
        self.flags |= {
            path.rpartition(".")[2] for path, value in self.graph["values"].items() if value["of"] and (value["gives"] or {}).get("how") == "flag"
        }
        self._inner = _members(self.items)

    # -- labels

    def label(self, path: str) -> str:
        """What something is called."""
        if (found := self.catalog.names.get(path)) is not None:
            return found
        for table in TABLES:
            if (declared := self.graph[table].get(path)) is not None and declared.get("label"):
                return str(declared["label"])
        return spaced(path.rpartition(".")[2])

    def word(self, word: object) -> str:
        """A word of a field, a face, a space; true and false are yes and no."""
        if isinstance(word, bool):
            return self.say("yes" if word else "no")
        return self.catalog.words.get(str(word)) or spaced(str(word))

    def say(self, sentence: str, **values: object) -> str:
        """A heading or sentence of the page."""
        return self._page.say(sentence, **values)

    def plural(self, kind: str) -> str:
        """Several of a kind."""
        label, written = self.label(kind), self.graph["kinds"].get(kind, {}).get("plural")
        if label == spaced(kind) and written:
            return spaced(written)
        return label if self.catalog.names.get(kind) else pluralised(label)

    def plural_of(self, word: str) -> str | None:
        """The kind or component of which a word is the plural."""
        found = self._plurals.get(word)
        return found if found is not None and word not in self.items else None

    def text(self, parts: Sequence[Any]) -> Sequence[Any]:
        """A text with what stands in its braces, translated: words, and values in the order in which they stand then."""
        found = self.catalog.text(parts)
        if found is None:
            return parts
        values = [part for part in parts if not isinstance(part, str)]
        return [values[piece] if isinstance(piece, int) else piece for piece in found]

    # -- addresses

    def thing(self, word: str) -> str | None:
        """The key of the kind, component, place, value or number that a word names."""
        return word if word in self.items else None

    def doing(self, path: str) -> str | None:
        """The key of the effect, phase, action or step that a path names, or of what that is a part of."""
        for key in (f"{path}()", path, f"rule {path}", f"cost {path}"):
            if key in self.items:
                return key
        owner = path.rpartition(".")[0]
        return self.doing(owner) if owner else None

    def member(self, name: str) -> str | None:
        """The path of an effect, value or action of a kind, if only one kind has one of that name."""
        return self._inner.get(name)

    def link(self, key: str | None, words: str) -> str:
        """Words that lead to what a key stands for."""
        said = escape(words)
        address = self.address(key)
        return f'<a class="name" href="{escape(address)}">{said}</a>' if address else f'<span class="name">{said}</span>'

    def prose(self, text: str) -> str:
        """What somebody wrote for people, as markup; names of the rules in it are words, and lead to what they name."""
        return NAME.sub(lambda found: self.link(self.doing(found[1]) or self.thing(found[1]), spaced(found[1])), escape(text))

    def address(self, key: str | None) -> str:
        """Where in the page something stands; empty if it does not: what only a board declares has no entry."""
        item = self.items.get(key or "")
        return f"#{anchor_of(item)}" if item is not None and item.declaration.span.file in self._files else ""


def spaced(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ").strip() or name


def capital(text: str) -> str:
    """With a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def anchor_of(item: Item) -> str:
    """Where in the page something stands: a link to it stays good as long as it keeps its name."""
    return anchor(f"{item.what}.{item.path}")


def _members(items: Mapping[str, Item]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for key, item in items.items():
        if isinstance(item.declaration, t.KindDecl):
            for member in item.declaration.members:
                if isinstance(member, t.EffectDecl | t.ValueDecl | t.ActionDecl):
                    found.setdefault(member.name, []).append(key)
    return {name: keys[0] for name, keys in found.items() if len(keys) == 1}

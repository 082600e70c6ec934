"""Does a YAML document have the shape that its JSON schema describes?

Takes a document and the name of a schema, gives complaints in plain words, each at the line of the value or key it
speaks of. What jsonschema finds is told again as an author needs it: what the thing is called, what was expected,
what was found. Of a choice between shapes only the one that was most likely meant is spoken of.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.data import schema
from rulewright.diagnostics import Diagnostic, Span, complain, did_you_mean
from rulewright.shape import surely
from rulewright.sources.advice import key_advice, text_advice, value_advice
from rulewright.sources.document import Document
from rulewright.sources.yamltree import clipped

Schema = dict[str, Any]
ValidationError = Any  # jsonschema's own: every field of it may be unset, which says nothing of the ones it reports

# Guessing what a word was meant to be takes time; after so many complaints nobody reads the guesses.
_GUESSES = 200
_MOST_COMPLAINTS = 5_000

_TYPE_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def conform(document: Document, schema_name: str) -> list[Diagnostic]:
    """Everything about the document that its schema does not allow."""
    if surely(schema_name)(document.data):
        return []
    teller = _Teller(document, schema(schema_name))
    for error in _validator(schema_name).iter_errors(document.data):
        teller.tell(error)
        if len(teller.complaints) >= _MOST_COMPLAINTS:
            where = teller.complaints[-1].span
            return [
                *teller.complaints,
                complain("R605", "too much is wrong with the file; the rest is not checked", where),
            ]
    return teller.complaints


def without_echoes(complaints: list[Diagnostic]) -> list[Diagnostic]:
    """Without what is missing only because it stands under another name."""
    meant = {
        str(one.hint).removeprefix("write: ").partition(":")[0] for one in complaints if one.code == "R204" and str(one.hint).startswith("write: ")
    }
    return [one for one in complaints if one.code != "R212" or not any(one.message.endswith(f" lacks the key '{key}'") for key in meant)]


@functools.cache
def _validator(schema_name: str) -> Any:
    # jsonschema is slow to import, and most commands need no YAML.
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    # For JSON Schema 1.0 is a whole number; for us it is a version that lost its quotes.
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    root = schema(schema_name)

    def follow(validator: Any, ref: str, instance: Any, _: Schema) -> Iterator[ValidationError]:
        # Our references stay in their file; jsonschema's way of looking them up takes most of its time.
        return iter(validator.descend(instance, resolved(root, {"$ref": ref})))

    strict: Any = extend(Draft202012Validator, {"$ref": follow}, type_checker=types)  # type: ignore[no-untyped-call]
    return strict(root)


class _Teller:
    """Turns the errors of jsonschema into complaints about one document."""

    def __init__(self, document: Document, root: Schema) -> None:
        self.document = document
        self.root = root
        self.complaints: list[Diagnostic] = []

    def tell(self, error: ValidationError) -> None:
        """Adds the complaints that one error amounts to."""
        known = {
            "additionalProperties": self._unknown_keys,
            "required": self._missing_key,
            "anyOf": self._choice,
            "oneOf": self._choice,
        }
        if "propertyNames" in error.relative_schema_path and isinstance(error.instance, str):
            self._key_name(error)
        else:
            known.get(str(error.validator), self._value)(error)

    def _say(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        self.complaints.append(complain(code, message, span, hint=hint))

    def _guess(self, word: str, known: Iterable[str]) -> str | None:
        return did_you_mean(word, known) if len(self.complaints) < _GUESSES else None

    def _unknown_keys(self, error: ValidationError) -> None:
        path = list(error.absolute_path)
        known = list(error.schema.get("properties", {}))
        shapes = [re.compile(pattern) for pattern in error.schema.get("patternProperties", {})]
        for key in error.instance:
            if key not in known and not any(shape.search(key) for shape in shapes):
                free = [name for name in known if name not in error.instance]
                advice = key_advice(self.root["$id"].partition(".")[0], path, key, error.instance[key])
                hint = advice or self._guess(key, free) or self._guess(key, known) or f"the keys here are {in_words(known, 'and')}"
                message = f"{named(path)} has no key '{clipped(key)}'"
                self._say("R204", message, self.document.key_span(*path, key), hint)

    def _missing_key(self, error: ValidationError) -> None:
        path = list(error.absolute_path)
        missing = [key for key in error.validator_value if key not in error.instance]
        # jsonschema reports each missing key by itself and names it in its message only.
        key = next((key for key in missing if error.message.startswith(f"'{key}' ")), missing[0])
        about = self._property(error.schema, key).get("description")
        self._say("R212", f"{named(path)} lacks the key '{key}'", self._start(path), f"{key}: {about}" if about else None)

    def _key_name(self, error: ValidationError) -> None:
        path = list(error.absolute_path)
        message = f"the key '{clipped(error.instance)}' of {named(path)} must be {expected(self.root, error.schema)}"
        self._say("R205", message, self.document.key_span(*path, error.instance))

    def _choice(self, error: ValidationError) -> None:
        """One of several shapes was expected: speaks of the one that comes nearest."""
        path = list(error.absolute_path)
        branches: dict[int, list[ValidationError]] = {}
        for inner in error.context or ():
            branches.setdefault(int(inner.relative_schema_path[0]), []).append(inner)
        if all(inner.validator == "required" and not inner.relative_path for found in branches.values() for inner in found):
            keys = in_words([f"'{inner.validator_value[0]}'" for found in branches.values() for inner in found], "or")
            self._say("R212", f"{named(path)} lacks one of the keys {keys}", self._start(path))
            return
        near = {at: found for at, found in branches.items() if not any(e.validator == "type" and not e.relative_path for e in found)}
        if not near:
            self._value(error)
            return
        best = max(sorted(near), key=lambda at: self._overlap(error.validator_value[at], error.instance))
        for inner in near[best]:
            self.tell(inner)

    def _overlap(self, shape: Schema, value: Any) -> int:
        """How many keys of a value a shape knows; its required ones count double."""
        full = resolved(self.root, shape)
        if not isinstance(value, dict):
            return 0
        return sum(key in value for key in full.get("properties", {})) + sum(key in value for key in full.get("required", ()))

    def _value(self, error: ValidationError) -> None:
        path = list(error.absolute_path)
        node = self.document.node(*path)
        wanted, found = self._wanted(error), describe(error.instance, node.raw)
        if error.validator in ("minItems", "maxItems") and error.instance:
            found = str(len(error.instance))
        elif error.validator == "maxProperties":
            found = in_words([f"'{clipped(key)}'" for key in error.instance], "and")
        hint = None
        if error.validator == "enum" and isinstance(error.instance, str):
            hint = self._guess(error.instance, [str(value) for value in error.validator_value])
        elif error.validator not in ("minimum", "maximum") and isinstance(error.instance, bool | int | float) and self._takes_text(error.schema):
            hint = f'put it in quotes: "{node.raw}"'
        elif error.validator == "pattern":
            hint = text_advice(error.validator_value, error.instance)
        elif error.validator == "type":
            hint = value_advice(path, error.validator_value, error.instance)
        collection = isinstance(error.instance, dict | list) or error.instance is None
        span = self.document.key_span(*path) if collection and path and isinstance(path[-1], str) else self._start(path)
        self._say("R205", f"{named(path)} must {wanted}, found {found}", span, hint)

    def _wanted(self, error: ValidationError) -> str:
        """What the schema asks for, to be read after 'must'."""
        limit = error.validator_value
        keys = in_words([f"'{key}'" for key in error.schema.get("properties", {})], "or")
        phrases = {
            "minimum": f"be at least {limit}",
            "maximum": f"be at most {limit}",
            "minItems": f"have at least {counted(limit, 'item')}",
            "maxItems": f"have at most {counted(limit, 'item')}",
            "minLength": "not be empty",
            "maxLength": f"have at most {limit} characters",
            "minProperties": f"have one of the keys {keys}" if keys else "not be empty",
            "maxProperties": f"have only one of the keys {keys}",
        }
        return phrases.get(str(error.validator)) or f"be {expected(self.root, error.schema)}"

    def _takes_text(self, shape: Schema) -> bool:
        full = resolved(self.root, shape)
        if "enum" in full:
            return all(isinstance(value, str) for value in full["enum"])
        kinds = full.get("type", ())
        return "string" in ([kinds] if isinstance(kinds, str) else kinds) or any(map(self._takes_text, full.get("anyOf", ())))

    def _property(self, shape: Schema, key: str) -> Schema:
        found: Schema = shape.get("properties", {}).get(key, {})
        return found

    def _start(self, path: list[str | int]) -> Span:
        """The place of a scalar; of a mapping or list the place where it starts, which is what a caret can show."""
        node = self.document.node(*path)
        if isinstance(node.data, dict) and node.keys:
            return next(iter(node.keys.values()))
        if isinstance(node.data, list) or node.span.end_line > node.span.line:
            span = node.span
            return Span(span.file, span.line, span.column, span.line, span.column + 1)
        return node.span


def resolved(root: Schema, shape: Schema) -> Schema:
    """A schema with a reference to `$defs` followed."""
    while "$ref" in shape:
        shape = root["$defs"][shape["$ref"].rsplit("/", 1)[1]]
    return shape


def expected(root: Schema, shape: Schema) -> str:
    """What a schema asks for, in words: 'a list of texts', 'a mapping with min and max' ..."""
    shape = resolved(root, shape)
    if "enum" in shape:
        return in_words([str(value) for value in shape["enum"]], "or")
    if "const" in shape:
        return f"'{shape['const']}'"
    title = str(shape.get("title", ""))
    if title[:1].islower():  # definitions have titles that are read as part of a sentence
        return title
    if "anyOf" in shape:
        return in_words(list(dict.fromkeys(expected(root, branch) for branch in shape["anyOf"])), "or")
    kinds = shape.get("type", "object")
    words = list(_type_words(root, shape, [kinds] if isinstance(kinds, str) else kinds))
    return in_words(words, "or")


def _type_words(root: Schema, shape: Schema, kinds: list[str]) -> Iterator[str]:
    for kind in kinds:
        keys = shape.get("required") or list(shape.get("properties", {}))[:4]
        if kind == "object" and keys:
            yield f"a mapping with {in_words(keys, 'and')}"
        elif kind == "array" and "items" in shape:
            yield f"a list, each item {expected(root, shape['items'])}"
        else:
            yield _TYPE_WORDS[kind]


def describe(value: Any, raw: str) -> str:
    """What was found, in words."""
    if isinstance(value, dict):
        return "an empty mapping" if not value else "a mapping"
    if isinstance(value, list):
        return "an empty list" if not value else "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return raw
    return f"the text '{clipped(value)}'" if isinstance(value, str) else f"the number {raw}"


def named(path: list[str | int]) -> str:
    """What the thing at a path is called: the file, 'players', item 3 of 'files' ..."""
    if not path:
        return "the file"
    if isinstance(path[-1], str):
        return f"'{clipped(path[-1])}'"
    return f"item {path[-1] + 1} of {named(path[:-1])}" if len(path) > 1 else f"item {path[-1] + 1}"


def counted(number: int, noun: str) -> str:
    """'1 item', '2 items'."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def in_words(words: list[str], joint: str) -> str:
    """'a, b and c'."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}" if words else ""

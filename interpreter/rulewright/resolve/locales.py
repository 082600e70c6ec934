"""Locales held against the rules that they translate: names that there are, braces that the text has, the language that the file is of.

Takes the linker with a package just added and gives complaints through it. Whether words and texts are still those of the rules is only known of the graph: `validate` looks there.
"""

from __future__ import annotations

from pathlib import PurePath

from rulewright.catalog import strange_holes, template
from rulewright.diagnostics import Related, Span, did_you_mean
from rulewright.resolve.linker import Linker
from rulewright.sources import Package
from rulewright.sources.yamlfile import Document


def check_locales(linker: Linker) -> None:
    """Complain of what is wrong with the locales of the package at hand."""
    first: dict[str, Span] = {}
    for locale in linker.package.locales:
        _check_language(linker, linker.package, locale, first)
        _check_braces(linker, locale)
        _check_names(linker, locale)


def _check_language(linker: Linker, package: Package, locale: Document, first: dict[str, Span]) -> None:
    """A locale is of another language than the rules, the only one of its language, and of the one in its file's name."""
    language, span = locale.data["language"], locale.span("language")
    named = PurePath(locale.file).stem
    if language == package.languages[0]:
        hint = f"the language of the rules is the first of 'languages' in {package.span.file}; name another one here"
        linker.complain("R219", f"'{package.id}' is written in '{language}' itself: there is nothing to translate", span, hint)
    elif language in first:
        related = (Related(first[language], "the other one is here"),)
        linker.complain("R219", f"'{package.id}' has two translations into '{language}'", span, "put them into one file", related)
    elif len(named) in (2, 3) and named.isalpha() and named.lower() != language.partition("-")[0]:
        linker.complain(
            "R219", f"the file is called '{named}', but its language is '{language}'", span, "give it the other name, or the other language"
        )
    first.setdefault(language, span)


def _check_braces(linker: Linker, locale: Document) -> None:
    """What stands in braces in a translation stands in the text, too: nothing else could be filled in."""
    for text, said in (locale.data.get("texts") or {}).items():
        own = template(text)[1]
        for hole in strange_holes(text, said):
            listed = " and ".join(f"{{{each}}}" for each in dict.fromkeys(own)) or "none"
            hint = did_you_mean(hole, own) or f"the text has {listed}; what stands in braces is kept as it is"
            linker.complain("R221", f"the text that this translates has no '{{{hole}}}'", locale.span("texts", text), hint)


def _check_names(linker: Linker, locale: Document) -> None:
    """Translated names have to be names of the ruleset, unless parts of it are switched off and with them what they name."""
    if not all(on for package in linker.packages.values() for on in package.parts.values()):
        return
    hooks = {"player", *(name for hook in linker.hooks if (name := getattr(hook.declaration, "name", None)))}
    doubtful = [name for name in locale.data.get("names") or () if name not in hooks and next(linker.targets(name), None) is None]
    if not doubtful:  # all others are looked for only then: there are very many
        return
    linker.known = []
    known = {*hooks, *linker.names()}
    for name in doubtful:
        if name not in known and name not in linker.removed:
            message = f"nothing in '{linker.package.id}' is called '{name}'"
            hint = linker.guesser.hint(name, known) or f"rulewright locale {linker.package.id} {locale.data['language']} puts it aside"
            linker.complain("R220", message, locale.key_span("names", name), hint)

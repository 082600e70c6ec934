"""A build for authors: what is asked for, and besides it every text that belongs to the ruleset but is not read to play like this.

Takes what `build` takes and gives what it gives, with more diagnostics: of parts that are switched off, each read with it on as it would be played, of what only
scenarios use, of rules files that lie in a ruleset's folder and that its manifest does not name, of names in a table that nothing declares, and of scenario
files that do not have the shape of one. Only authors wait for this; games are loaded by `build`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from rulewright import collection, session
from rulewright.build import Besides, Built, build_sources, tree_of
from rulewright.diagnostics import Diagnostic, Related, complain, did_you_mean, in_order, whole_file
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.sources import Package, RulesFile, Sources
from rulewright.sources.packages import STAGING
from rulewright.sources.reading import Reading
from rulewright.sources.scenario_files import misshapen
from rulewright.sources.strays import unlisted
from rulewright.sources.variants import switched_on
from rulewright.table_names import unknown_names
from rulewright.tree import EffectDecl

COMMENTS = re.compile(r"^[ \t]*#.*$", re.MULTILINE)


def validate(
    target: str | Path, layers: Sequence[str | Path] = (), options: Mapping[str, object] | None = None, limits: Limits = DEFAULT_LIMITS
) -> Built:
    """Build the ruleset that a person names, and read what that leaves out."""
    return validate_read(Reading(target, layers, limits), options)


@collection.put_off()
@session.used_here()
def validate_read(read: Reading, options: Mapping[str, object] | None = None) -> Built:
    """The same for somebody who may have read some of it already."""
    options, limits = options or {}, read.limits
    staged = read(options, True)
    built = build_sources(*read(options), limits, besides=_staging_alone(*staged, limits))
    found, others = list(built.diagnostics), []
    for names, chosen in switched_on(built.sources, options):
        others.append(build_sources(*read(chosen), limits))
        found += _with_parts(others[-1], names, built, found)
    found += _unsaid([built, *others])
    found += unknown_names(built)
    if any(package.staging or package.seat for package in built.sources.packages) and not (built.sound and built.checked and built.checked.besides):
        found += _with_staging(build_sources(*staged, limits), built, found)
    built.texts.update(staged[0].texts)
    for package in built.sources.packages:
        found += _strays(package, built, limits)
    found += misshapen(built.sources.packages, limits, built.texts)
    built.diagnostics = in_order(found)
    return built


def _unsaid(builds: Sequence[Built]) -> list[Diagnostic]:
    """Words and texts that the locales of a package translate, and that its rules do not have, with whichever parts; unless something else is wrong with those."""
    package = builds[0].sources.packages[-1] if builds[0].sources.packages else None
    if package is None or not package.locales or not all(one.sound for one in builds):
        return []
    from rulewright.core.lower import lower
    from rulewright.translatable import found_by, said

    entries = [entry for one in builds if one.graph for entry in said(one.graph, lower(one.graph), one.texts, one.sources.packages)]
    there = {entry.found_by for entry in entries}
    found = []
    for locale in package.locales:
        for section, word in (("words", "word"), ("texts", "text")):
            for key in locale.data.get(section) or ():
                if found_by(section, key) not in there:
                    hint = did_you_mean(key, [entry.key for entry in entries if entry.section == section])
                    hint = hint or f"rulewright locale {package.id} {locale.data['language']} puts it aside"
                    found.append(complain("R220", f"no {word} of '{package.id}' reads so", locale.key_span(section, key), hint=hint))
    return found


def _with_parts(other: Built, names: Sequence[str], built: Built, known: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What is wrong only with some parts on: every mistake, and warnings about their own text."""
    built.texts.update(other.texts)
    declared = [part for package in other.sources.packages for name, part in package.declared_parts.items() if name in names]
    own = {file.name for package in other.sources.packages for file in package.files if file.part in names}
    told = f"this is found with the part {' and '.join(repr(name) for name in names[:3])} on"
    related = tuple(Related(part.span, told) for part in declared[:1])
    there = {(one.code, one.message, one.span) for one in known}
    fresh = [one for one in other.diagnostics if (one.code, one.message, one.span) not in there]
    return [replace(one, related=(*one.related, *related)) for one in fresh if one.severity == "error" or one.span.file in own]


def _staging_alone(staged: Sources, problems: Sequence[Diagnostic], limits: Limits) -> Besides:
    """What only scenarios use, if it can be checked besides the rules: no rules say its names, and who gets a part is given it by one of its effects."""
    files = [(file, package.id) for package in staged.packages for file in package.files if file.part == STAGING]
    read = [(tree_of(file, limits), package) for file, package in files]
    if problems or any(problems for (_, problems), _ in read):
        return None
    found = [(declaration, package) for (tree, _), package in read for declaration in tree.declarations]
    seats = {package.seat.name for package in staged.packages if package.seat is not None}
    gives = {one.name for one, _ in found if isinstance(one, EffectDecl) and len(one.parameters) == 2}
    names = "|".join(re.escape(one.name) for one, _ in found if isinstance(one, EffectDecl))
    texts = (COMMENTS.sub("", file.text) for package in staged.packages for file in package.files if file.part != STAGING)
    if not seats <= gives or (names and any(re.search(rf"\b(?:{names})\b", text) for text in texts)):
        return None
    return found


def _with_staging(other: Built, built: Built, known: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What is wrong with what only scenarios use; that no rule uses it is no mistake. The effect that gives a player a part must be there."""
    own = {file.name for package in other.sources.packages for file in package.files if file.part == STAGING}
    found = [one for one in _with_parts(other, [STAGING], built, known) if one.span.file not in own or one.code != "R308"]
    effects = other.checked.effects if other.checked is not None and other.sound else {}
    for package in other.sources.packages if other.sound else ():
        if package.seat is not None and len(effects.get(package.seat.name, {"parameters": ()})["parameters"]) != 2:
            message = f"there is no effect '{package.seat.name}' of a player and a part"
            hint = (
                did_you_mean(package.seat.name, effects)
                or f"declare it in a file of 'staging': effect {package.seat.name}(who: player, part: KIND): ..."
            )
            found.append(complain("R301", message, package.seat.span, hint=hint))
    return found


def _strays(package: Package, built: Built, limits: Limits) -> list[Diagnostic]:
    """Rules files that nobody reads, and what is wrong with their text where it would stand if somebody did."""
    files, found = unlisted(package, limits, built.texts)
    meant = {str(one.hint) for one in built.diagnostics if one.code == "R201"}  # a file that is named, only misspelt, is told of already
    files = [file for file in files if f"did you mean '{Path(file.name).name}'?" not in meant]
    for file in files:
        name = _from_folder(package, file)
        message = f"'{name}' lies in the folder of '{package.id}', but its manifest does not name it, so nobody reads it"
        hint = f"write it into {package.span.file}: 'files: [..., {name}]', or under a part; or keep it in another folder"
        found.append(complain("R217", message, whole_file(file.name), hint=hint))
    if files:
        listed = replace(package, files=(*package.files, *files))
        sources = replace(built.sources, packages=tuple(listed if each is package else each for each in built.sources.packages))
        found += _of_their_own(build_sources(sources, (), limits).diagnostics, files)
    return found


def _from_folder(package: Package, file: RulesFile) -> str:
    """A file as a manifest names it."""
    return file.name.removeprefix(f"{package.folder}/") if package.folder != "." else file.name


def _of_their_own(diagnostics: Sequence[Diagnostic], files: Sequence[RulesFile]) -> list[Diagnostic]:
    """Complaints about some files; of a file that says again what another one says, as a copy does, only what cannot be read."""
    found: list[Diagnostic] = []
    for file in files:
        about = [one for one in diagnostics if one.span.file == file.name and one.severity == "error"]
        copy = any(one.code == "R302" for one in about)
        found += [one for one in about if not copy or one.code.startswith("R1")]
    return found

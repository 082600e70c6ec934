"""Subjects: the parts of a ruleset as its files have them, each as a picture of what happens in it and which other subjects that leads to.

Takes the graph; gives the subjects with the keys of what belongs to them, how often each leads to each, and their pictures. Files of one name in several packages are
one subject: a layer's setup is part of setup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

import msgspec

from rulewright_tools.pictures.labels import as_span
from rulewright_tools.pictures.model import Arrow, Box, Graph, Picture, Style, clean
from rulewright_tools.pictures.names import all_keys, record_of
from rulewright_tools.pictures.overview import box_of, targets_of
from rulewright_tools.pictures.sparing import MOST_ARROWS, with_gaps

MOST_OUTSIDE = 250  # arrows between a subject and others: more of them show nothing any more
Edge = tuple[str, str, Style]  # from a key to a key, in which style


class Subject(msgspec.Struct, frozen=True):
    """A subject: its name in words, and the keys of what belongs to it as they stand in the files."""

    name: str
    keys: tuple[str, ...]

    @property
    def key(self) -> str:
        """The key of its drawing."""
        return f"subject:{self.name}"


def subjects(graph: Graph, texts: Iterable[str]) -> list[Subject]:
    """The subjects, in the order of the packages and their files."""
    order = {file: number for number, file in enumerate(texts)}
    packages = {package["id"]: number for number, package in enumerate(graph["ruleset"]["packages"])}
    found: dict[str, list[tuple[int, int, int, int, str]]] = {}
    for key in all_keys(graph):
        record = record_of(graph, key)
        file, line, column, _, _ = as_span(record["span"])
        found.setdefault(_name(file), []).append((packages.get(record["package"], 0), order.get(file, len(order)), line, column, key))
    ordered = sorted(found.items(), key=lambda part: min(part[1])[:2])
    return [Subject(name, tuple(key for *_, key in sorted(keys))) for name, keys in ordered]


def _name(file: str) -> str:
    return clean(PurePosixPath(file).stem.replace("_", " ")).capitalize() or "Rules"


def edges(graph: Graph) -> list[Edge]:
    """Who calls, offers or hooks whom, up to a limit."""
    found: dict[tuple[str, str], Edge] = {}
    for source, target, style in targets_of(graph, all_keys(graph)):
        found.setdefault((source, target), (source, target, style))
        if len(found) >= MOST_ARROWS:
            break
    return list(found.values())


def between(parts: Sequence[Subject], found: Iterable[Edge]) -> Counter[tuple[str, str]]:
    """How often a subject leads to another, by their keys."""
    home = homes(parts)
    return Counter((home[one], home[two]) for one, two, _ in found if one in home and two in home and home[one] != home[two])


def homes(parts: Sequence[Subject]) -> dict[str, str]:
    """The key of the subject that each key belongs to."""
    return {key: part.key for part in parts for key in part.keys}


def subject_picture(graph: Graph, part: Subject, parts: Mapping[str, Subject], home: Mapping[str, str], found: Sequence[Edge]) -> Picture:
    """What happens in a subject; other subjects that it leads to, or that lead to it, are a box each."""
    own = {key for key in part.keys if _drawn(graph, key)}
    boxes = {key: box_of(graph, key, group="") for key in part.keys if key in own}
    arrows: dict[tuple[str, str], Arrow] = {}
    outside = 0  # arrows from or to other subjects
    for source, target, style in found:
        ends = _end(source, own, home), _end(target, own, home)
        if None in ends or ends[0] == ends[1] != source or not own & {source, target}:
            continue
        one, two = str(ends[0]), str(ends[1])
        if (one, two) in arrows:
            continue
        outside += not own >= {one, two}
        if outside > MOST_OUTSIDE and not own >= {one, two}:
            continue
        for end in (one, two):
            if end not in boxes:
                boxes[end] = Box(f"{end}", "subject", parts[end].name, link=end)
        arrows[one, two] = Arrow(one, two, "", style)
    return Picture(part.name if outside <= MOST_OUTSIDE else with_gaps(part.name), tuple(boxes.values()), tuple(arrows.values()), across=True)


def _drawn(graph: Graph, key: str) -> bool:
    """Whether something has a box of its own in the picture of its subject: it does something, or something happens when it is met."""
    return key.startswith(("effects:", "actions:", "hooks:")) or (key.startswith("methods:") and record_of(graph, key)["entry"] is not None)


def _end(key: str, own: set[str], home: Mapping[str, str]) -> str | None:
    return key if key in own else home.get(key)

"""Collects the manifests of a ruleset, of its parents and of the layers on top, in the order in which they apply.

Takes paths or names, gives manifests and complaints. Refuses rulesets that cannot be found, that are each other's
parents, that share an id, or that wait for each other with `after`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from rulewright.diagnostics import Diagnostic, Related, complain, did_you_mean, whole_file
from rulewright.limits import Limits
from rulewright.sources.locate import entry, find, find_parent, is_absolute, is_path, known_rulesets, shown
from rulewright.sources.manifest import Manifest, Named, read_manifest
from rulewright.sources.pack import SUFFIX, refusal
from rulewright.sources.yamlfile import reason

_PARENT_DEPTH = 20


class Gathering:
    """Collects the manifests of a ruleset, its parents and its layers, each once, parents first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.known = known_rulesets()
        self.texts: dict[str, str] = {}
        self.complaints: list[Diagnostic] = []
        self.manifests: dict[str, Manifest] = {}
        self.parent_ids: dict[str, tuple[str, ...]] = {}
        self._by_file: dict[str, Manifest | None] = {}
        self._open: list[tuple[str, Named]] = []

    def add(self, target: str | Path) -> None:
        """Adds what a person asked for."""
        path = find(target, self.known)
        if path is not None:
            self._visit(path, None)
        else:
            self.complaints.append(_not_found(target, self.known))

    def add_layer(self, target: str | Path) -> None:
        """Adds a layer, unless it stands over something else altogether."""
        below = dict(self.manifests)
        self.add(target)
        added = [manifest for id, manifest in self.manifests.items() if id not in below]
        layer = added[-1] if added else None
        if layer is None or not layer.parents or not below or self._fits(layer, below):
            return
        for manifest in added:
            del self.manifests[manifest.id]
        over, base = ", ".join(parent.name for parent in layer.parents), list(below)[-1]
        message = f"'{layer.id}' is a layer over '{over}', not over '{base}'"
        self.complaints.append(complain("R303", message, layer.parents[0].span, hint=f"name it alone, without '{base}'"))

    def _fits(self, layer: Manifest, below: Mapping[str, Manifest]) -> bool:
        """Whether a layer stands over the same game as what is below it, or over what several games share."""
        if layer.players is None and all(self.manifests[id].shared_by and id in below for id in self.parent_ids[layer.id]):
            return True
        return bool(self._roots(layer.id) & {root for id in below for root in self._roots(id)})

    def _roots(self, id: str) -> set[str]:
        """The games that a ruleset stands on, or itself. What games share makes them no relatives."""
        parents = [parent for parent in self.parent_ids.get(id, ()) if not self.manifests[parent].shared_by]
        return {root for parent in parents for root in self._roots(parent)} if parents else {id}

    def _visit(self, path: Path, named: Named | None) -> Manifest | None:
        if path.name.endswith(SUFFIX):
            message = f"the pack '{shown(path)}' cannot be used: {refusal(path)}"
            self.complaints.append(complain("R201", message, named.span if named else whole_file(shown(path))))
            return None
        real = os.path.realpath(path)
        if any(real == step for step, _ in self._open):
            self._circle(real, named or Named(path.name, whole_file(shown(path))))
            return None
        if real in self._by_file:
            return self._by_file[real]
        if len(self._open) >= _PARENT_DEPTH or len(self._by_file) >= self.limits.files:
            span = named.span if named else whole_file(shown(path))
            self.complaints.append(complain("R606", f"more than {_PARENT_DEPTH} rulesets stand on each other, or too many are used", span))
            return None
        manifest, complaints = read_manifest(path, self.limits, named.span if named else None, self.texts)
        self.complaints += complaints
        if manifest is not None and manifest.id in self.manifests:
            self._same_id(manifest)
            manifest = None
        if manifest is not None:
            self._parents(manifest, real, named)
        self._by_file[real] = manifest
        return manifest

    def _parents(self, manifest: Manifest, real: str, named: Named | None) -> None:
        self._open.append((real, named or Named(manifest.id, manifest.span)))
        ids = [self._parent(manifest, parent) for parent in manifest.parents]
        self._open.pop()
        if manifest.id in self.manifests:  # a parent, or a parent's parent, took the id
            self._same_id(manifest)
            return
        self.manifests[manifest.id] = manifest
        self.parent_ids[manifest.id] = tuple(dict.fromkeys(id for id in ids if id is not None))

    def _parent(self, manifest: Manifest, parent: Named) -> str | None:
        """The id of a parent, which is read if it has not been."""
        if not is_path(parent.name) and parent.name in self.manifests:
            return parent.name
        if is_path(parent.name) and is_absolute(parent.name):
            message = f"the parent '{parent.name}' is an absolute path"
            self.complaints.append(complain("R208", message, parent.span, hint="write its id, or a path from this folder"))
            return None
        path = find_parent(parent.name, manifest.path.parent, self.known)
        if path is None:
            message = f"there is no ruleset '{parent.name}', which '{manifest.id}' names as its parent"
            way = "its path from this folder in quotes" if manifest.alone is not None else "a path from this folder"
            known = [*self.known, *self.manifests, *_lying_in(manifest.path.parent), *_lying_in(manifest.path.parent.parent)]
            hint = did_you_mean(parent.name, known) or f"write the id of a ruleset, or {way}: {_example(parent.name, manifest)}"
            self.complaints.append(complain("R210", message, parent.span, hint=hint))
            return None
        found = self._visit(path, parent)
        return found.id if found else None

    def _circle(self, real: str, named: Named) -> None:
        start = next(at for at, (step, _) in enumerate(self._open) if step == real)
        links = [link for _, link in self._open[start + 1 :]]
        names = [named.name, *(link.name for link in links), named.name]
        related = [Related(link.span, f"'{link.name}' is named as a parent here") for link in links]
        message = f"rulesets are each other's parents: {' → '.join(names)}"
        self.complaints.append(complain("R211", message, named.span, related=related, hint="remove one of the parents"))

    def _same_id(self, manifest: Manifest) -> None:
        other = self.manifests[manifest.id]
        related = [Related(other.span, "the other one")]
        message = f"two rulesets have the id '{manifest.id}'"
        self.complaints.append(complain("R214", message, manifest.span, related=related, hint="give one of them another id"))


def _example(name: str, manifest: Manifest) -> str:
    """How a parent in another folder is named."""
    path = f"../folder/{Path(name).name.removesuffix('.rules')}.rules"
    return f'over "{path}"' if manifest.alone is not None else path


def _not_found(target: str | Path, known: Mapping[str, Path]) -> Diagnostic:
    name = shown(target) if is_path(str(target)) else str(target).encode("utf-8", "replace").decode("utf-8")
    where = whole_file(name)
    packed = f"there is a pack of that name: write {name}{SUFFIX}" if os.path.isfile(f"{target}{SUFFIX}") else None
    try:
        os.stat(target)
    except (OSError, ValueError) as error:
        if not isinstance(error, FileNotFoundError) or is_path(str(target)):
            return complain("R201", f"cannot read '{name}': {reason(error)}", where, hint=packed or did_you_mean(Path(name).name, known))
        names = f"the rulesets are {', '.join(sorted(known)[:30])}" if known else None
        return complain("R210", f"there is no ruleset '{name}'", where, hint=packed or did_you_mean(name, [*known, *_lying_in(Path())]) or names)
    if os.path.isdir(target):
        return _no_manifest(target, name)
    return complain("R201", f"'{name}' is no ruleset", where, hint="name a folder with a ruleset.yaml, or a .rules file")


def _lying_in(folder: Path) -> list[str]:
    """What in a folder might be meant by a name: rules files, and folders that are rulesets."""
    try:
        stems = dict.fromkeys(Path(name).stem for name in sorted(os.listdir(folder))[:1_000])
        return [stem for stem in stems if entry(folder / stem) is not None]
    except OSError:
        return []


def _no_manifest(folder: str | Path, name: str) -> Diagnostic:
    """A folder that is no ruleset; the rules files in it may be what was meant."""
    try:
        lone = sorted(file for file in os.listdir(folder) if file.endswith(".rules"))
    except OSError as error:
        return complain("R201", f"cannot read '{name}': {reason(error)}", whole_file(name))
    lies = f"name a rules file in it: {', '.join(shown(Path(folder) / file) for file in lone[:3])}" if lone else None
    return complain(
        "R201", f"the folder '{name}' has no ruleset.yaml", whole_file(name), hint=lies or "name a folder with a ruleset.yaml, or a .rules file"
    )


def in_order(gathering: Gathering) -> tuple[list[Manifest], list[Diagnostic]]:
    """Manifests as they were found, each moved behind its parents and behind those it says it comes after."""
    waiting = dict(gathering.manifests)
    ordered: list[Manifest] = []
    complaints = []

    def blocked(manifest: Manifest) -> list[str]:
        before = (*gathering.parent_ids[manifest.id], *(named.name for named in manifest.after))
        return [id for id in before if id in waiting]

    while waiting:
        free = next((manifest for manifest in waiting.values() if not blocked(manifest)), None)
        if free is None:
            free, *others = waiting.values()
            span = free.after[0].span if free.after else free.span
            related = [Related(named.span, f"'{other.id}' comes after '{named.name}'") for other in others for named in other.after]
            names = ", ".join(f"'{other.id}'" for other in others)
            message = f"'{free.id}' would have to come after itself: it and {names} wait for each other"
            complaints.append(complain("R211", message, span, related=related, hint="remove one of the names from 'after'"))
        ordered.append(waiting.pop(free.id))
    return ordered, complaints + _not_there(gathering)


def _not_there(gathering: Gathering) -> list[Diagnostic]:
    """Layers that others say they come after, and that are nowhere to be found."""
    found = []
    for manifest in gathering.manifests.values():
        for named in manifest.after:
            if named.name not in gathering.manifests and find_parent(named.name, manifest.path.parent, gathering.known) is None:
                message = f"'{manifest.id}' comes after the layer '{named.name}', which cannot be found"
                beside = [path.stem for path in sorted(manifest.path.parent.glob("*.rules"))]
                hint = did_you_mean(named.name, [*gathering.manifests, *gathering.known, *beside])
                found.append(complain("R216", message, named.span, hint=hint))
    return found

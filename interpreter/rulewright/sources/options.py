"""Which options and parts a game is played with.

Takes the manifests of a ruleset and its layers and what somebody chose, gives the value of every option and part and
complaints. Refuses options, parts and values that no manifest declares, and an option that two manifests declare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.diagnostics import Diagnostic, Related, complain, did_you_mean
from rulewright.sources.manifest import Manifest, Option, Part, Value

_PREFIX = "parts."
_SWITCH = {"on": True, "off": False, "true": True, "false": False}


def choose_options(manifests: Sequence[Manifest], given: Mapping[str, object]) -> tuple[dict[str, Value], list[Diagnostic]]:
    """The value of every option by name, and of every part ('on' or 'off') by `parts.NAME`."""
    declared, complaints = _declared(manifests)
    parts: dict[str, list[Part]] = {}
    for manifest in manifests:
        for name, part in manifest.parts.items():
            parts.setdefault(_PREFIX + name, []).append(part)
            complaints += _check_when(name, part, declared)
    chosen: dict[str, Value] = {name: option.default for name, option in declared.items()}
    switched: dict[str, Value] = {}
    for name, value in given.items() if manifests else ():
        known: Sequence[Value] = declared[name].values if name in declared else ("on", "off") if name in parts else ()
        picked = _picked(value, known)
        if picked is None:
            complaints.append(_refused(name, value, known, [*declared, *parts], manifests))
        elif name in declared:
            chosen[name] = picked
        else:
            switched[name] = picked
    for name, alike in parts.items():
        on = any(_by_itself(part, chosen) for part in alike)
        switched.setdefault(name, "on" if on else "off")
    return chosen | {name: switched[name] for name in parts}, complaints


def parts_in_use(manifest: Manifest, chosen: Mapping[str, Value]) -> dict[str, bool]:
    """For each part of a ruleset whether it is in use."""
    return {name: chosen[_PREFIX + name] == "on" for name in manifest.parts}


def _by_itself(part: Part, chosen: Mapping[str, Value]) -> bool:
    """Whether a part is used when nobody says so: as its `when` says, or else its default."""
    return all(chosen.get(name) == value for name, value in part.when.items()) if part.when else part.default


def _declared(manifests: Sequence[Manifest]) -> tuple[dict[str, Option], list[Diagnostic]]:
    declared: dict[str, Option] = {}
    complaints = []
    for manifest in manifests:
        for name, option in manifest.options.items():
            if name in declared:
                related = [Related(declared[name].span, "first declared here")]
                complaints.append(
                    complain(
                        "R302",
                        f"the option '{name}' is declared twice",
                        option.span,
                        related=related,
                        hint="give it another name",
                    )
                )
            declared.setdefault(name, option)
    return declared, complaints


def _check_when(name: str, part: Part, declared: Mapping[str, Option]) -> list[Diagnostic]:
    found = []
    for option, value in part.when.items():
        if option not in declared:
            message = f"the part '{name}' depends on the option '{option}', which is not declared"
            found.append(complain("R215", message, part.span, hint=did_you_mean(option, declared)))
        elif value not in declared[option].values:
            values = _listed(declared[option].values)
            message = f"the part '{name}' waits for '{option}' to be '{value}', which is none of {values}"
            found.append(complain("R215", message, part.span, hint=did_you_mean(str(value), map(str, declared[option].values))))
    return found


def _picked(value: object, known: Sequence[Value]) -> Value | None:
    """The declared value that somebody means; a command line gives 3 as a text, Python gives True for on."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if text in _SWITCH and tuple(known) == ("on", "off"):
        return "on" if _SWITCH[text] else "off"
    return next((one for one in known if str(one) == text), None)


def _refused(name: str, value: object, known: Sequence[Value], names: Sequence[str], manifests: Sequence[Manifest]) -> Diagnostic:
    where = manifests[-1]
    if known:
        message = f"'{value}' is no value of '{name}': expected {_listed(known)}"
        span = next((manifest.options[name].span for manifest in manifests if name in manifest.options), where.span)
        return complain("R215", message, span, hint=did_you_mean(str(value), map(str, known)))
    message = f"'{where.id}' has no option '{name}'"
    return complain(
        "R215",
        message,
        where.span,
        hint=did_you_mean(name, names) or (f"the options are {_listed(names)}" if names else "it has no options"),
    )


def _listed(values: Sequence[Value]) -> str:
    shown = ", ".join(map(str, values[:20]))
    return shown if len(values) <= 20 else f"{shown} …"

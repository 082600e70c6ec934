"""Everything of a table beside the board, as rows of coloured text: people, what they hold, groups of places, tracks, the decision, the story, rules and reasons.

Takes a table, gives rows. Of several equal things the number is told. What is empty and belongs to nobody's attention is left away.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from rulewright_tools.own_words import Say, english
from rulewright_tools.play.canvas import Row, Run, fit
from rulewright_tools.table import Choice, Decision, Line, Place, Refusal, Rule, Seat, Table, Thing, Track, Value

MANY = 20  # options that are all on a grid are listed up to so many


def keys_of(table: Table) -> dict[str, str]:
    """The key of the option that each thing is about; where several are about one, the first."""
    found: dict[str, str] = {}
    for number, choice in enumerate(options_of(table), start=1):
        for about in choice.about:
            found.setdefault(about, str(number))
    return found


def options_of(table: Table) -> list[Choice]:
    """What this seat may choose from now."""
    decision = table.decision
    return decision.options if isinstance(decision, Decision) else []


def choice_words(table: Table, choice: Choice) -> str:
    """An option in words; a place that is known by what lies there is called that, too."""
    for about in choice.about:
        spot = table.board.spots.get(about)
        if spot is not None and spot.printed and spot.label not in choice.label:
            return f"{choice.label}: {spot.label}"
    return choice.label


# -- words


def value_words(value: Value) -> str:
    """A value as people read it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def words_of(marks: Sequence[str], fields: dict[str, Value]) -> str:
    """What can be read on something."""
    return ", ".join([*marks, *(field_words(name, value) for name, value in fields.items())])


def field_words(name: str, value: Value) -> str:
    """A field with its value; its name is left away where the value says it too."""
    words = value_words(value)
    return words if name in words.split() else f"{name} {words}"


def thing_words(thing: Thing) -> str:
    """A thing with what can be read on it."""
    said = words_of(thing.marks, thing.fields)
    return f"{thing.label} ({said})" if said else thing.label


def thing_runs(table: Table, place: Place, keys: dict[str, str]) -> Row:
    """What lies in a place, equal things told once."""
    sorts: dict[tuple[str, str, bool, str], list[Thing]] = {}
    inside = {other.owner: other for other in table.places.values() if other.owner}
    for member in place.members:
        thing = table.things[member]
        words = thing_words(thing)
        if thing.id in inside and inside[thing.id].count and inside[thing.id].id != place.id:
            held = inside[thing.id]
            words += f" [{held.label}: {_count_words(table, held)}]"
        sorts.setdefault((words, thing.look.colour, thing.hidden, keys.get(member, "")), []).append(thing)
    runs: Row = []
    for (words, colour, hidden, key), things in sorts.items():
        runs += [Run(", ", dim=True)] if runs else []
        runs += [Run(f"[{key}] ", "teal", True, False, things[0].id)] if key else []
        runs.append(Run(words if len(things) == 1 and not hidden else f"{len(things)} × {words}", colour, not hidden, hidden, things[0].id))
    return runs


def _thing_run(thing: Thing) -> Run:
    return Run(thing_words(thing), thing.look.colour, not thing.hidden, thing.hidden, thing.id)


def _count_words(table: Table, place: Place) -> str:
    labels = [table.things[member].label for member in place.members if member in table.things]
    one = dict.fromkeys(labels)
    return ", ".join(label if labels.count(label) == 1 else f"{labels.count(label)} × {label}" for label in one) or str(place.count)


def place_row(table: Table, place: Place, keys: dict[str, str], say: Say = english) -> Row:
    """A place with what lies there."""
    row: Row = [Run("  ")]
    if place.id in keys:
        row.append(Run(f"[{keys[place.id]}] ", "teal", True, False, place.id))
    row.append(Run(f"{place.label}: ", place.look.colour, False, True, place.id))
    told, top = [member for member in place.members if member in table.things], say("on top")
    if place.shape in ("pile", "bag") and len(told) != place.count:
        row.append(Run(str(place.count), target=place.id))
        tops = thing_runs(table, place, keys) if len(told) > 1 or (told and told[0] in keys) else [_thing_run(table.things[told[-1]])] if told else []
        row += [Run(f", {top} ", dim=True), *tops] if tops else []
    elif place.shape == "pile" and len(told) > 1 and not any(member in keys for member in told):
        row += [Run(f"{place.count}, {top} ", target=place.id), _thing_run(table.things[told[-1]])]
    else:
        row += thing_runs(table, place, keys) or [Run("–", dim=True)]
    return row


# -- people, groups, tracks


def seat_rows(table: Table, seat: Seat, name: str, keys: dict[str, str], say: Say = english) -> list[Row]:
    """A player with everything that belongs to them, and to the components they decide for."""
    parts = [table.things[each].label for each in seat.stands_for if each in table.things]
    said = ", ".join([*(part for part in parts if part not in seat.fields.values()), *filter(None, [words_of(seat.marks, seat.fields)])])
    ends = f"  {say(seat.outcome)}" if seat.outcome else ""
    rows: list[Row] = [
        [Run(f"{name}", seat.look.colour, True, False, seat.id), Run(f"  {said}" if said else "", dim=True), Run(ends, "yellow", True)]
    ]
    owners = {seat.id, *seat.stands_for}
    for place in table.places.values():
        if place.owner in owners and (
            place.count or (place.shape == "hand" and place.owner == seat.id and seat.number == table.seat and place.count)
        ):
            rows.append(place_row(table, place, keys, say))
    return rows


def group_rows(table: Table, keys: dict[str, str], say: Say = english) -> list[Row]:
    """Groups of places and tracks; then what is in no group and lies beside the board."""
    said = words_of(
        [name for name, value in table.state.items() if value is True], {name: value for name, value in table.state.items() if value is not True}
    )
    rows: list[Row] = [[Run(say("Table") + ": ", bold=True), Run(said)]] if said else []
    shown = set(table.board.spots)
    for group in table.groups:
        inside: list[Row] = []
        for member in group.members:
            shown.add(member)
            if member in table.tracks:
                inside.append(track_row(table.tracks[member]))
            elif member in table.places and (table.places[member].count or member in keys):
                inside.append(place_row(table, table.places[member], keys, say))
        rows += [[Run(group.label, bold=True)], *inside] if inside else []
    rest = [track_row(track) for name, track in table.tracks.items() if name not in shown]
    people = {owner for seat in table.seats.values() for owner in (seat.id, *seat.stands_for)}
    links = set(table.board.links)
    for place in table.places.values():
        if place.id not in shown and place.owner not in people and place.owner not in links and (place.count or place.id in keys):
            if place.owner and place.owner != place.id and place.owner in table.things:
                continue  # told with its owner
            rest.append(place_row(table, place, keys, say))
    return [*rows, *([[Run(say("Also on the table"), bold=True)]] if rows and rest else []), *rest]


def track_row(track: Track) -> Row:
    """A track with its marker."""
    row: Row = [Run(f"  {track.label}: ", dim=True, target=track.id)]
    for number, space in enumerate(track.spaces, start=1):
        here = number == track.space
        row.append(Run(f"[{number}]" if here else "·", space, here, not here, track.id))
    row.append(Run(f"  {track.spaces[track.space - 1].replace('_', ' ')}" if 1 <= track.space <= len(track.spaces) else "", dim=True))
    return row


# -- the decision and the story


def decision_rows(table: Table, asked: str, width: int, say: Say = english) -> list[Row]:
    """What is asked, and the options with their keys."""
    decision = table.decision
    if not isinstance(decision, Decision):
        return []
    rows: list[Row] = [[Run(fit(f"{asked}: {decision.prompt}", width), "", True)]]
    if len(decision.options) > MANY and all(_on_a_grid(table, choice) for choice in decision.options):
        return [*rows, [Run("      " + say("1 to {n}, as the board shows", n=len(decision.options)))]]
    for number, choice in enumerate(decision.options, start=1):
        chance = f"  ({choice.chance})" if choice.chance else ""
        rows.append(
            [
                Run(f"{number:>4}  ", "teal", True, False, f"option:{number}"),
                Run(choice_words(table, choice), target=f"option:{number}"),
                Run(chance, dim=True),
            ]
        )
    return rows


def _on_a_grid(table: Table, choice: Choice) -> bool:
    return any(name in table.board.spots and table.board.spots[name].grid for name in choice.about)


KINDS = {"action": ("teal", False), "choice": ("teal", False), "message": ("", False), "outcome": ("yellow", True), "end": ("yellow", True)}


def story_rows(lines: Iterable[Line], width: int) -> list[Row]:
    """Lines of the story, under their headings."""
    rows: list[Row] = []
    for line in lines:
        colour, bold = KINDS.get(line.kind, ("", False))
        heading = line.kind == "heading"
        for number, part in enumerate(textwrap.wrap(line.text, max(width - 2, 20)) or [""]):
            indent = "" if heading and number == 0 else "  " if number == 0 else "    "
            rows.append([Run(indent), Run(part, colour, bold or heading, line.kind in ("event", "move", "set", "shuffle"), f"rule:{line.rule}")])
    return rows


# -- rules and reasons


def rule_rows(rules: Sequence[Rule], width: int, say: Say = english) -> list[Row]:
    """Rules as they are written, with the rulebook behind them."""
    rows: list[Row] = []
    for rule in rules:
        rows.append([Run(f"{rule.what} {rule.path}", "", True), Run(f"  {rule.place}", dim=True)])
        rows += [[Run(f"  {line}")] for line in rule.text.splitlines()]
        for title, parts in ((say("changed"), rule.changes), (say("hooks"), rule.hooks)):
            rows += [[Run(f"  {title}: ", dim=True), Run(part.splitlines()[0])] for part in parts]
        rows += [row for cited in rule.cites for row in _cited(cited.id, cited.page, cited.statement, width)]
    return rows


def refusal_rows(refused: Sequence[Refusal], width: int, fully: bool = True) -> list[Row]:
    """Why actions are not offered; fully with the rulebook behind it."""
    rows: list[Row] = []
    told: set[str] = set()  # what stands behind several is quoted once
    for refusal in refused:
        for number, reason in enumerate(refusal.reasons):
            said = Run(f"  {refusal.label}: " if number == 0 else "    ", bold=True)
            rows.append([said, Run(reason.reason, "orange"), Run(f"  {reason.place}" if fully and reason.place else "", dim=True)])
            new = [cited for cited in reason.cites if fully and cited.id not in told]
            told |= {cited.id for cited in new}
            rows += [row for cited in new for row in _cited(cited.id, cited.page, cited.statement, width)]
    return rows


def _cited(rule: str, page: str, statement: str, width: int) -> list[Row]:
    lines = textwrap.wrap(f"{rule} ({page}): {statement}" if page else f"{rule}: {statement}", max(width - 6, 30))
    return [[Run("    "), Run(line, "teal")] for line in lines]

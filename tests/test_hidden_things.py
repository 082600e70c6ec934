"""What is hidden stays hidden: whatever some people cannot know is changed, and what they see and are offered must stay the same, byte for byte.

The people are one player who has to decide, or everybody at the table. Components that none of them can tell change places with others that look like them, and
fields that none of them can read change values. Then the view, the decision with its words and options, and the reasons why something is not offered must be the same.

After that both games go on with the same choices, side by side. Rules turn over what was hidden, and from there on two games may go different ways; until then
they must not. So the logs are compared up to the first entry, in either, that lets the people tell one of the exchanged components (or says how the game ends: hidden
goals count there); where there is none, the views and the next decision too. Where another player has to decide, who knows more, nothing can be asked of one player's game any
more: whether that one has something to decide at all may hang on a hand of cards. What is written in secret fields is asked about by rules and answered aloud, without being shown (a scanner
tells whether a card is infected): fields are changed for a look at the moment, and have their old values again when the games go on.

Hands are filled with one of nearly everything that could ever come into them, so that what is rarely offered is looked at too.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from rulewright.game import inquiry
from rulewright.game.game import Game
from rulewright.game.log_text import WORDS
from rulewright.game.renaming import acting, rename, renamed
from rulewright.game.story import Story
from rulewright.scenario import Stage, load_scenarios, play, run_scenario
from rulewright.scenario.board import Board
from rulewright.scenario.options import choose as choose_in_scenario
from tests.playing import ROOT, game_by, rules_of
from tests.random_rules import random_rules
from tests.test_games import CARDS, anew, everybody, eyes_of, loaded, new_game
from tests.test_views import EVERYTHING

STEPS = 5  # choices that both games go on with
NEARLY = 0.7  # of everything comes into full hands, another part each time
SCENARIOS = 15  # of a ruleset
REASONS = 6  # things that are asked for why they are not offered, at each look
OWN = {"op": "var", "name": "owner"}  # seen by owner
People = Sequence[int | None]


class Changed(NamedTuple):
    """A game that some people cannot tell from another, what has changed places in it, and of that what could not even be read that is for all to read."""

    game: Game
    things: set[int]
    covered: set[int]


# -- changing what cannot be known


def unknown(game: Game, people: People) -> list[list[int]]:
    """Components that none of these people can tell, put together with those that look the same and could lie where they lie."""
    world, machine = game.world, game._machine
    eyes = [eyes_of(game, each) for each in people]
    fixed = acting(machine) | named_in_fields(game)  # whose own text is being carried out, all can see
    alike: dict[Any, list[int]] = {}
    for thing in range(world.count):
        if thing in fixed or any(each.knows(thing) for each in eyes):
            continue
        face_down = world.hidden_while[thing] is not None and is_face_down(game, thing)
        alike.setdefault((world.kinds[thing], world.beginning(thing), face_down, str([each.component(thing) for each in eyes])), []).append(thing)
    return [group for group in alike.values() if len(group) > 1]


def is_face_down(game: Game, thing: int) -> bool:
    """Whether it is hidden while something holds, and that holds."""
    rule = game.world.hidden_while[thing]
    asked = inquiry.Inquiry(game._machine).ask(f"face down {game.world.kinds[thing]}", [("self", "one", "kind")], inquiry.test_of(rule), [thing])
    return bool(asked)


def slots_of(game: Game, *sorts: str) -> Iterable[int]:
    """Where fields speak of components, or of places."""
    world = game.world
    for thing, kind in enumerate(world.kinds):
        for name, field in world.graph["kinds"].get(kind, {"fields": {}})["fields"].items():
            if (field["type"].get("of") or field["type"])["how"] in sorts:
                yield world.base[thing] + world.slots[kind][name]


def named_in_fields(game: Game) -> set[int]:
    """Components that fields speak of: some are printed there, and who reads that knows which are meant, wherever they lie."""
    found = (game.state.values[slot] for slot in slots_of(game, "kind", "any"))
    return {each for one in found for each in (one if type(one) is tuple else [one]) if type(each) is int}


def changed(game: Game, people: People, dice: random.Random) -> Changed | None:
    """Things of one sort that these people cannot tell, or of all sorts, have changed places at random; None where there are none, or where it shows."""
    groups = unknown(game, people)
    if groups and dice.random() < 0.5:
        groups = [dice.choice(groups)]
    instead: dict[int, int] = {}
    for group in groups:
        instead.update((old, new) for old, new in zip(group, dice.sample(group, len(group)), strict=True) if old != new)
    made = game.clone()
    state = made.state
    for old, new in list(instead.items()):  # what lies in a thing stays where it is
        instead.update(zip(game.world.places_of.get(old, ()), game.world.places_of.get(new, ()), strict=True))
    state.members = [tuple(instead.get(each, each) for each in game.state.members[now]) for now in swapped(instead, game.world.place_count)]
    for place, members in enumerate(state.members):
        for thing in members:
            state.where[thing] = place
    for old, new in instead.items():
        if old < game.world.count:
            state.known[new] = game.state.known[old]
    rename(made._machine, instead)
    for slot in slots_of(made, "place"):
        state.values[slot] = renamed(state.values[slot], instead)
    known_before, known_now = ([told(each, person) for person in people] for each in (game, made))
    things = {each for each in instead if each < game.world.count}
    covered = {each for each in things if game.world.backs[each] and not game._machine.back_of(each)}
    return Changed(anew(made), things, covered) if instead and known_before == known_now else None


def swapped(instead: dict[int, int], count: int) -> list[int]:
    """By each number, the one it is instead of."""
    before = {new: old for old, new in instead.items()}
    return [before.get(number, number) for number in range(count)]


def told(game: Game, person: int | None) -> list[bool]:
    """Which components somebody can tell."""
    eyes = eyes_of(game, person)
    return [eyes.knows(thing) for thing in range(game.world.count)]


def rewritten(game: Game, people: People, dice: random.Random) -> Game:
    """A clone in which fields that none of these people can read have the values of others; and chance will give something else."""
    made = game.clone()
    world, values = made.world, made.state.values
    eyes = [eyes_of(game, each) for each in people]
    slots: dict[tuple[str, str], list[int]] = {}
    for thing in range(world.count):
        kind = world.kinds[thing]
        for name, field in world.graph["kinds"].get(kind, {"fields": {}})["fields"].items():
            if field["seen_by"] is not None and not any(each.can(game._machine.field_readers(thing, name)) for each in eyes):
                slots.setdefault((kind, name), []).append(world.base[thing] + world.slots[kind][name])
    for group in slots.values():
        for slot, value in zip(group, dice.sample([values[each] for each in group], len(group)), strict=True):
            values[slot] = value
    made.state.random = dice.getrandbits(60)
    return anew(made)


def with_full_hands(game: Game, dice: random.Random) -> Game:
    """A clone in which whoever has to decide has one of nearly everything that could lie where only they can see it; the rest stays hidden."""
    made = game.clone()
    machine, world, state = made._machine, made.world, made.state
    assert made.decision is not None
    mine = [place for place, owner in world.place_owner.items() if machine.decider(owner) == made.decision.player - 1]
    for place in mine:
        spec = world.place_spec(place)
        if spec["seen_by"] != OWN or spec["holds"] is None or spec["capacity"] is not None:
            continue
        held = {world.definitions[each] for each in state.members[place]}
        for thing in world.by_noun[spec["holds"]]:
            if world.definitions[thing] not in held and dice.random() < NEARLY:
                held.add(world.definitions[thing])
                machine.put(thing, place, "top")
    return anew(made)  # an offer of which nothing is left, since what was offered is in the hand now, is over


# -- what must be the same


def same_now(game: Game, other: Game, people: People, dice: random.Random) -> None:
    """These people see the same, are asked the same, and are told the same reasons."""
    assert game.decision is not None
    decider = game.decision.player
    for person in {people[0], decider} & set(people):
        same(game.view(person), other.view(person), f"the view of {person}")
    if decider not in people:
        return
    same(game.decision, other.decision, "the decision")
    things = [*game.world.graph["actions"], *(game.world.identities[each] for each in dice.sample(range(game.world.count), REASONS))]
    for thing in dice.sample(things, min(REASONS, len(things))):
        same(game.why_not(decider, thing), other.why_not(decider, thing), f"why not {thing}")


def same_later(game: Game, changed: Changed, people: People, dice: random.Random, steps: int = STEPS) -> int:
    """Both games go on with the same choices: these people see no difference before something exchanged comes to light. Gives how many choices were compared."""
    one, other = game.clone(), changed.game
    path: list[str] = []
    while (ask := one.decision) is not None and ask.player in people and len(path) < steps:
        begun = one.log_length, other.log_length
        path.append(dice.choice(ask.options).id)
        one.choose(path[-1])
        other.choose(path[-1])
        going_on = all(made.decision is not None and made.decision.player in people for made in (one, other))
        lit = [same_tale(one, other, person, changed, begun, going_on, path) for person in people]
        if any(lit) or not going_on or any(come_to_light(made, changed, people) for made in (one, other)):
            break
        same(one.view(people[0]), other.view(people[0]), f"the view of {people[0]} after {path}")
        same(one.decision, other.decision, f"the decision after {path}")
    return len(path)


def come_to_light(game: Game, changed: Changed, people: People) -> bool:
    """Whether anybody can now tell something exchanged, or can now read what is for all to read on it (the next card of a pile is on top)."""
    told = any(eyes_of(game, person).knows(thing) for person in people for thing in changed.things)
    return told or any(game._machine.back_of(thing) for thing in changed.covered)


def same_tale(one: Game, other: Game, person: int | None, changed: Changed, begun: tuple[int, int], going_on: bool, path: list[str]) -> bool:
    """What somebody reads of a choice is the same up to where something exchanged comes to light; gives whether it does."""
    (first, lit), (second, other_lit) = (tale(made, person, changed, start) for made, start in zip((one, other), begun, strict=True))
    length = min(len(first), len(second)) if lit or other_lit or not going_on else None
    same(first[:length], second[:length], f"the log of {person} after {path}")
    if length is None:
        stories = [Story(made, person, start=start).rest() for made, start in zip((one, other), begun, strict=True)]
        told, again = ([msgspec.structs.replace(line, position=0) for line in lines] for lines in stories)
        same(told, again, f"the story of {person} after {path}")
    return lit or other_lit


def tale(game: Game, person: int | None, changed: Changed, start: int) -> tuple[list[tuple[Any, ...]], bool]:
    """The log since some entry as somebody reads it, up to where they can tell something exchanged or what is for all to read on it, and whether there is such an entry."""
    bit = game.world.players if person is None else person - 1
    found: list[tuple[Any, ...]] = []
    for entry, written in zip(game.entries(start), game.state.log[start:], strict=True):
        spoken_of = entry.get("components", [entry["component"]] if "component" in entry else [])
        told = changed.things.intersection(spoken_of) and entry["seen"] >> bit & 1
        if entry["kind"] in ("outcome", "end") or told or changed.covered.intersection(spoken_of):
            return found, True
        text = WORDS[entry["kind"]](game._machine.linked.wording, written[2:], lambda bits: bits >> bit & 1 == 1, {})
        if text is not None:
            found.append((text, entry["cause"], entry["depth"], entry["phase"]))
    return found, False


def same(one: Any, other: Any, what: str) -> None:
    assert repr(one) == repr(other), f"{what}: {difference(one, other)}"


def difference(one: Any, other: Any) -> str:
    """Where two pieces of data come apart."""
    if hasattr(one, "options") and hasattr(other, "options"):
        either = [
            *(f"- {each.id}" for each in one.options if each not in other.options),
            *(f"+ {each.id}" for each in other.options if each not in one.options),
        ]
        return f"{one.prompt} / {other.prompt}: {either}"
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(one, dict) and isinstance(other, dict):
        parts = ((one.get(key), other.get(key)) for key in {**one, **other})
    elif isinstance(one, list) and isinstance(other, list):
        parts = itertools.zip_longest(one, other)
    return next((difference(*pair) for pair in parts if repr(pair[0]) != repr(pair[1])), f"{one!r:.300} / {other!r:.300}")


def look(game: Game, dice: random.Random) -> int:
    """At one decision, everything; gives how many games were compared with it, now and later."""
    compared = 0
    if game.decision is None:
        return compared
    for people in ((game.decision.player,), everybody(game)):
        same_now(game, rewritten(game, people, dice), people, dice)
        found = changed(game, people, dice)
        if found is not None:
            same_now(game, found.game, people, dice)
            compared += 1 + same_later(game, found, people, dice)
    return compared


# -- in random games

LONGEST = 600
GAMES = [
    ("base", 2),
    ("base", 3),
    ("carnomorphs", 2),
    ("lockdown", 1),
    ("lockdown", 2),
    ("base_alt_board", 1),
    ("lockdown_surface", 2),
]


def look_all_through(game: Game, looks: int, longest: int) -> int:
    """Play at random, and look at decisions on the way, with the hands as they are and with full hands; gives how many games were compared."""
    chooser, dice = random.Random(game.seed), random.Random(-game.seed)
    compared = 0
    for _ in range(longest):
        if game.decision is None:
            break
        if dice.random() < looks / longest:
            compared += look_twice(game, dice)
        game.choose(chooser.randrange(len(game.decision.options)))
    return compared


def look_twice(game: Game, dice: random.Random) -> int:
    """With the hands as they are, and where actions are offered with full hands."""
    full = game.decision is not None and game.decision.kind == "action"
    return look(game, dice) + (look(with_full_hands(game, dice), dice) if full else 0)


def test_what_cannot_be_known_makes_no_difference() -> None:
    """In the beginning of a game."""
    assert look_all_through(game_by(loaded("rulesets/base"), 3, 2), 6, 80) > 20


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_what_cannot_be_known_makes_no_difference_all_through_a_game(name: str, seed: int) -> None:
    """In whole games; the seed decides how many play, and by which options."""
    assert look_all_through(new_game(f"rulesets/{name}", seed), 25, LONGEST) > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["base", "carnomorphs", "lockdown"])
def test_what_cannot_be_known_makes_no_difference_in_scenarios(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rules are tried out games are in states that chance seldom leads to: there, before choices in one scenario out of many."""
    dice, compared = random.Random(name), 0

    def choose(board: Board, pick: Any) -> None:
        nonlocal compared
        names, script = board.keep(), board.game.script
        answers, script.answers = script.answers, type(script.answers)()  # what chance is told is for the choice of the scenario
        compared += look_twice(board.game, dice)
        script.answers = answers
        board.restore(names)
        choose_in_scenario(board, pick)

    monkeypatch.setattr(play, "choose", choose)
    stage = Stage()
    scenarios = [scenario for path in sorted((ROOT / "rulesets" / name / "scenarios").glob("*.yaml")) for scenario in load_scenarios(path)[0]]
    for scenario in dice.sample(scenarios, SCENARIOS):
        assert run_scenario(scenario, stage).passed, scenario.name
    assert compared > SCENARIOS


# -- by rules in which everything can be hidden


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["views", "games"])
def test_what_cannot_be_known_makes_no_difference_by_small_rules(name: str, seed: int, tmp_path: Path) -> None:
    """Things in places of things that lie face down, fields that speak of hidden things and of such places, sets of them."""
    rules = rules_of(tmp_path, {"views": EVERYTHING, "games": CARDS}[name], engine="step")
    assert look_all_through(game_by(rules, 2, seed), 20, 40) > 50


@pytest.mark.parametrize("seed", range(6))
def test_what_cannot_be_known_makes_no_difference_by_random_rules(seed: int, tmp_path: Path) -> None:
    """Whatever the rules."""
    look_all_through(game_by(rules_of(tmp_path, random_rules(seed), engine="step"), 2, seed), 20, 40)


# -- the test itself

TABLE = """
kind player:
    place hand: a row of card, seen by owner
kind card:
    up: flag
    hidden while not up
kind safe:
    code: 1..6, seen by nobody
kind chip
place deck: a pile of card, seen by nobody
place table: a row of card
place supply: an area of chip
place out: an area of chip
card ace "Ace" in deck
card king "King" in deck
card queen "Queen" in deck
card jack "Jack" in deck
card lens "Lens"
safe left "Left"
safe right "Right"
chip chips "Chip" x5 in supply
value covered gives card: the top card in deck
phase setup:
    shuffle deck
    move exactly 2 cards from deck to table
    chance chooses n: a number from 1 to 6
    set left.code to n
    set right.code to 7 - n
phase play:
    repeat 5 times:
        for each player in players ordered by seat: offer actions to player
action wait "Wait":
    do: nothing
"""

LEAKS = {  # the rules that leak, and where it shows first
    "an option that hangs on what lies face down": (
        "the decision: ",
        """action dig "Dig":
    when ace is in deck
    do: nothing""",
    ),
    "an option that hangs on it and on a rare card": (
        "the decision: ",
        """action spy "Spy":
    when actor.hand holds lens and ace is in table
    do: nothing""",
    ),
    "an option that hangs on a field that nobody can read": (
        "the decision: ",
        """action crack "Crack":
    when left.code > 3
    do: nothing""",
    ),
    "words that name it": (
        "the decision after",
        """action dig "Dig":
    do:
        actor chooses one:
            "Take {covered}": nothing
            "Leave": nothing""",
    ),
    "a reason that hangs on it": (
        "why not dig",
        """action dig "Dig":
    when ace is in deck because "there is no ace"
    when 1 = 2 because "it is not done"
    do: nothing""",
    ),
    "something moved for all to see because of it": (
        "the log of",
        """action dig "Dig":
    do:
        if covered is ace: move a chip from supply to out""",
    ),
    "a message because of it": (
        "the log of",
        """action dig "Dig":
    do:
        if ace is in table: log "How lucky."
""",
    ),
    "a number that all can see": (
        "the log of",
        """kind score_sheet:
    aces: 0..9
score_sheet sheet
action dig "Dig":
    do: set sheet.aces to count of cards in table where it is ace""",
    ),
    "a look before it is shown": (
        "the log of",
        """action dig "Dig":
    do:
        if covered is ace: log "Now look."
        set covered.up to true""",
    ),
    "the next choice": (
        "the decision after",
        """action dig "Dig":
    do:
        actor chooses one:
            "Take" when covered is ace: nothing
            "Leave": nothing""",
    ),
    "a hidden hand that others are offered something by": (
        "the decision: ",
        """action ask "Ask":
    when any player where it is not actor and it.hand holds ace
    do: nothing
action deal "Deal":
    when deck holds a card
    do: draw a card from deck to (the player where it is not actor).hand""",
    ),
}

SOUND = {
    "what is turned over may be acted on": """action dig "Dig":
    when deck holds a card
    do:
        draw a card from deck to table as found
        set found.up to true
        if found is ace: move a chip from supply to out
        else: log "Nothing."
""",
    "what is drawn into a hand may be played": """action take "Take":
    when deck holds a card
    do: draw a card from deck to actor.hand
action boast "Boast":
    when actor.hand holds ace
    do: log "An ace!"
""",
    "what only one player was shown may be used by that one": """action peek "Peek":
    do: show covered to actor
action point "Point":
    when deck holds a card
    do:
        actor chooses meant: a card in table
        move meant to deck""",
}


def leak(folder: Path, text: str) -> str:
    """The difference that is found in games by the rules of the table and some more; empty if there is none."""
    rules = rules_of(folder, TABLE + text + "\n", engine="step")
    try:
        for seed in range(5):
            look_all_through(game_by(rules, 2, seed), 10, 10)
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_found(name: str, tmp_path: Path) -> None:
    """Rules that let out what lies face down are caught, where they do."""
    where, rules = LEAKS[name]
    assert leak(tmp_path, rules).startswith(where)


@pytest.mark.parametrize("name", SOUND)
def test_what_is_shown_may_make_a_difference(name: str, tmp_path: Path) -> None:
    """Rules that show first and act then are not."""
    assert leak(tmp_path, SOUND[name]) == ""


def test_a_rare_offer_is_only_reached_with_full_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The leak that hangs on a rare card is not found with the hands as they are."""
    monkeypatch.setitem(globals(), "with_full_hands", lambda game, dice: game)
    assert leak(tmp_path, LEAKS["an option that hangs on it and on a rare card"][1]) == ""

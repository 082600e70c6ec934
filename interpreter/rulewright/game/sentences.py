"""Sentences: what is said of single entries of a log in the story of a game, for one pair of eyes.

Takes an entry and the past at which it stands, gives a `Draft`: a template in which names stand as they are, undeclined, and what goes into it; or nothing, where there is
nothing to be told. Whatever a player could not tell is counted, and called by what lies in such places. All words that are not the rules' own are the `SENTENCES` of this
module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rulewright.check.symbols import pluralised
from rulewright.core import program as c
from rulewright.game.log_text import choice_words, field_type, message_words
from rulewright.game.past import Past
from rulewright.step.record import component_of, is_worded
from rulewright.step.state import Entry
from rulewright.step.wording import Wording, innermost

# Everything that a story says in words of its own; all of them are looked up in a catalog, by `say`.
SENTENCES = {
    "draws": "{who} draws {things}.",
    "draws from": "{who} draws {things} from {place}.",
    "pays": "{who} pays {things}.",
    "moves": "{things}: {before} → {to}.",
    "shuffled": "{place} is shuffled.",
    "is": "{things}: {field}.",
    "is not": "{things}: no longer {field}.",
    "has no": "{things}: no {field} any more.",
    "changes": "{things}: {field} {before} → {value}.",
    "becomes": "{things}: {field} {value}.",
    "shown": "Shown: {things}.",
    "shown to all": "Shown to all: {things}.",
    "rolls": "{die}: {face}.",
    "chooses in secret": "{who} chooses in secret.",
    "chooses": "{who} chooses {picks}.",
    "chooses, asked": "{who} chooses {picks} ({question}).",
    "does": "{who}: {picks}.",
    "does, asked": "{who}: {picks} ({question}).",
    "does for": "{who}: {picks}, paying {things}.",
    "does with, for": "{who}: {picks} ({question}), paying {things}.",
    "won": "{things}: won.",
    "lost": "{things}: lost.",
    "eliminated": "{things}: out of the game.",
    "won because": "{things}: won. {reason}",
    "lost because": "{things}: lost. {reason}",
    "eliminated because": "{things}: out of the game. {reason}",
    "end": "The game ends.",
    "last page": "The end",
    "player": "{player} ({name})",
    "stands won": "{who} won. {reason}",
    "stands lost": "{who} lost. {reason}",
    "stands eliminated": "{who} was out of the game. {reason}",
    "stands ": "{who} neither won nor lost. {reason}",
    "decisions": "Decisions: {count} ({each}).",
    "decisions of": "{who} {count}",
    "rolled": "Rolls: {count}.",
    "score": "The score is {points}.",
    "so many": "{count} {things}",
    "times": "{count} × {thing}",
    "thing": "thing",
    "things": "things",
}


def sentence(words: Wording, which: str, /, **values: object) -> str:
    """One of the sentences, with its values."""
    return words.say(SENTENCES[which], **values)


OWN_WORDS = ""  # what the rules say themselves


class Draft(msgspec.Struct):
    """Something to be told; equal ones that are neighbours are told together."""

    kind: str  # heading, action, choice, event, message, reason, outcome, end
    template: str
    cause: tuple[Any, ...]
    position: int
    names: dict[str, str] = {}
    things: dict[tuple[str, str | None], int] = {}  # by name, or by what things that cannot be told are called: one, and several
    components: list[int] = []
    player: int | None = None
    number: int | None = None
    picks: list[str] = []
    deed: str | None = None  # of an action or a reaction, the path
    question: int | None = None  # of a choice
    named: frozenset[int] = frozenset()  # of a message, the players that it names, themselves or by what they decide for
    phase: str | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What has to be the same in two that are told together."""
        return self.kind, self.template, self.cause, self.names, self.player


class Sentences:
    """Says what happens, as one pair of eyes sees it."""

    def __init__(self, past: Past, can: Callable[[int], bool]) -> None:
        self.past, self.can, self.words, self.names = past, can, past.words, past.names
        self.world = self.words.world
        self.can_all = self.world.everyone
        self.graph, self.stacks = self.world.graph, self.world.piles | self.world.bags

    def text(self, draft: Draft) -> str:
        """The whole sentence."""
        if draft.template == OWN_WORDS:
            return draft.names["text"]
        things = ", ".join(self._counted(*name, count) for name, count in draft.things.items())
        text = sentence(self.words, draft.template, things=things, picks=", ".join(draft.picks), **draft.names)
        return text[:1].upper() + text[1:]

    def _counted(self, one: str, several: str | None, count: int) -> str:
        """So many things of a name, or of a sort."""
        if several is not None:
            return sentence(self.words, "so many", count=count, things=one if count == 1 else several)
        return one if count == 1 else sentence(self.words, "times", count=count, thing=one)

    def draft(self, entry: Entry, position: int) -> Draft | None:
        """What is said of an entry, if anything."""
        kind, cause, *parts = entry
        return TABLE[kind](self, parts, (cause, position))

    # -- what is moved and changed

    def _move(self, parts: Sequence[Any], about: tuple[Any, int]) -> Draft | None:
        component, before, to, seen, tellers = parts
        if before == to or self._is_untold(before) or self._is_untold(to):
            return None
        told, names = self.can(tellers), dict[str, str]()
        giver, taker = self._player(before), self._player(to)
        if str(about[0][0]).startswith("cost ") and giver is not None:
            template, names["who"] = "pays", self.names[giver]
        elif taker is not None and before in self.stacks and to not in self.stacks:
            template = "draws" if giver == taker else "draws from"
            names = {"who": self.names[taker]} | ({} if giver == taker else {"place": self._place(before, told)})
        else:
            template, names = "moves", {"before": self._place(before, told), "to": self._place(to, told)}
        made = Draft("event", template, about[0], about[1], names)
        self._add(made, component, self.can(seen), before, to)
        return made

    def _add(self, draft: Draft, component: int, seen: bool, *places: int) -> None:
        """Something that a sentence is about, as far as it can be told."""
        name = (self.names[component], None) if seen else self._sort(*places)
        draft.things = {**draft.things, name: draft.things.get(name, 0) + 1}
        if seen:
            draft.components = [*draft.components, component]

    def _sort(self, *places: int) -> tuple[str, str | None]:
        """What things are called that lie in one of some places: one, and several."""
        nouns = (self.world.place_spec(place).get("holds") for place in places)
        noun = next((each for each in nouns if each is not None), None)
        kind = self.graph["kinds"].get(noun) or self.graph["kinds"].get(self.graph["components"].get(noun, {}).get("kind"))
        if kind is None:
            return self.words.say("thing"), self.words.say("things")
        if noun in self.words.catalog.names:
            return self.words.kind(str(noun)), None
        named = kind["label"] != str(noun).replace("_", " ")

        return kind["label"], pluralised(kind["label"]) if named else kind["plural"].replace("_", " ")

    def _player(self, place: int) -> int | None:
        """The player whose place it is."""
        owner = self.world.place_owner.get(place)
        return owner if owner is not None and owner < self.world.players else None

    def _is_untold(self, place: int) -> bool:
        return bool(self.world.place_spec(place).get("untold"))

    def _place(self, place: int, told: bool) -> str:
        return self.names[place] if told or self.world.holders[place] is None else self.words.say("something")

    def _shuffle(self, parts: Sequence[Any], about: tuple[Any, int]) -> Draft | None:
        if self._is_untold(parts[0]):
            return None
        return Draft("event", "shuffled", *about, {"place": self._place(parts[0], self.can(parts[1]))})

    def _set(self, parts: Sequence[Any], about: tuple[Any, int]) -> Draft | None:
        component, field, before, value, seen = parts
        if self.is_bookkeeping(component, field) or not self.can(seen):
            return None
        how = innermost(field_type(self.world, component, field))
        if how == "flag":
            template = "is" if value else "is not"
        elif value in (None, ()):
            template = "has no"
        else:
            template = "changes" if how == "number" else "becomes"
        names = {"field": self.words.field(component, field), "before": self.words.shown(before, how), "value": self.words.shown(value, how)}
        made = Draft("event", template, *about, names)
        self._add(made, component, True)
        return made

    def is_bookkeeping(self, component: int, field: str) -> bool:
        """Whether the changes of a field are untold."""
        return bool(self.graph["kinds"].get(self.world.kinds[component], {"fields": {}})["fields"].get(field, {}).get("untold"))

    def _show(self, parts: Sequence[Any], about: tuple[Any, int]) -> Draft | None:
        things, seen = parts
        made = Draft("event", "shown to all" if seen == self.can_all else "shown", *about)
        for each in things:
            self._add(made, each, self.can(seen), self.past.machine.state.where[each])
        return made if things else None

    def is_let_in(self, seen: int) -> bool:
        """Whether these eyes are among some who are shown something that not everyone is."""
        return seen != self.can_all and self.can(seen)

    def _roll(self, parts: Sequence[Any], about: tuple[Any, int]) -> Draft | None:
        die, face = parts
        name = self.words.catalog.names.get(die) or self.graph["dice"].get(die, {}).get("label", die)
        return Draft("event", "rolls", *about, {"die": name, "face": self.words.shown(face, "words")})

    # -- what is said

    def _message(self, parts: Sequence[Any], about: tuple[Any, int]) -> Draft | None:
        at, values, seen, components = parts
        if not self.can(seen):
            return None
        kind = {"event": "message"}.get(tells := self.tells(at, about[0][0]), tells)
        text = message_words(self.words, at, values)
        return Draft(kind, OWN_WORDS, *about, {"text": text}, components=list(components or ()), named=self._named(at, values))

    def tells(self, at: int | str, unit: str) -> str:
        """What a message is: a heading, the reason of an outcome, or an event. One that was read from a file has its words alone: it is what says such words there."""
        nodes = self.graph["nodes"]
        if isinstance(at, int):
            origin = self.words.linked.origin_at(at)
            return str(nodes[origin]["tells"]) if origin in nodes and nodes[origin]["op"] == "log" else "event"
        said = (node for name, node in nodes.items() if node["op"] == "log" and node["tells"] != "event" and name.rpartition(":")[0] == unit)
        return next((str(node["tells"]) for node in said if _could_say(node["text"], at)), "event")

    def _named(self, at: int | str, values: Sequence[Any]) -> frozenset[int]:
        """The players that a message names, from 1."""
        if isinstance(at, str):
            return frozenset(player + 1 for player in range(self.world.players) if self.names[player] in at)
        node = self.words.linked.code[at]
        assert isinstance(node, c.Say)
        shown = [part.how for part in node.text.parts if not isinstance(part, str)]
        named = [value for value, how in zip(values, shown, strict=False) if how == "kind" and type(value) is int and value < self.world.count]
        return frozenset(player + 1 for each in named if (player := self.past.machine.decider(each)) is not None)

    def _outcome(self, parts: Sequence[Any], about: tuple[Any, int]) -> Draft | None:
        player, outcome = parts
        made = Draft("outcome", outcome, *about)
        self._add(made, player, True)
        return made

    # -- what is chosen

    def _choice(self, parts: Sequence[Any], about: tuple[Any, int]) -> Draft | None:
        player, number, value, hidden, label, prompt, seen, public, silent = parts
        names = {"who": self.names[player]}
        if not public and not self.can(seen):
            return None if silent else Draft("choice", "chooses in secret", *about, names, player=player + 1)
        if number is not None and value is None:
            return Draft("declined", "", *about, player=player + 1)
        _, words, asked = choice_words(self.words, number, value, hidden, label, prompt)
        question = None if number is None else self.words.linked.program.questions[number]
        # What is asked names nothing that somebody might not know, if nothing stands in it.
        told = self.can(seen) or (question is not None and all(isinstance(part, str) for part in question.prompt.parts))
        if asked is not None and told and (question is None or question.kind != "reaction"):
            names["question"] = asked
        plain = question is not None and (is_worded(question, value) or question.kind in ("action", "reaction"))
        template = ("does" if plain else "chooses") + (", asked" if "question" in names else "")
        made = Draft(
            "action" if question is not None and question.kind == "action" else "choice",
            template,
            *about,
            names,
            player=player + 1,
            picks=[words],
            question=number,
        )
        if question is not None:
            made.components = [each for each in [component_of(self.words, question, value)] if each is not None and hidden is None]
            if question.kind == "reaction":
                made.deed = question.action
            if question.values == "actions" and value >= 0:
                made.deed = self.words.linked.actions[value // self.words.linked.stride]
        return made


def _could_say(text: dict[str, Any], words: str) -> bool:
    """Whether a text of the rules could have been told as these words."""
    at = 0
    for part in text.get("parts", ()):
        if isinstance(part, str):
            found = words.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
    return True


TABLE: dict[str, Callable[[Sentences, Sequence[Any], tuple[Any, int]], Draft | None]] = {
    "move": Sentences._move,
    "set": Sentences._set,
    "choice": Sentences._choice,
    "show": Sentences._show,
    "message": Sentences._message,
    "roll": Sentences._roll,
    "shuffle": Sentences._shuffle,
    "outcome": Sentences._outcome,
    "end": lambda self, parts, about: Draft("end", "end", *about),
}

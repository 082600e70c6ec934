"""The core language: typed instructions in basic blocks, and pure expressions.

A program is a set of units and functions. A **unit** is a body that can be called: an effect, a method, a hook, an action, a payment, or the protocol that
takes an event through its stages. It has names (numbered slots, parameters first) and blocks. A **block** is a list of instructions; the last one says
where to go on. A **function** is a pure expression with parameters: a value of the rules, or a condition that several places ask.

What is going on in a game is a stack of frames `(block, names, cause)`; a call pushes one, a return pops one, the state of a loop is a name like any other.

Values are whole numbers, nothing (None), or lists of such. A flag is 0 or 1; components and places have the numbers of `World`; words, actions and events are
numbered by the program, from `WORDS` on, so that they are equal to nothing else. The shape of a name says whether it holds one value, a list, or a list of lists.

Every instruction keeps the node of the effect graph it was made for (`origin`), so that an error, a picture or a report can speak of what the author wrote.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from rulewright.limits import GREATEST as GREATEST  # the largest number, and its negative the smallest: beyond it is an error of the rules

WORDS = 1 << 30  # words are numbered from here; numbers of the rules stay below

Shape = Literal["one", "list", "lists"]
# What passes over programs know of a number is said by the name of its type; `parts_with` finds it.
Slot = int  # of a name that is read
Given = int  # of a name that an instruction gives a value
Changed = int  # of one that it reads and gives a value
Bound = int  # of a name that holds inside an expression
Label = int  # the number of a block that an instruction leads to
Position = Literal["top", "bottom"]


def _tag(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Node(msgspec.Struct, frozen=True, tag_field="op", tag=_tag):
    """A part of a program."""


class Test(Node, frozen=True):
    """An expression that holds or does not: 1 or 0."""


# -- expressions that give one value


class Const(Node, frozen=True):
    """A number, a flag, or nothing."""

    value: int | None


class Word(Node, frozen=True):
    """A word of the rules."""

    word: str


class Component(Node, frozen=True):
    """The component of a name; of several, the first copy."""

    name: str


class Place(Node, frozen=True):
    """A place that belongs to nobody."""

    name: str


class PlaceOf(Node, frozen=True):
    """A place of a component; nothing if it has none such."""

    of: Expression
    place: str


class Name(Node, frozen=True):
    """What a slot of the frame, or of the function, holds."""

    slot: Slot


class Field(Node, frozen=True):
    """A field of a component; nothing of nothing. Besides declared ones: place, owner, holder, seat, copy, row, column, colour (of a track), ends, label."""

    of: Expression
    name: str


class Decider(Node, frozen=True):
    """The player who decides for a component."""

    of: Expression


class Asked(Test, frozen=True):
    """Whether there is such a player who is still asked things."""

    player: Expression


class Compare(Test, frozen=True):
    """Whether two values compare so; nothing is neither less nor more than anything."""

    how: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expression
    right: Expression


class Same(Test, frozen=True):
    """Whether two lists hold the same things, in whatever order."""

    left: Expression
    right: Expression


class And(Test, frozen=True):
    """Whether all hold; what comes after one that does not is not looked at."""

    parts: tuple[Expression, ...]


class Or(Test, frozen=True):
    """Whether any holds."""

    parts: tuple[Expression, ...]


class Not(Test, frozen=True):
    """Whether something does not hold."""

    part: Expression


class If(Node, frozen=True):
    """One of two values."""

    test: Expression
    yes: Expression
    no: Expression


class Arithmetic(Node, frozen=True):
    """Two numbers reckoned up; nothing counts as 0. The result is kept within a range, if there is one."""

    how: Literal["+", "-", "*", "/", "mod"]
    left: Expression
    right: Expression
    low: int | None = None
    high: int | None = None


class IsKind(Test, frozen=True):
    """Whether something is of a kind, or is a component of a name."""

    of: Expression
    noun: str


class In(Test, frozen=True):
    """Whether a value is in a list."""

    item: Expression
    list: Expression


class Lies(Test, frozen=True):
    """Whether a component lies in a place, or in one of several places."""

    item: Expression
    places: Expression


class Among(Test, frozen=True):
    """Whether something is in a list or, if that is a list of places, lies in one of them: where the rules do not say what the list holds."""

    item: Expression
    list: Expression


class Empty(Test, frozen=True):
    """Whether nothing lies in a place, or a list is empty."""

    of: Expression


class Full(Test, frozen=True):
    """Whether no more fits into a place."""

    of: Expression


class Apply(Node, frozen=True):
    """A function of some values."""

    function: str
    arguments: tuple[Expression, ...]


class ByKind(Node, frozen=True):
    """One of several values by what a component is: its own name goes before its kind, that before the kinds it inherits from."""

    of: Expression
    cases: dict[str, Expression]
    otherwise: Expression


class Bind(Node, frozen=True):
    """A value in which a slot has another value."""

    slot: Bound
    value: Expression
    body: Expression


class Fold(Node, frozen=True):
    """A value that is changed once for each thing of a list that passes the test; `result` holds it meanwhile."""

    result: Bound
    start: Expression
    slot: Bound
    source: Expression
    test: Expression | None
    value: Expression


class Exists(Test, frozen=True):
    """Whether a list holds anything."""

    list: Expression


class Count(Node, frozen=True):
    """How many things a list holds."""

    list: Expression


class First(Node, frozen=True):
    """The first of a list; nothing of none. What lies in a pile lies with its top last."""

    list: Expression


class Last(Node, frozen=True):
    """The last of a list."""

    list: Expression


class Best(Node, frozen=True):
    """The highest or lowest of several numbers; nothing counts as 0."""

    how: Literal["highest", "lowest"]
    parts: tuple[Expression, ...]


class Measure(Node, frozen=True):
    """The highest, lowest or total of a value over a list."""

    how: Literal["total", "highest", "lowest"]
    slot: Bound
    source: Expression
    value: Expression


class Distance(Node, frozen=True):
    """The number of steps from one place to another; nothing if there is no way."""

    start: Expression
    goal: Expression
    through: Through | None


class Table(Node, frozen=True):
    """A value or list that never changes, by the things that some names stand for, worked out beforehand: for each so many numbers from a least one on.

    `looks` is how many things the expression looked at, at most. For other values the expression itself is asked.
    """

    of: tuple[Name, ...]
    least: tuple[int, ...]
    sizes: tuple[int, ...]
    values: tuple[int | tuple[int, ...] | None, ...]
    looks: int
    otherwise: Expression


class Charge(Node, frozen=True):
    """A value, or a list, that costs something to ask: as if so many things were looked at."""

    looks: int
    of: Expression


class Lookup(Node, frozen=True):
    """What belongs to a key in a list of lists, each of which begins with its key: the one value behind it, or all."""

    of: Expression
    key: Expression
    several: bool


class Needed(Node, frozen=True):
    """A value that may not be nothing: that is an error of the rules."""

    of: Expression
    message: str


class Version(Node, frozen=True):
    """How often the state has changed: whether something was done is whether this is another number."""


class Key(Node, frozen=True):
    """A hook that holds, as a number: with the component it is written on, or with the number under which it was installed."""

    hook: str
    of: Expression


class HookOf(Node, frozen=True):
    """Which hook a key is of, as a number; -1 if it was installed."""

    key: Expression


class BearerOf(Node, frozen=True):
    """The component that a key speaks of, or the number under which a hook was installed."""

    key: Expression


class ApplyHook(Node, frozen=True):
    """What a function of a hook that holds for a time gives: whether it applies, or what it changes a value to. Nothing if it holds no longer."""

    key: Expression
    what: Literal["applies", "change"]
    arguments: tuple[Expression, ...]
    it: Expression
    result: Expression


class Used(Test, frozen=True):
    """Whether something that may happen once has happened: a hook or action, of a component or nobody's."""

    unit: str
    of: Expression


class Trial(Test, frozen=True):
    """Whether something is only tried out."""


class Deed(Node, frozen=True):
    """An action that a component grants, or nobody in particular, as a number."""

    action: str
    of: Expression


class ActionOf(Node, frozen=True):
    """Which action a number is, as a number; a negative one stands for itself."""

    deed: Expression


class GranterOf(Node, frozen=True):
    """The component that grants the action that a number is."""

    deed: Expression


class Batched(Test, frozen=True):
    """Whether what happens is part of a batch that is going on."""


class Ongoing(Test, frozen=True):
    """Whether a unit is going on, for a component."""

    unit: str
    slot: int
    of: Expression


class Knows(Test, frozen=True):
    """Whether a player can tell what a component is; nobody can tell nothing, and who is no player can tell what everyone can."""

    player: Expression
    component: Expression


class Payable(Node, frozen=True):
    """Whether a payment can be made to its end, tried out on a copy of the game."""

    unit: str
    arguments: tuple[Expression, ...]


class Supposing(Node, frozen=True):
    """What an expression gives after a unit has been carried out, on a copy of the game. In it nobody is asked, and nothing is left to chance."""

    unit: str
    arguments: tuple[Expression, ...]
    body: Expression


class Selection(Node, frozen=True):
    """Whether some selection of things passes a test: so many of them at least and at most, things that are alike standing for each other."""

    source: Expression
    picked: Expression
    least: Expression
    most: Expression
    slot: Bound
    test: Expression


# -- expressions that give a list


class Listed(Node, frozen=True):
    """Several values, in this order."""

    parts: tuple[Expression, ...]


class Many(Node, frozen=True):
    """One value as a list: nothing is the empty one."""

    of: Expression


class All(Node, frozen=True):
    """Every component of a kind, or every copy of a component; with a grid, its cells."""

    noun: str
    grid: str | None = None


class Members(Node, frozen=True):
    """What lies in a place, or in each of several places."""

    of: Expression


class OfKind(Node, frozen=True):
    """Those of a list that are of a kind."""

    source: Expression
    noun: str


class Once(Node, frozen=True):
    """Each thing of a list the first time it comes."""

    source: Expression


class Query(Node, frozen=True):
    """Those of a list that pass all tests, in the order of keys; `slot` holds the thing looked at."""

    source: Expression
    slot: Bound
    tests: tuple[Expression, ...] = ()
    orders: tuple[Order, ...] = ()


class Map(Node, frozen=True):
    """What a value is for each thing of a list, one after another; a value that is a list gives all its things."""

    slot: Bound
    source: Expression
    value: Expression


class Take(Node, frozen=True):
    """So many of a list from its beginning, or from its end backwards."""

    source: Expression
    amount: Expression
    backwards: bool


class Without(Node, frozen=True):
    """A list without the things of another."""

    source: Expression
    out: Expression


class Both(Node, frozen=True):
    """One list after another."""

    parts: tuple[Expression, ...]


class Numbers(Node, frozen=True):
    """The numbers from one to another."""

    low: Expression
    high: Expression


class Choices(Node, frozen=True):
    """The numbers of those conditions that hold, from 0."""

    tests: tuple[Expression, ...]


class Links(Node, frozen=True):
    """The links of a kind that touch a place, or one of several."""

    kind: str
    of: Expression


class Belonging(Node, frozen=True):
    """What lies in any place of a component, or in places of what lies there."""

    of: Expression


class Neighbours(Node, frozen=True):
    """The places one step away."""

    of: Expression
    through: Through | None


class Within(Node, frozen=True):
    """The places at most so far away, the start included."""

    of: Expression
    limit: Expression


class Reachable(Node, frozen=True):
    """The places that can be reached, in at most so many steps if that is said."""

    of: Expression
    limit: Expression | None
    through: Through | None


class Visible(Node, frozen=True):
    """The cells that can be seen from one."""

    of: Expression
    blocked: Expression | None


class Lines(Node, frozen=True):
    """Every straight row of so many cells: a list of lists."""

    grid: str
    length: Expression


class Veiled(Node, frozen=True):
    """A list in which what somebody cannot tell comes in the order in which it lies."""

    source: Expression
    player: Expression


class Installed(Node, frozen=True):
    """The keys of the hooks that hold for a time on an event."""

    event: str
    timings: tuple[str, ...]


# -- parts of expressions


class Order(msgspec.Struct, frozen=True):
    """A key by which things are ordered."""

    key: Expression
    descending: bool


class Through(msgspec.Struct, frozen=True):
    """What counts as a way: things of a list that pass the tests. A thing is looked at when the way comes to it."""

    source: Expression
    slot: Bound
    tests: tuple[Expression, ...]
    places: bool = False  # places count, where links lead to them


ANSWERS = "answers "  # before what sort of values they are


class Shown(msgspec.Struct, frozen=True):
    """A value in a text, and what sort of value it is; of answers by who gave them, what sort those are."""

    of: Expression
    how: str


class Text(Node, frozen=True):
    """Words with values in them; told, never reckoned with."""

    parts: tuple[str | Shown, ...]


One = (
    Const | Word | Component | Place | PlaceOf | Name | Field | Decider | Asked | Compare | Same | And | Or | Not | If | Arithmetic | IsKind | In
    | Lies | Among | Empty | Full | Apply | ByKind | Bind | Fold | Exists | Count | First | Last | Best | Measure | Distance | Table | Charge | Lookup | Needed | Version | Used | Batched
    | Trial | Deed | ActionOf | GranterOf | Ongoing | Knows | Payable | Supposing | Selection | Key | HookOf | BearerOf | ApplyHook
)  # fmt: skip
Several = (
    Listed | Many | All | Members | OfKind | Once | Query | Map | Take | Without | Both | Numbers | Choices | Links | Belonging | Neighbours | Within
    | Reachable | Visible | Lines | Veiled | Installed
)  # fmt: skip
Expression = One | Several | Text


# -- instructions


class Let(Node, frozen=True):
    """Give a slot a value."""

    slot: Given
    value: Expression
    origin: str | None = None


class Set(Node, frozen=True):
    """Give a field of a component another value; of nothing, nothing happens."""

    of: Expression
    field: str
    value: Expression
    origin: str | None = None


class Put(Node, frozen=True):
    """Move a component, or several one after another, as far as there is room; `crowd` does not mind."""

    what: Expression
    to: Expression
    position: Position
    crowd: bool = False
    origin: str | None = None


class Shuffle(Node, frozen=True):
    """Mix what lies in a place."""

    place: Expression
    origin: str | None = None


class Roll(Node, frozen=True):
    """Roll a die."""

    slot: Given
    die: str
    origin: str | None = None


class Pick(Node, frozen=True):
    """Let chance pick one of a list; nothing of none. `place`: something drawn from it; otherwise a choice, for which `question` says what the values are."""

    slot: Given
    source: Expression
    place: Expression | None = None
    question: int | None = None
    origin: str | None = None


class Settle(Node, frozen=True):
    """Let chance say what lies where something seems to lie, if nobody has said yet how a shuffle came out.

    `player` has chosen it without being able to tell it; or it is the next of the things in a list, of which the cursor's and those behind it come into question.
    """

    slot: Changed
    player: Expression | None = None
    list: Slot | None = None
    cursor: Slot | None = None
    origin: str | None = None


class Show(Node, frozen=True):
    """Let some players, or all, know components from now on."""

    what: Expression
    to: Expression | None
    origin: str | None = None


class Say(Node, frozen=True):
    """Tell some players, or all."""

    text: Text
    to: Expression | None
    origin: str | None = None


class Outcome(Node, frozen=True):
    """Players win, lose, or are eliminated."""

    players: Expression
    how: Literal["won", "lost", "eliminated"]
    origin: str | None = None


class Install(Node, frozen=True):
    """Let hooks hold until an event: those of a table, which keep the values of some names."""

    hooks: tuple[str, ...]
    keep: tuple[tuple[str, Expression], ...]
    until: str
    origin: str | None = None


class Expire(Node, frozen=True):
    """What held until an event holds no longer; what may happen once per it may happen again; what was set for a time is put back."""

    event: str
    origin: str | None = None


class Use(Node, frozen=True):
    """Remember that something that may happen once has happened."""

    unit: str
    of: Expression
    origin: str | None = None


class Proceed(Node, frozen=True):
    """Let the event that a hook replaces happen after all, with some of its arguments changed; then go on."""

    changes: tuple[tuple[int, Expression], ...]
    then: Label
    origin: str | None = None


class Batch(Node, frozen=True):
    """Begin to gather what reacts to what happens, until it is `Gathered`."""

    origin: str | None = None


class Defer(Node, frozen=True):
    """A hook is to run when the batch is over, if it applies then: one that is written on a component, or one that holds for a time, by its key."""

    hook: str | None
    key: Expression
    arguments: tuple[Expression, ...]
    it: Expression
    result: Expression
    origin: str | None = None


# -- where to go on


class Jump(Node, frozen=True):
    """Go on with a block."""

    to: Label


class Branch(Node, frozen=True):
    """Go on with one of two blocks."""

    test: Expression
    then: Label
    otherwise: Label
    origin: str | None = None


class Dispatch(Node, frozen=True):
    """Go on by what a component is."""

    of: Expression
    cases: dict[str, Label]
    otherwise: Label


class Switch(Node, frozen=True):
    """Go on by a number."""

    value: Expression
    cases: dict[int, Label]
    otherwise: Label


class Next(Node, frozen=True):
    """Give a slot the next item of a list, or go on after the loop. `cursor` is the slot that holds how many were taken."""

    list: Slot
    cursor: Changed
    slot: Given
    body: Label
    after: Label


class Call(Node, frozen=True):
    """Carry out a unit, then go on with a block, which may `Take` what it gave."""

    unit: str
    arguments: tuple[Expression, ...]
    then: Label
    origin: str | None = None


class CallHook(Node, frozen=True):
    """Carry out a hook that holds for a time, by its key; `arguments` are the event's, `it` whose own event it is, `result` what it gave."""

    key: Expression
    arguments: tuple[Expression, ...]
    it: Expression
    result: Expression
    then: Label


class RunDeferred(Node, frozen=True):
    """End the batch: carry out what was put off, one hook after another, then go on."""

    then: Label


class Result(Node, frozen=True):
    """Give slots what the unit that has just ended gave: its result, how it went, whether it cancelled."""

    value: Given | None = None
    status: Given | None = None
    cancelled: Given | None = None


class Return(Node, frozen=True):
    """End the unit."""

    value: Expression | None = None
    status: Expression | None = None
    cancelled: Expression | None = None
    origin: str | None = None


class Ask(Node, frozen=True):
    """Let a player decide. Where nobody is asked, or nothing but to decline could be chosen, go on with `otherwise`; the slot holds nothing then."""

    question: int
    player: Expression
    values: Expression
    slot: Given
    then: Label
    otherwise: Label
    origin: str | None = None


class Fail(Node, frozen=True):
    """A trial fails here: a cost came up that can no longer be paid."""


class EndGame(Node, frozen=True):
    """Nothing that was going on goes on; then the phase `ending` has its say."""

    origin: str | None = None


class Finish(Node, frozen=True):
    """The game is over."""


Instruction = (
    Let | Set | Put | Shuffle | Roll | Pick | Settle | Show | Say | Outcome | Install | Expire | Use | Batch | Defer | Result
    | Proceed | Jump | Branch | Dispatch | Switch | Next | Call | CallHook | RunDeferred | Return | Ask | Fail | EndGame | Finish
)  # fmt: skip


# -- what instructions are part of


class Local(msgspec.Struct, frozen=True):
    """A name of a unit or function; `sort` says what its values are: a kind, a number, a word ...

    `several`: it holds answers by who gave them, and each gave several.
    """

    name: str
    shape: Shape
    sort: str
    several: bool = False


class Block(msgspec.Struct):
    """Instructions one after another; the last one leads on. `owes`: something is left to pay behind it."""

    unit: str
    code: list[Instruction]
    owes: bool = False


class Unit(msgspec.Struct):
    """A body that can be called. `cause` is what its doings are put down to; a protocol has none of its own, its caller's goes on."""

    name: str
    cause: str | None
    locals: list[Local]
    parameters: int
    entry: Label
    phase: bool = False
    arguments: tuple[Slot, ...] = ()  # of a protocol: the arguments of its event
    happens: tuple[tuple[str, Label], ...] = ()  # the events that happen here, each with the block in which it does


class Hook(msgspec.Struct):
    """A hook as something that can be kept and carried out later: its unit, its functions, and which of their parameters it is given by whom.

    All of them have the same parameters. `kept` are those that were kept when it was installed, then the event's, whose event it is (if it is somebody's: otherwise
    what was kept under that slot stays), and what it gave.
    """

    event: str
    timing: str
    order: int
    unit: str | None = None
    applies: str | None = None
    change: str | None = None
    locals: tuple[Local, ...] = ()
    kept: tuple[Slot, ...] = ()
    arguments: tuple[Slot, ...] = ()
    it: Slot | None = None
    bearer: Slot | None = None
    result: Slot | None = None
    once: bool = False
    restores: str | None = None  # the field that is put back, of the first of the kept, to the second


class Function(msgspec.Struct):
    """A pure expression with parameters."""

    name: str
    locals: list[Local]
    parameters: int
    shape: Shape
    body: Expression


class Question(msgspec.Struct):
    """What is asked at an `Ask`: how its values are named and told."""

    kind: Literal["choose", "action", "order", "replacement", "reaction"]
    node: str | None  # of the effect graph
    prompt: Text
    action: str | None = None  # of whose choices this is one, or which reaction is asked about
    values: Literal["things", "places", "words", "flags", "numbers", "options", "actions", "rules", "reaction"] = "things"
    labels: tuple[Text, ...] = ()  # of options in words
    event: str | None = None
    worded: bool = False  # whether the prompt is in the words of the rules: then the log tells it
    decline: tuple[str, str] = ("none", "None")  # the id and the words for nothing
    written: tuple[bool, ...] = ()  # which of the things that may be chosen the rules name themselves
    secret: bool = False
    turns: tuple[Slot, ...] | None = None  # of a question that goes round: who is asked, how many were, and what they have answered, by name
    picked: Slot | None = None  # what has been picked already
    names: dict[str, Slot] = {}  # which slots the names that the rules know there stand for
    sorts: bool = False  # whether the words name sorts of components, which are told by their labels
    together: int | None = (
        None  # of one in a block that each goes through in secret: the first question of the block; nobody else learns that it was asked
    )


def joint(number: int, question: Question) -> int | None:
    """Of a question that several answer in secret: a number, from 1, that it shares with those which belong to the same round."""
    if not question.secret or question.turns is None:
        return None
    return 1 + (number if question.together is None else question.together)


class Sight(msgspec.Struct):
    """The functions that say who sees into a place, whether a component is hidden, who reads a field, and who decides for a component; by name."""

    places: dict[str, str]
    hidden: dict[str, str]
    fields: dict[str, str]
    deciders: dict[str, str]


class Program(msgspec.Struct):
    """All of the rules."""

    words: list[str]  # those that the code names; a world adds those of its components
    units: dict[str, Unit]
    blocks: list[Block]
    functions: dict[str, Function]
    questions: list[Question]
    hooks: dict[str, Hook]
    once_per: dict[str, list[str]]  # what may happen again after an event
    sight: Sight
    beginnings: dict[str, Expression]  # where components are declared to begin
    root: str = "the game"
    phases: tuple[Label, ...] = ()  # where setup, play and ending begin
    ending: Label = 0
    over: Label = 0


def parts_with(*types: str) -> dict[type, tuple[str, ...]]:
    """The parts that hold a `Slot`, a `Label` and so on, of each sort of node that has such."""
    nodes = [each for each in globals().values() if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    wanted = re.compile(rf"\b({'|'.join(types)})\b")
    found = {each: tuple(name for name, of in each.__annotations__.items() if wanted.search(of)) for each in nodes}
    return {each: names for each, names in found.items() if names}

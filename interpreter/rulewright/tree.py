"""The syntax tree: what the parser makes of a rules file, before any name is looked up.

Frozen records with a span and no behaviour. Expressions first, then statements, then declarations. What sugar there is has not been removed.
"""

from __future__ import annotations

import msgspec

from rulewright.diagnostics import Span


class Node(msgspec.Struct, frozen=True, tag=True, tag_field="node", omit_defaults=True):
    """Anything the parser makes."""

    span: Span


# ---- expressions ----------------------------------------------------------------------------------------------------------------------


class Name(Node, frozen=True):
    """A bare word: a local name, a field of what is talked about, a component, a kind, a place, a value ..."""

    word: str


class Number(Node, frozen=True):
    """A whole number."""

    value: int


class Text(Node, frozen=True):
    """A text between quotes; parts are plain strings and, between braces, expressions."""

    parts: tuple[str | Expr, ...]


class Dot(Node, frozen=True):
    """`base.word`."""

    base: Expr
    word: str


class Call(Node, frozen=True):
    """`target(arguments)`."""

    target: Expr
    arguments: tuple[Expr, ...]


class Order(Node, frozen=True):
    """One key of `ordered by`; `chooser` if a player says the order."""

    key: Expr
    descending: bool = False
    choice: bool = False


class Clause(Node, frozen=True):
    """One narrowing of a query: in, of, next, within, reachable, visible, where or ordered."""

    how: str
    operand: Expr | None = None
    limit: Expr | None = None
    through: Expr | None = None
    orders: tuple[Order, ...] = ()


class Query(Node, frozen=True):
    """Things of one sort, narrowed: adjectives and a noun (or an expression), then clauses."""

    words: tuple[str, ...]
    base: Expr | None
    clauses: tuple[Clause, ...]


class Quantified(Node, frozen=True):
    """A query with a word before it: a, the, any, all, every, no, count, first, last, top, bottom, number, up_to, any_number."""

    how: str
    query: Expr
    amount: Expr | None = None
    body: Expr | None = None


class Measure(Node, frozen=True):
    """`total | highest | lowest VALUE over QUERY`."""

    how: str
    value: Expr
    query: Expr


class Distance(Node, frozen=True):
    """`distance from A to B [through QUERY]`."""

    start: Expr
    goal: Expr
    through: Expr | None = None


class Compare(Node, frozen=True):
    """`left OP right` with one of = != < <= > >= is, is not, is in, is not in, holds, holds only."""

    op: str
    left: Expr
    right: Expr


class Narrow(Node, frozen=True):
    """`thing is kind as name`: a test, and a name for the thing where the test holds."""

    thing: Expr
    kind: Expr
    name: str


class Logic(Node, frozen=True):
    """`and` or `or` over two or more parts."""

    op: str
    parts: tuple[Expr, ...]


class Not(Node, frozen=True):
    """`not part`."""

    part: Expr


class After(Node, frozen=True):
    """`value after call`: what it would be if an effect were carried out."""

    value: Expr
    call: Expr


class Arithmetic(Node, frozen=True):
    """`left OP right` with one of + - * / mod."""

    op: str
    left: Expr
    right: Expr


class Conditional(Node, frozen=True):
    """`yes if test else no`."""

    yes: Expr
    test: Expr
    no: Expr


class Roll(Node, frozen=True):
    """`roll die`: something that happens, and what it shows."""

    die: str


class Several(Node, frozen=True):
    """`A, B, C` or `(A, B, C)`: a set of these."""

    parts: tuple[Expr, ...]


class OneOf(Node, frozen=True):
    """`one of A, B, C`: what a choice may be made from."""

    parts: tuple[Expr, ...]


class NumberFrom(Node, frozen=True):
    """`a number from A to B`."""

    low: Expr
    high: Expr


Expr = (
    Name | Number | Text | Dot | Call | Query | Quantified | Measure | Distance | Compare | Narrow | Logic | Not | After | Arithmetic | Conditional | Roll
    | Several | OneOf | NumberFrom
)  # fmt: skip

# ---- statements -----------------------------------------------------------------------------------------------------------------------


class Let(Node, frozen=True):
    """`let name = value`."""

    name: str
    value: Expr


class Set(Node, frozen=True):
    """`set target to value [until event]`."""

    target: Expr
    value: Expr
    until: str | None = None


class AddItem(Node, frozen=True):
    """`add what to target`: a list or set becomes longer."""

    what: Expr
    target: Expr


class RemoveItem(Node, frozen=True):
    """`remove what from target`: a list or set becomes shorter; `target` is None if nothing says from where."""

    what: Expr
    target: Expr | None


class Adjust(Node, frozen=True):
    """`increase | decrease target by amount`."""

    how: str
    target: Expr
    amount: Expr


class Move(Node, frozen=True):
    """`move what to place [at the top | at the bottom]`."""

    what: Expr
    to: Expr
    position: str = ""


class Draw(Node, frozen=True):
    """`draw selection from place [to place] [as name]`."""

    what: Expr
    to: Expr | None = None
    name: str | None = None


class Swap(Node, frozen=True):
    """`swap a with b`."""

    left: Expr
    right: Expr


class Shuffle(Node, frozen=True):
    """`shuffle place`."""

    place: Expr


class Show(Node, frozen=True):
    """`show what to whom`; to nobody in particular if `reveal`."""

    what: Expr
    to: Expr | None = None


class Log(Node, frozen=True):
    """`log text [to whom]`, or `heading text`."""

    text: Text
    to: Expr | None = None
    heading: bool = False


class End(Node, frozen=True):
    """`end game`."""


class Outcome(Node, frozen=True):
    """`win | lose | eliminate player [because text]`."""

    how: str
    player: Expr
    because: Text | None = None


class Score(Node, frozen=True):
    """`score who: points`."""

    who: Expr
    points: Expr


class WinByScore(Node, frozen=True):
    """`win by [highest | lowest] score`."""

    best: str = "highest"


class Give(Node, frozen=True):
    """`give value`: what the effect or value results in."""

    value: Expr


class Plain(Node, frozen=True):
    """A statement that is one word: stop, nothing, cancel, leave, skip."""

    word: str


class Proceed(Node, frozen=True):
    """`proceed [with name = value, ...]`: carry on with what a hook stands in place of."""

    names: tuple[str, ...] = ()
    values: tuple[Expr, ...] = ()


class Advance(Node, frozen=True):
    """`advance track by amount`."""

    track: Expr
    amount: Expr


class Perform(Node, frozen=True):
    """A call as a statement."""

    call: Expr


class CostItem(Node, frozen=True):
    """`2 coins`, `1 oil(lamp)`."""

    amount: Expr
    name: str
    arguments: tuple[Expr, ...] = ()


class Pay(Node, frozen=True):
    """`who pays costs`."""

    who: Expr
    costs: tuple[CostItem, ...]


class Choose(Node, frozen=True):
    """`who chooses name: selection [or text] [secretly] [asking text]`; without `who` the actor; `each` if everyone of a query does. `declining` is
    what it is called to choose nothing."""

    name: str
    selection: Expr
    who: Expr | None = None
    optional: bool = False
    secretly: bool = False
    each: bool = False
    asking: Text | None = None
    declining: Text | None = None


class Block(Node, frozen=True):
    """Statements one after another."""

    statements: tuple[Statement, ...]


class If(Node, frozen=True):
    """`if test: ... else: ...`."""

    test: Expr
    then: Block
    other: Block | None = None


class Case(Node, frozen=True):
    """One case of a match; no patterns means `else`."""

    patterns: tuple[Expr, ...]
    body: Block


class Match(Node, frozen=True):
    """`match value:` with its cases."""

    value: Expr
    cases: tuple[Case, ...]


class ForEach(Node, frozen=True):
    """`for each query: ...`, or `for each name from number to number: ...`, of which all but the last number is read as a query."""

    query: Expr
    body: Block
    at_once: bool = False
    to: Expr | None = None


class EachSecretly(Node, frozen=True):
    """`each query secretly: ...`: everyone goes through a block of choices, and nobody learns anything until all are done."""

    query: Expr
    body: Block


class Repeat(Node, frozen=True):
    """`repeat [n times | until test]: ...`."""

    body: Block
    times: Expr | None = None
    until: Expr | None = None


class Step(Node, frozen=True):
    """`step name: ...`: a part of an effect that has a name of its own."""

    name: str
    body: Block


class AtOnce(Node, frozen=True):
    """`at once: ...`."""

    body: Block


class Until(Node, frozen=True):
    """`until event: hooks`."""

    event: str
    hooks: tuple[Declaration, ...]


class Try(Node, frozen=True):
    """`try call: ... else: ...`."""

    call: Expr
    then: Block
    other: Block | None = None


class Option(Node, frozen=True):
    """`"label" [when test] [cost ...]: ...`."""

    label: Text
    body: Block
    when: Expr | None = None
    costs: tuple[CostItem, ...] = ()


class ChooseOne(Node, frozen=True):
    """`who chooses one:` with its options; `declining` is what it is called to take none of them."""

    who: Expr
    options: tuple[Option, ...]
    optional: bool = False
    declining: Text | None = None


class Ask(Node, frozen=True):
    """`ask who "question": ... else: ...`."""

    who: Expr
    question: Text
    yes: Block
    no: Block | None = None


class Offer(Node, frozen=True):
    """`offer actions [as group, ...] to who [: options]`."""

    who: Expr
    groups: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()


class Require(Node, frozen=True):
    """`when test [because text]`, in an effect or action."""

    test: Expr
    because: Text | None = None


class Cite(Node, frozen=True):
    """`cite id, ...`; ranges are written out."""

    ids: tuple[Citation, ...]


class Citation(Node, frozen=True):
    """One rule id; `within` is the range that it was written in."""

    id: str
    within: str | None = None


class Source(Node, frozen=True):
    """`source word, word for field, ...`: how well what a declaration says is known."""

    parts: tuple[SourcePart, ...]


class SourcePart(Node, frozen=True):
    """`word` or `word for field`; a bare word behind `word for field` is one more field."""

    word: str
    field: str | None = None


class Was(Node, frozen=True):
    """`was "fingerprint"`: what a replacement believes it replaces."""

    value: Expr


Statement = (
    Let | Set | Adjust | AddItem | RemoveItem | Move | Draw | Swap | Shuffle | Show | Log | End | Outcome | Score | WinByScore | Give | Plain | Proceed | Advance | Perform | Pay | Choose
    | If | Match | ForEach | EachSecretly | Repeat | Step | AtOnce | Until | Try | ChooseOne | Ask | Offer | Require | Cite | Source | Was
)  # fmt: skip

# ---- declarations ---------------------------------------------------------------------------------------------------------------------


class TypeRef(Node, frozen=True):
    """A type as written: flag, number, text, range, words, set, list, sort, or the name of a kind."""

    how: str
    name: str = ""
    low: int = 0
    high: int = 0
    words: tuple[str | int, ...] = ()
    of: TypeRef | None = None
    optional: bool = False


class Parameter(Node, frozen=True):
    """`name: type`; in a hook the type may be left out."""

    name: str
    type: TypeRef | None = None


class FieldDecl(Node, frozen=True):
    """`name: type [= default] [, seen by ...] [, untold]` in a kind."""

    name: str
    type: TypeRef
    default: tuple[Expr, ...] = ()
    seen_by: Expr | None = None
    untold: bool = False


class FieldLine(Node, frozen=True):
    """`name value, value` in a component."""

    name: str
    values: tuple[Expr, ...]


class PlaceDecl(Node, frozen=True):
    """`place name [of kind] [: a shape of kind, seen by ..., holds up to n, untold] [, cite ...]`."""

    name: str
    label: str | None = None
    of: str | None = None
    shape: str = "area"
    holds: str | None = None
    seen_by: Expr | None = None
    capacity: int | None = None
    untold: bool = False
    cites: tuple[Cite, ...] = ()
    source: Source | None = None


class KindLine(Node, frozen=True):
    """A line of a kind: starts, decided, hidden, described, actions, or holds with an amount."""

    how: str
    value: Expr
    amount: int | None = None


class KindDecl(Node, frozen=True):
    """`kind name [is parent] [links a, b] [plural word] ["Label"]: members`."""

    name: str
    label: str | None = None
    parent: str | None = None
    links: tuple[str, str] | None = None
    plural: str | None = None
    members: tuple[Member, ...] = ()


class OneForEach(Node, frozen=True):
    """`one for each field, field ...` in a component: a copy for each combination of their values."""

    fields: tuple[EachOf, ...]


class EachOf(Node, frozen=True):
    """A field, and which of its values count if not all do."""

    name: str
    of: TypeRef | None = None


class ComponentDecl(Node, frozen=True):
    """`kind name [plural word] xN "Label" [in place] [from a to b]: members`; `title` is the label of each copy if something in it is filled in."""

    kind: str
    name: str
    label: str | None = None
    copies: int | None = None
    place: Expr | None = None
    ends: tuple[Expr, Expr] | None = None
    members: tuple[Member, ...] = ()
    title: Text | None = None
    plural: str | None = None


class Face(Node, frozen=True):
    """One face of a die or space of a track, so many times."""

    value: str | int
    copies: int = 1
    named: str | None = None  # the number that says how many, until it is written out


class DieDecl(Node, frozen=True):
    """`die name: faces [, cite ...]` or `track name: spaces`."""

    what: str
    name: str
    faces: tuple[Face, ...]
    label: str | None = None
    cites: tuple[Cite, ...] = ()
    source: Source | None = None


class GridDecl(Node, frozen=True):
    """`grid name of kind: rows by columns [, shape] [, cite ...]`."""

    name: str
    kind: str
    rows: int
    columns: int
    shape: str = "diagonals"
    cites: tuple[Cite, ...] = ()
    source: Source | None = None


class NumberDecl(Node, frozen=True):
    """`number name = value [, cite ...]`."""

    name: str
    value: int
    cites: tuple[Cite, ...] = ()
    source: Source | None = None


class StateDecl(Node, frozen=True):
    """`state name: type [= value] [, seen by ...] [, untold] [, cite ...]`: what the table as a whole remembers."""

    name: str
    type: TypeRef
    default: tuple[Expr, ...] = ()
    seen_by: Expr | None = None
    untold: bool = False
    cites: tuple[Cite, ...] = ()
    source: Source | None = None


class EffectDecl(Node, frozen=True):
    """`effect | phase name(parameters) [gives type]: statements`; without a body every component of the kind gives its own."""

    what: str
    name: str
    parameters: tuple[Parameter, ...] = ()
    gives: TypeRef | None = None
    body: Block | None = None
    label: str | None = None


class ValueDecl(Node, frozen=True):
    """`value name(parameters) [gives type]: expression` or a block with `give`."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    gives: TypeRef | None = None
    value: Expr | None = None
    body: Block | None = None


class MemberDef(Node, frozen=True):
    """A component's own version of an effect (`name: ...`) or value (`name = ...`, `name when ...`) of its kind."""

    name: str
    value: Expr | None = None
    body: Block | None = None


class By(Node, frozen=True):
    """`by kind` in an action."""

    kind: str


class Cost(Node, frozen=True):
    """`cost items` in an action."""

    items: tuple[CostItem, ...]


class Once(Node, frozen=True):
    """`once per event` in an action or hook."""

    event: str


class Do(Node, frozen=True):
    """`do: ...` in an action."""

    body: Block


ActionLine = By | Cost | Once | Do | Choose | Require | Cite | Source | Was


class ActionDecl(Node, frozen=True):
    """`action name ["Label"] [as group, ...]: lines`; `title` is the label if something in it is filled in."""

    name: str
    lines: tuple[ActionLine, ...]
    label: str | None = None
    groups: tuple[str, ...] = ()
    title: Text | None = None


class CostDecl(Node, frozen=True):
    """`cost name(parameters): lines`: something that can be paid."""

    name: str
    parameters: tuple[Parameter, ...]
    lines: tuple[ActionLine, ...]


class HookDecl(Node, frozen=True):
    """`before | after | instead of event(names) [when test]: ...`."""

    timing: str
    event: str
    parameters: tuple[Parameter, ...] | None
    body: Block
    when: Expr | None = None
    first: bool = False
    once: str | None = None


class RunsOut(Node, frozen=True):
    """`when place runs out: ...`."""

    place: Expr
    body: Block


class Reaches(Node, frozen=True):
    """`when track reaches space: ...`."""

    track: str
    space: str | int
    body: Block


class ChangeDecl(Node, frozen=True):
    """`change value(names) [when test]: expression [, cite ...]`, or a block with `give`; `result` is what it would have been."""

    target: str
    parameters: tuple[Parameter, ...] | None
    value: Expr | None
    when: Expr | None = None
    body: Block | None = None
    cites: tuple[Cite, ...] = ()


class CostChange(Node, frozen=True):
    """`cost of action is 2 cards [more | less] [when test] [, cite ...]`, or with citations below it."""

    target: str
    item: CostItem
    how: str = ""
    when: Expr | None = None
    cites: tuple[Cite, ...] = ()


class Reaction(Node, frozen=True):
    """`reaction [name] ["Label"] to event(names) by player [when test]: lines`."""

    event: str
    parameters: tuple[Parameter, ...] | None
    by: Expr
    lines: tuple[ActionLine, ...]
    name: str | None = None
    label: str | None = None
    when: Expr | None = None
    title: Text | None = None


class RuleDecl(Node, frozen=True):
    """`rule name: hook`: a hook that layers can speak of."""

    name: str
    hook: Hook


class WordsDecl(Node, frozen=True):
    """`words name: a | b | c [, cite ...]`: a list of words that has a name, for fields and parameters."""

    name: str
    words: tuple[str | int, ...]
    cites: tuple[Cite, ...] = ()
    source: Source | None = None


class AddWords(Node, frozen=True):
    """`add to words name: d, e [, cite ...]`."""

    path: str
    words: tuple[str | int, ...]
    cites: tuple[Cite, ...] = ()


Hook = HookDecl | RunsOut | Reaches | ChangeDecl | CostChange | Reaction


class While(Node, frozen=True):
    """`while test:` around what holds only then."""

    test: Expr
    members: tuple[Member, ...]


class Header(Node, frozen=True):
    """`layer name over parents "Title"` or `ruleset name "Title" for 2 to 4 players, usually 3`: the manifest of a lone file."""

    what: str
    name: str
    parents: tuple[str, ...] = ()
    label: str | None = None
    players: tuple[int, int] | None = None
    usual: int | None = None


class Replace(Node, frozen=True):
    """`replace declaration`: stands in place of what has that name."""

    declaration: Declaration | Step


class ReplaceIn(Node, frozen=True):
    """`replace in effect path:` with `was:` and `now:`: other lines in place of some of a body."""

    what: str
    path: str
    was: tuple[Statement | ActionLine, ...]
    now: tuple[Statement | ActionLine, ...]


class Remove(Node, frozen=True):
    """`remove what path, ...` or `remove all kind`, with the citations below it."""

    what: str
    paths: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


class Insert(Node, frozen=True):
    """`insert step name before | after path: ...`."""

    step: Step
    where: str
    path: str


class Change(Node, frozen=True):
    """`set path to value [was value]` at the top level of a layer, with the citations below it; `word for field` is a part of a source."""

    path: str
    values: tuple[Expr | SourcePart, ...]
    was: tuple[Expr | SourcePart, ...] = ()
    cites: tuple[Cite, ...] = ()


class LeftOpen(Node, frozen=True):
    """`declaration, each game says its own`: what the games that share a ruleset have to declare, and how it looks."""

    declaration: Declaration


class AddTo(Node, frozen=True):
    """`add to kind coin: ...`, `add to penny: ...`."""

    path: str
    is_kind: bool
    members: tuple[Member, ...]


class More(Node, frozen=True):
    """`more coin x3: colour red, red, blue`: more copies of a component, with what they have different."""

    path: str
    copies: int = 1
    members: tuple[Member, ...] = ()


Declaration = (
    KindDecl | ComponentDecl | PlaceDecl | DieDecl | GridDecl | NumberDecl | StateDecl | EffectDecl | ValueDecl | ActionDecl | CostDecl | HookDecl | RunsOut
    | Reaches | ChangeDecl | CostChange | Reaction | RuleDecl | WordsDecl | Header | Replace | ReplaceIn | Remove | Insert | Change | AddTo | AddWords | More
    | LeftOpen
)  # fmt: skip
Member = (
    FieldDecl | FieldLine | PlaceDecl | KindLine | EffectDecl | ValueDecl | MemberDef | ActionDecl | HookDecl | RunsOut | Reaches | ChangeDecl
    | CostChange | Reaction | RuleDecl | While | Cite | Source | Was | OneForEach
)  # fmt: skip


class RulesTree(msgspec.Struct, frozen=True):
    """A rules file as parsed."""

    file: str
    declarations: tuple[Declaration, ...]

"""Playing a scenario: check its text against the ruleset, put the game into its state, go through the steps.

Takes a scenario, gives an `Outcome`. Nothing is raised for anything a scenario or ruleset may contain: mistakes in the text are diagnostics, a game that
goes otherwise than the scenario says is a failure, and so is an error of the rules that the scenario does not expect.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from rulewright.check.scope import Scope
from rulewright.diagnostics import Diagnostic, Span, complain, did_you_mean, in_order
from rulewright.errors import RulesError
from rulewright.fragment import Part
from rulewright.rules import Rules
from rulewright.scenario.board import Board
from rulewright.scenario.checks import CHECKS, Claim
from rulewright.scenario.names import Names as Possible
from rulewright.scenario.names import Nodes
from rulewright.scenario.options import Unfit, choose
from rulewright.scenario.places import Written
from rulewright.scenario.report import Failure, Outcome, decision_of, events_of, idle_move, valued
from rulewright.scenario.stage import Stage, Table
from rulewright.scenario.written import UNARRANGED, Chance, Check, Pick, Scenario, Step, start_of
from rulewright.types import LOST, kind_type

NEGATIVE = ("not offers", "refused", "not log")  # claims that are true of whatever there is not
READING = ("sees", "not sees")
BINDERS = re.compile(r"\b(?:let|as|chooses|choose)\s+([a-z_][a-z0-9_]*)")


def run_scenario(scenario: Scenario, stage: Stage | None = None) -> Outcome:
    """Play a scenario. A stage keeps rulesets and games for several."""
    stage = Stage() if stage is None else stage
    table, problems = stage.table(scenario)
    texts = dict(scenario.texts)
    failure: Failure | None = None
    warnings: list[Diagnostic] = []
    if table is None or table.rules is None or table.fragments is None:
        for each in stage.tables.values():
            texts |= each.texts
    else:
        texts |= table.texts
        prepared = Prepared(scenario, table)
        problems = prepared.problems
        if not problems:
            game = begin(scenario, stage, table)
            if isinstance(game, Failure):
                failure = game
            else:
                run = Run(scenario, Board(game, prepared.entries), prepared)
                failure, warnings = run.play(), run.warnings
    cites = tuple(cited.id for cited in scenario.cites)
    return Outcome(scenario.name, scenario.file, scenario.span, cites, failure, tuple(in_order(problems)), texts, tuple(in_order(warnings)))


class Prepared:
    """The texts of a scenario, checked like rules, all in one scope: nodes and expressions by the text they come from."""

    def __init__(self, scenario: Scenario, table: Table) -> None:
        assert table.rules is not None
        assert table.fragments is not None
        rules, fragments = table.rules, table.fragments
        self.problems: list[Diagnostic] = []
        self.entries: dict[int, str | None] = {}
        self.claims: dict[int, Claim] = {}
        self.fragments = fragments
        self.players = scenario.players or rules.players[0]
        self._about(scenario, rules)
        before = len(fragments.graph["nodes"])
        self.scope = Scope({f"player_{seat}": kind_type("player") for seat in range(1, self.players + 1)})
        self._seats(scenario, table)
        for step in scenario.steps:
            for written in step.do:
                self._statements(written)
            for check in step.checks:
                if check.written is not None:
                    self._claim(check.written, check.how)
        if rules.players[0] <= self.players <= rules.players[1]:
            self._people(scenario, rules.players[1])
            self._chances(scenario, table)
            for check in (check for step in scenario.steps for check in step.checks if check.how in NEGATIVE):
                self._names(check, table.named(self.players), list(fragments.graph["nodes"].values())[before:])

    def _about(self, scenario: Scenario, rules: Rules) -> None:
        low, high = rules.players
        if not low <= self.players <= high:
            wanted = f"{low} to {high}" if low < high else str(low)
            message = f"'{rules.id}' is for {wanted} players, not {self.players}"
            self.problems.append(complain("R402", message, start_of(scenario, "players")))
        if scenario.setup and scenario.start in UNARRANGED:
            message = f"nothing is chosen in the set-up where a scenario begins with '{scenario.start}'"
            self.problems.append(complain("R402", message, start_of(scenario, "setup"), hint="start: setup goes through the set-up"))
        linked = rules.built.linked
        book = linked.rulebook if linked is not None else {}
        for cited in scenario.cites:
            if cited.id not in book:
                hint = did_you_mean(cited.id, book)
                self.problems.append(complain("R306", f"the rulebook has no rule '{cited.id}'", cited.span, hint=hint))

    def _people(self, scenario: Scenario, most: int) -> None:
        """Complain of players that there are not."""
        setup = [pick for pick in scenario.setup if isinstance(pick, Pick)]
        named = [pick.chooser for pick in (*setup, *(pick for step in scenario.steps for pick in step.choose)) if pick.chooser is not None]
        named += [seat.player for seat in scenario.seats]
        named += [player for step in scenario.steps for check in step.checks for player in check.players]
        for player in dict.fromkeys(named):
            if int(player.name) > self.players:
                hint = f"add the line: players: {player.name}" if "players" not in scenario.places and int(player.name) <= most else None
                play = f"{self.players} play" if self.players > 1 else "one plays alone"
                self.problems.append(complain("R402", f"there is no player {player.name}: {play}", player.span, hint=hint))

    def _seats(self, scenario: Scenario, table: Table) -> None:
        """Casting: each seat is a call of the effect that the ruleset names for it."""
        if scenario.seats and table.seat is None:
            message = f"'{table.id}' does not say how a player gets a part"
            hint = "its manifest names the effect: 'staging: {files: [staging.rules], seat: EFFECT}'"
            self.problems.append(complain("R210", message, scenario.seats[0].player.span, hint=hint))
            return
        for seat in scenario.seats:
            text = table.seating(seat)
            if int(seat.player.name) > self.players or text in table.seated:
                continue
            entry, problems = self.fragments.statements(text, scenario.file, scope=self.scope, locate=functools.partial(_there, seat.span))
            self.problems += problems
            if not problems:
                table.seated[text] = entry

    def _chances(self, scenario: Scenario, table: Table) -> None:
        """Complain of names that nothing has which could ask chance."""
        told = [*(each for each in scenario.setup if isinstance(each, Chance)), *(step.chance for step in scenario.steps if step.chance is not None)]
        for named in (named for chance in told for named, _ in chance.named):
            known = table.named(self.players).askable()
            if str(named.name) not in known:
                message = f"no die, place or effect is called '{named.name}'"
                self.problems.append(complain("R301", message, named.span, hint=did_you_mean(str(named.name), known)))

    def _names(self, check: Check, names: Possible, own: Nodes) -> None:
        """Complain of a claim that nothing could make false, since it names what there is not."""
        for named in check.names:
            name = str(named.name)
            if check.how == "not offers" and not names.offerable(name, self.scope.names, own):
                message, known = f"nothing that could be chosen is called '{name}'", [*names.offers(own), *self.scope.names]
            elif check.how == "refused" and not names.refusable(name, self.scope.names):
                message, known = f"there is no action and no component '{name}'", names.refusals()
            elif check.how == "not log" and (word := names.unsaid(name, own)) is not None:
                message, known = f"the log can never say '{word}': nothing in the rules is called that or says it", [*names.events, *names.known]
                name = word
            else:
                continue
            self.problems.append(complain("R301", message, named.span, hint=did_you_mean(name, known)))

    def _statements(self, written: Written) -> None:
        entry, problems = self.fragments.statements(written.text, written.file, scope=self.scope, locate=written.locate)
        self.entries[id(written)] = entry
        self.problems += problems
        if any(problem.code.startswith("R1") for problem in problems):
            # What could not be read may have named things that later steps speak of.
            for name in BINDERS.findall(written.text):
                self.scope.names.setdefault(name, LOST)

    def _claim(self, written: Written, how: str) -> None:
        if how == "is":
            core, parts, problems = self.fragments.condition(written.text, written.file, scope=self.scope, locate=written.locate)
        else:
            core, of, problems = self.fragments.expression(written.text, written.file, scope=self.scope, locate=written.locate)
            parts = [Part(written.text, core, of)] if core is not None and of is not None else []
            if how in READING and core is not None and (core.get("op") != "field" or core.get("name") == "place"):
                hint = "a field of one component, such as card.colour; whether the component itself is known is said by 'knows'"
                problems = [complain("R401", "what a player sees is a field", written.span, hint=hint)]
        self.problems += problems
        if core is not None:
            self.claims[id(written)] = Claim(core, parts)


def _there(span: Span, _: Span) -> Span:
    """The one place of a text that stands nowhere: that of what it was made of."""
    return span


def begin(scenario: Scenario, stage: Stage, table: Table) -> Any:
    """The game that a scenario begins with, or why it does not."""
    try:
        return stage.game(table, scenario)
    except Unfit as unfit:
        return Failure("setup", unfit.span, "", f"the set-up goes otherwise: {unfit}")
    except RulesError as error:
        key = "setup" if "setup" in scenario.places else "start"
        return Failure("start", start_of(scenario, key), "", f"an error of the rules while the game begins: {error}")


class Run:
    """One scenario being played."""

    def __init__(self, scenario: Scenario, board: Board, prepared: Prepared) -> None:
        self.scenario = scenario
        self.board = board
        self.game = board.game
        self.prepared = prepared
        self.error: str | None = None
        self.misfit: object = None  # what chance was told to give, where that cannot come
        self.warnings: list[Diagnostic] = []
        self.first = len(board.game.state.log)
        board.moves()
        board.begin_log()

    def play(self) -> Failure | None:
        steps = self.scenario.steps
        for number, step in enumerate(steps):
            if step.name != "given" and number and steps[number - 1].name == "given":
                self.board.begin_log()
            expected = number + 1 < len(steps) and any(check.how == "error" for check in steps[number + 1].checks)
            failure = self.check(step) if step.checks else self.happen(step, expected)
            moves = self.board.moves()
            if step.name == "given":
                self.warnings += [warning for move in moves if (warning := idle_move(self.board, move)) is not None]
            if failure is not None:
                return failure
        if left := self.board.unasked():
            told = ", ".join(f"'{answer}'" for answer in left)
            last = next((step for step in reversed(steps) if step.chance is not None), steps[-1])
            return self.failure(last, last.span, told, f"chance was told {told}, but nothing asked for it")
        return None

    def happen(self, step: Step, expected: bool) -> Failure | None:
        """A step that changes something; an error of the rules is kept if the checks after it expect one."""
        before = self.board.keep()
        at, text = step.span, ""
        try:
            for written in step.do:
                at, text = written.span, written.text.strip()
                self.board.perform(written)
            for pick in step.choose:
                at, text = pick.span, str(pick.option)
                choose(self.board, pick)
            if step.chance is not None:
                self.board.answer(step.chance)
        except Unfit as unfit:
            return self.failure(step, unfit.span, text, str(unfit))
        except RulesError as error:
            self.board.restore(before)  # after an error the game is as it was before the step; so are the local names
            self.misfit = error.answer
            if not expected:
                message = str(error) if error.answer is not None else f"an error of the rules: {error}"
                return self.failure(step, self.place(error, at), text, message)
            self.error = str(error)
        return None

    def place(self, error: RulesError, at: Span) -> Span:
        """Where an error happened, if that is in the scenario itself; else the step that led to it."""
        span = Span(*error.span) if error.span else at
        return span if span.file == self.scenario.file else at

    def check(self, step: Step) -> Failure | None:
        for check in step.checks:
            claim = self.prepared.claims.get(id(check.written)) if check.written is not None else None
            self.game._machine.looked = 0  # each claim has a budget of its own
            try:
                message = CHECKS[check.how](self, check, claim)
            except RulesError as error:
                going_on = f" (in '{error.unit}')"  # which has nothing to do with it
                message = f"an error of the rules: {str(error).removesuffix(going_on)}"
            except RecursionError:
                message = "an error of the rules: values inside each other without end"
            if message is not None:
                parts = claim.parts if claim is not None else []
                text = check.written.text.strip() if check.how == "is" and check.written is not None else f"{check.how}: {check.value}"
                return self.failure(step, check.span, text, message, valued(self.board, parts))
        if self.error is not None and any(check.how == "error" for check in step.checks):
            self.error = None
        return None

    def failure(self, step: Step, span: Span, text: str, message: str, values: tuple[tuple[str, str], ...] = ()) -> Failure:
        try:
            decision, options = decision_of(self.game)
        except RulesError as error:
            decision, options = f"cannot be told: {error}", ()
        return Failure(step.name, span, text, message, values, events_of(self.game, self.first), decision, options)

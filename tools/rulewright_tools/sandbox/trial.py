"""A trial: a scenario that grows with every step, and the game that it leads to.

Takes a ruleset with layers and options; every step is a statement, a choice or what chance gives, written as scenarios write it. Each is checked and played like a scenario,
from the start, so that stepping back is leaving the last one away, and saving is writing down what there is. A step that is wrong, or that the rules fail at, is not kept.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from rulewright.game.game import Game
    from rulewright.scenario.play import Prepared, Run
    from rulewright.scenario.stage import Stage, Table
    from rulewright.scenario.written import Scenario

Step = dict[str, Any]
NAME = "What was tried"
FILE = "try.yaml"
MESSAGES = 5  # so many of the last messages are claimed


class Wrong(Exception):
    """Why a step is not kept, in words for the author; `answer` is what chance was told to give, where that does not fit."""

    def __init__(self, message: str, answer: object = None) -> None:
        super().__init__(message)
        self.answer = answer


class Trial:
    """What an author tries."""

    def __init__(self, ruleset: str, layers: Sequence[str], options: Mapping[str, object], players: int | None, seed: int, start: str) -> None:
        from rulewright.scenario.stage import Stage

        self.about: dict[str, Any] = {"ruleset": ruleset}
        self.about |= {"layers": list(layers)} if layers else {}
        self.about |= {"options": dict(options)} if options else {}
        self.about |= {"players": players} if players is not None else {}
        self.about |= {"seed": seed, "start": start}
        self.given: list[str] = []
        self.when: list[Step] = []
        self.claims: list[str] = []
        self.stage: Stage = Stage()
        self.known = 0  # how long the log was before the last step
        self._play(self.given, self.when)

    # -- steps

    def do(self, text: str) -> None:
        """Carry out statements: what arranges the state, as long as nothing has happened in it."""
        self._take([*self.given], [*self.when, {"do": text}])

    def arrange(self, text: str) -> None:
        """The same, as part of what is given if nothing has happened yet."""
        if self.when:
            self.do(text)
        else:
            self._take([*self.given, text], [])

    def choose(self, option: str) -> None:
        """Take an option of the decision."""
        decision = self.game.decision
        assert decision is not None
        self._take(self.given, [*self.when, {"choose": {f"player_{decision.player}": option}}])

    def chance(self, answers: Sequence[str | int]) -> None:
        """Say what chance gives next."""
        self._take(self.given, [*self.when, {"chance": list(answers)}])

    def seat(self, number: int, part: str | None) -> bool:
        """A new game in which a player has a part (None: whatever the game gives); whether steps were left away for it. What is wrong leaves everything as it was."""
        about, lost = self.about, bool(self.given or self.when)
        self.about = {key: value for key, value in about.items() if key != f"seat {number}"} | ({f"seat {number}": part} if part is not None else {})
        try:
            self._play([], [])
        except Wrong:
            self.about = about
            raise
        self.given, self.when, self.claims, self.known = [], [], [], 0
        return lost

    @property
    def waiting(self) -> list[object]:
        """What chance has been told to give and nothing has asked for yet."""
        return self.run.board.unasked()

    def told_of_chance(self) -> str:
        """What chance gives next, in words."""
        return f"chance gives next: {', '.join(map(str, self.waiting))}" if self.waiting else "chance has nothing else to give"

    def forget(self, position: int | None = None) -> None:
        """Take back one of the answers that wait, or all of them."""
        waiting = len(self.waiting)
        said = [(number, answer) for number, step in enumerate(self.when) for answer in step.get("chance", ())]
        dropped = range(len(said) - waiting, len(said)) if position is None else [len(said) - waiting + position]
        kept: dict[int, list[object]] = {}
        for place, (number, answer) in enumerate(said):
            kept.setdefault(number, []).extend([] if place in dropped else [answer])
        when = [{"chance": kept[number]} if number in kept else step for number, step in enumerate(self.when) if kept.get(number) != []]
        self._play(self.given, when)
        self.when = when

    def claim(self, text: str) -> None:
        """Keep a condition that holds now; it becomes part of what is saved."""
        self._check(text)
        self.claims.append(text)

    def back(self) -> bool:
        """Leave the last step away; False if there is none."""
        if not self.when and not self.given:
            return False
        given, when = (self.given, self.when[:-1]) if self.when else (self.given[:-1], [])
        self.claims = []
        self._play(given, when)
        self.given, self.when = list(given), list(when)
        return True

    def _take(self, given: list[str], when: list[Step]) -> None:
        known = len(self.game.state.log)
        try:
            self._play(given, when)
        except Wrong as wrong:
            if wrong.answer not in self.waiting:
                raise
            self.forget(self.waiting.index(wrong.answer))  # else every step that asks would fail at it
            raise Wrong(f"{wrong}\n'{wrong.answer}' is taken back; {self.told_of_chance()}") from None
        self.given, self.when, self.claims = list(given), list(when), []
        self.known = known

    # -- playing

    def _play(self, given: Sequence[str], when: Sequence[Step]) -> None:
        """The game after some steps; raises `Wrong`, and leaves everything as it was."""
        from rulewright.errors import RulesError
        from rulewright.scenario.board import Board
        from rulewright.scenario.options import Unfit
        from rulewright.scenario.play import Prepared, Run, begin
        from rulewright.scenario.report import Failure

        scenario = self._scenario(given, when, ["true"])
        table, problems = self.stage.table(scenario)
        if table is None or table.rules is None:
            texts = dict(scenario.texts)
            for each in self.stage.tables.values():
                texts |= each.texts
            raise Wrong(_told(problems, texts))
        prepared = Prepared(scenario, table)
        if prepared.problems:
            raise Wrong(_told(prepared.problems, {**table.texts, **scenario.texts}))
        try:
            game = begin(scenario, self.stage, table)
            if isinstance(game, Failure):
                raise Wrong(game.message)
            run = Run(scenario, Board(game, prepared.entries), prepared)
            for number, step in enumerate(scenario.steps):
                if step.name != "given" and number and scenario.steps[number - 1].name == "given":
                    run.board.begin_log()
                if not step.checks and (failure := run.happen(step, False)) is not None:
                    raise Wrong(failure.message, run.misfit)
        except (RulesError, Unfit, RecursionError) as error:
            raise Wrong(f"the rules fail here: {error}") from None
        self.game: Game = game
        self.run: Run = run
        self.prepared: Prepared = prepared
        self.table: Table = table

    def _scenario(self, given: Sequence[str], when: Sequence[Step], then: Sequence[Any], name: str = NAME) -> Scenario:
        """What there is as a scenario."""
        from rulewright.scenario.written import load_scenarios

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / FILE
            path.write_text(self.text(given, when, then, name), encoding="utf-8")
            texts: dict[str, str] = {}
            found, problems = load_scenarios(path, texts=texts)
        if problems or not found:
            raise Wrong(_told(problems, texts))
        return found[0]

    def text(self, given: Sequence[str], when: Sequence[Step], then: Sequence[Any], name: str = NAME, about: Mapping[str, Any] | None = None) -> str:
        """A scenario as it is written."""
        data: dict[str, Any] = {"name": name, **(self.about if about is None else about)}
        data |= {"given": "\n".join(given) + "\n"} if given else {}
        data |= {"when": [dict(step) for step in when]} if when else {}
        data["then"] = list(then)
        return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)

    # -- asking

    def value(self, text: str) -> str:
        """What an expression gives, in words."""
        from rulewright.errors import RulesError
        from rulewright.fragment import Part
        from rulewright.scenario.report import valued

        core, of, problems = self.prepared.fragments.expression(text, FILE, scope=self.prepared.scope)
        if core is None or of is None or problems:
            raise Wrong(_told(problems, {FILE: text}))
        self.game._machine.looked = 0
        try:
            found = valued(self.run.board, [Part(text, core, of)])
        except (RulesError, RecursionError) as error:
            raise Wrong(f"the rules fail here: {error}") from None
        return dict(found).get(text, "nothing")

    def _check(self, text: str) -> None:
        """Refuses a claim that is none, or that does not hold."""
        core, _, problems = self.prepared.fragments.condition(text, FILE, scope=self.prepared.scope)
        if core is None or problems:
            raise Wrong(_told(problems, {FILE: text}))
        if not self.run.board.holds(core):
            raise Wrong("that is not so now")

    # -- saving

    def then(self) -> list[Any]:
        """What is true at the end: what the author claims, what was said, and who has to decide what, or how it ended."""
        found: list[Any] = list(self.claims)
        log = self.game.log(None, everything=True)
        messages = [entry["text"] for entry in log[self._before :] if entry["kind"] == "message"][-MESSAGES:]
        found += [{"log": text} for text in dict.fromkeys(messages)]
        decision, result = self.game.decision, self.game.result
        if decision is not None:
            found.append({"decision": {"player": decision.player, "prompt": decision.prompt}})
        elif result is not None:
            found.append({"result": {"winners": list(result.winners)}})
        else:
            found.append({"decision": "none"})
        return found

    @property
    def _before(self) -> int:
        """How long the log was when what happens began: a claim about the log counts from there."""
        return int(self.run.board.begun)

    def save(self, path: str, name: str) -> str | None:
        """Writes what was done as a scenario; gives what is wrong with it, if it does not pass. Nothing that is there is overwritten."""
        from rulewright.scenario.play import run_scenario
        from rulewright.scenario.written import load_scenarios

        target = Path(os.path.expanduser(path))
        about = {**self.about, "ruleset": _from(target, self.about["ruleset"])}
        about |= {"layers": [_from(target, layer) for layer in self.about["layers"]]} if "layers" in self.about else {}
        text = self.text(self.given, self.when, self.then(), name, about)
        try:
            with open(target, "x", encoding="utf-8") as stream:
                stream.write(text)
        except FileExistsError:
            raise Wrong(f"'{path}' is there already; name another file") from None
        except OSError as error:
            raise Wrong(f"cannot write '{path}': {error.strerror or error}") from None
        scenarios, problems = load_scenarios(target)
        if problems:
            return _told(problems, {})
        outcome = run_scenario(scenarios[0])
        if outcome.diagnostics:
            return _told(outcome.diagnostics, outcome.texts)
        return outcome.failure.message if outcome.failure is not None else None


class _Dumper(yaml.SafeDumper):
    """YAML as people write it: texts of several lines as blocks, short lists of answers on one line."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


def _from(target: Path, name: str) -> str:
    """A ruleset as a scenario in another folder names it: by its id, or by the path from there."""
    from rulewright.sources.locate import lasting_name

    found = lasting_name(name)
    return os.path.relpath(found, target.absolute().parent) if os.path.isabs(found) else found


def _told(problems: Sequence[Any], texts: Mapping[str, str]) -> str:
    """Complaints in short: what is wrong, and what may have been meant."""
    return "\n".join(f"{each.message}{f' ({each.hint})' if each.hint else ''}" for each in problems) or "that cannot be read"

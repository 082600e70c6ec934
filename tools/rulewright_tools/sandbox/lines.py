"""The sandbox line by line: reads what an author types, shows what came of it.

Takes a trial and two functions, one that shows a line and one that reads one. What is no command and no option of the decision is taken for statements of the rules.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

from rulewright.render import printable
from rulewright_tools.play.board import board_size, draw_board
from rulewright_tools.play.canvas import Row, Run, ansi, text_of
from rulewright_tools.play.panels import decision_rows, group_rows, keys_of, refusal_rows, rule_rows, seat_rows, story_rows
from rulewright_tools.play.plain import Screen, spot_rows
from rulewright_tools.sandbox.trial import NAME, Trial, Wrong
from rulewright_tools.table import Layout, Line, Table, look, no_rule, refusals, rule_of

HELP = """\
  STATEMENTS               place things, set numbers: move the first pawn to board_1_1; set player_1.coins to 3
  do EFFECT(...)           call any effect, or carry out statements, and see what comes of it
  chance VALUE, ...        what dice, draws and shuffles give next
  NUMBER, choose OPTION    take an option of the decision
  show EXPRESSION          what something is now
  claim CONDITION          keep something that is true now, for the scenario
  back                     leave the last step away
  steps                    the scenario so far
  look [PLAYER], story     the table as a player sees it; what has happened
  ? NAME, why [NAME]       the rule behind something; why it is not offered
  save FILE [NAME]         write what was done as a scenario that 'rulewright test' plays
  quit"""


class Sandbox:
    """A trial in the hands of somebody who types."""

    def __init__(self, trial: Trial, screen: Screen) -> None:
        self.trial, self.screen = trial, screen
        self.layout = Layout(trial.game.rules, trial.game.world.players)
        self.seat = 1
        self.asked: object = None  # the decision that was shown last

    def run(self) -> None:
        """Until nobody types any more."""
        self._decision()
        while (typed := self.screen.read("try> ")) is not None:
            typed = typed.strip()
            if typed in ("quit", "q", "exit"):
                return
            try:
                self._line(typed)
            except Wrong as wrong:
                for line in str(wrong).splitlines():
                    self.screen.show(f"  {printable(line)}")

    def _line(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        command = COMMANDS.get(word)
        if typed.startswith("?"):
            command, rest = COMMANDS["?"], typed[1:]
        if not typed:
            self.screen.show(HELP)
        elif command is not None:
            command(self, rest.strip())
        elif (option := self._option(typed)) is not None:
            self._step(lambda: self.trial.choose(option))
        elif typed.isdecimal():
            raise Wrong("there is no such option; 'help' tells what can be typed")
        else:
            self._step(lambda: self.trial.arrange(typed))

    # -- commands

    def help(self, _: str) -> None:
        """What can be typed."""
        self.screen.show(HELP)

    def do(self, text: str) -> None:
        """Call an effect."""
        if not text:
            raise Wrong("say what is to be done: do EFFECT(...)")
        self._step(lambda: self.trial.do(text))

    def choose(self, text: str) -> None:
        """Take an option."""
        option = self._option(text)
        if self.trial.game.decision is None:
            raise Wrong("nobody has to decide anything")
        self._step(lambda: self.trial.choose(option if option is not None else text))

    def chance(self, text: str) -> None:
        """What chance gives next."""
        answers = [answer.strip() for answer in text.split(",") if answer.strip()]
        if not answers:
            raise Wrong("say what chance gives: chance 4, or chance skull, 2")
        self.trial.chance([int(answer) if answer.lstrip("-").isdecimal() and len(answer) < 10 else answer for answer in answers])
        self.screen.show(f"  Next: {', '.join(answers)}.")

    def show(self, text: str) -> None:
        """What something is."""
        self.screen.show(f"  {printable(self.trial.value(text))}")

    def claim(self, text: str) -> None:
        """Keep something that is true."""
        self.trial.claim(text)
        self.screen.show("  Kept.")

    def back(self, _: str) -> None:
        """One step back."""
        if not self.trial.back():
            raise Wrong("nothing has been done yet")
        self.screen.show("  One step back.")
        self._decision()

    def steps(self, _: str) -> None:
        """The scenario so far."""
        trial = self.trial
        self.screen.show(trial.text(trial.given, trial.when, trial.then()).rstrip())

    def look(self, text: str) -> None:
        """The table."""
        if text:
            if not text.isdecimal() or not 1 <= int(text[:3]) <= self.trial.game.world.players:
                raise Wrong(f"there is no player '{text}'")
            self.seat = int(text)
        table = self._table()
        keys = keys_of(table)
        wide = bool(table.board.grids) or board_size(table.board)[0] <= self.screen.width
        rows = draw_board(table, keys) if wide else spot_rows(table, keys)
        for seat in table.seats.values():
            rows += seat_rows(table, seat, seat.label, keys)
        self._rows([*rows, *group_rows(table, keys)])
        self.asked = None
        self._decision()

    def story(self, _: str) -> None:
        """What has happened."""
        self._news(0)

    def rule(self, text: str) -> None:
        """The rule behind something."""
        self._rows(
            rule_rows(rule_of(self.trial.game.rules, text.strip()), self.screen.width) or [[Run(f"  {no_rule(self.trial.game.rules, text.strip())}")]]
        )

    def why(self, text: str) -> None:
        """Why something is not offered."""
        decision = self.trial.game.decision
        player = decision.player if decision is not None and decision.player else self.seat
        found = refusals(self.trial.game, player, text or None)
        self._rows(refusal_rows(found, self.screen.width, bool(text)) or [[Run("  Nothing there is kept back.")]])

    def save(self, text: str) -> None:
        """Write a scenario."""
        try:
            words = shlex.split(text)
        except ValueError:
            words = text.split()
        if not words:
            raise Wrong("say where: save FILE, or save FILE NAME OF THE SCENARIO")
        wrong = self.trial.save(words[0], " ".join(words[1:]) or NAME)
        if wrong:
            raise Wrong(f"written to '{words[0]}', but it does not pass: {wrong}")
        self.screen.show(f"  Written. It passes: rulewright test {words[0]}")

    # -- showing

    def _option(self, typed: str) -> str | None:
        """The option that is meant by a number or its words."""
        decision = self.trial.game.decision
        if decision is None:
            return None
        if typed.isdecimal() and len(typed) < 6:
            return decision.options[int(typed) - 1].id if 0 < int(typed) <= len(decision.options) else None
        return next((option.id for option in decision.options if typed.lower() in (option.id.lower(), option.label.lower())), None)

    def _step(self, step: Callable[[], None]) -> None:
        """Does something and tells what came of it."""
        step()
        self._news(self.trial.known)
        self._decision()

    def _table(self) -> Table:
        decision = self.trial.game.decision
        seat = decision.player if decision is not None and decision.player else self.seat
        return look(self.trial.game, seat, self.layout, story={})

    def _news(self, since: int) -> None:
        entries = self.trial.game.log(None, everything=True, start=since)
        lines = [Line(entry["text"], entry["kind"], entry["phase"] or "", entry["cause"], list(entry["cites"])) for entry in entries]
        self._rows(story_rows(lines, self.screen.width))

    def _decision(self) -> None:
        decision = self.trial.game.decision
        if decision is not None and decision == self.asked:
            return
        self.asked = decision
        if decision is not None:
            self._rows(decision_rows(self._table(), f"Player {decision.player}", self.screen.width))
        elif (result := self.trial.game.result) is not None:
            self.screen.show(f"  The game is over; winners: {', '.join(map(str, result.winners)) or 'none'}.")

    def _rows(self, rows: list[Row]) -> None:
        for row in rows:
            clean = [run._replace(text=printable(run.text)) for run in row]
            self.screen.show(ansi(clean) if self.screen.colour else text_of(clean))


COMMANDS: dict[str, Callable[[Sandbox, str], None]] = {
    "help": Sandbox.help,
    "do": Sandbox.do,
    "choose": Sandbox.choose,
    "chance": Sandbox.chance,
    "show": Sandbox.show,
    "claim": Sandbox.claim,
    "back": Sandbox.back,
    "undo": Sandbox.back,
    "steps": Sandbox.steps,
    "look": Sandbox.look,
    "story": Sandbox.story,
    "?": Sandbox.rule,
    "rule": Sandbox.rule,
    "why": Sandbox.why,
    "save": Sandbox.save,
}

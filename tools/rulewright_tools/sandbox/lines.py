"""The sandbox line by line: reads what an author types, shows what came of it.

Takes a trial and two functions, one that shows a line and one that reads one. What is no command and no option of the decision is taken for statements of the rules.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from rulewright.render import printable
from rulewright_tools.own_words import said_in
from rulewright_tools.play.board import board_size, draw_board
from rulewright_tools.play.canvas import Row, Run, ansi, text_of
from rulewright_tools.play.panels import decision_rows, group_rows, keys_of, refusal_rows, rule_rows, seat_rows, story_rows
from rulewright_tools.play.plain import Screen, help_text, spot_rows
from rulewright_tools.sandbox.trial import NAME, Trial, Wrong
from rulewright_tools.table import Layout, Line, Table, action_refusals, look, no_rule, nothing_refused, refusals, rule_of

NONE = "none"  # takes back what chance was told, unless a die shows it
SEAT = re.compile(r"(?:player_)?([1-9][0-9]?)\s*[:=]?\s*(\w+)")
HELP = (  # what can be typed, and what it does
    ("STATEMENTS", "place things, set numbers: move the first pawn to board_1_1; set player_1.coins to 3"),
    ("do EFFECT(...)", "call any effect, or carry out statements, and see what comes of it"),
    ("chance VALUE, ...", "what dice, draws and shuffles give next; 'chance' tells what waits, 'chance none' takes it back"),
    ("seat NUMBER: PART", "a new game in which that player has that part; seat NUMBER: none"),
    ("NUMBER, choose OPTION", "take an option of the decision"),
    ("show EXPRESSION", "what something is now"),
    ("claim CONDITION", "keep something that is true now, for the scenario"),
    ("back", "leave the last step away"),
    ("steps", "the scenario so far"),
    ("look [PLAYER], story", "the table as a player sees it; what has happened"),
    ("? NAME, why [NAME]", "the rule behind something; why it is not offered"),
    ("save FILE [NAME]", "write what was done as a scenario that 'rulewright test' plays"),
    ("quit", "stop"),
)


class Sandbox:
    """A trial in the hands of somebody who types, and reads in a language; what is written as a scenario is in that of the rules."""

    def __init__(self, trial: Trial, screen: Screen, language: str | None = None) -> None:
        self.trial, self.screen, self.language = trial, screen, language
        self.say = said_in(language)
        self.layout = Layout(trial.game.rules, trial.game.world.players, language)
        self.seat = 1
        self.asked: object = None  # the decision that was shown last
        self.saved = self._done()
        self.leaving = False  # whether somebody was told that something would be lost

    def run(self) -> None:
        """Until nobody types any more."""
        self._decision()
        while (typed := self.screen.read("try> ")) is not None:
            typed = typed.strip()
            if typed in ("quit", "q", "exit"):
                if self.leaving or self._done() == self.saved:
                    return
                self.leaving = True
                self.screen.show("  " + self.say("What was done is not saved: save FILE, or quit again."))
                continue
            self.leaving = False
            try:
                self._line(typed)
            except Wrong as wrong:
                for line in str(wrong).splitlines():
                    self.screen.show(f"  {printable(line)}")

    def _done(self) -> tuple[list[object], ...]:
        """What would be lost if it were not saved."""
        return [*self.trial.given], [*self.trial.when], [*self.trial.claims]

    def _line(self, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        command = COMMANDS.get(word)
        if typed.startswith("?"):
            command, rest = COMMANDS["?"], typed[1:]
        if not typed:
            self.screen.show(help_text(self.say, HELP))
        elif command is not None:
            command(self, rest.strip())
        elif (option := self._option(typed)) is not None:
            self._step(lambda: self.trial.choose(option))
        elif typed.isdecimal():
            raise Wrong(self.say("there is no such option; 'help' tells what can be typed"))
        else:
            self._step(lambda: self.trial.arrange(typed))

    # -- commands

    def help(self, _: str) -> None:
        """What can be typed."""
        self.screen.show(help_text(self.say, HELP))

    def do(self, text: str) -> None:
        """Call an effect."""
        if not text:
            raise Wrong(self.say("say what is to be done: do EFFECT(...)"))
        self._step(lambda: self.trial.do(text))

    def choose(self, text: str) -> None:
        """Take an option."""
        option = self._option(text)
        if self.trial.game.decision is None:
            raise Wrong(self.say("nobody has to decide anything"))
        self._step(lambda: self.trial.choose(option if option is not None else text))

    def chance(self, text: str) -> None:
        """What chance gives next."""
        answers = [answer.strip() for answer in text.split(",") if answer.strip()]
        waiting = bool(self.trial.waiting)
        if not answers and not waiting:
            raise Wrong(self.say("say what chance gives: chance 4, or chance skull, 2"))
        if answers == ["-"] or (answers == [NONE] and not any(NONE in die["faces"] for die in self.trial.game.rules.graph["dice"].values())):
            if not waiting:
                raise Wrong(self.say("chance was told nothing that still waits"))
            self.trial.forget()
        elif answers:
            self.trial.chance([int(answer) if answer.lstrip("-").isdecimal() and len(answer) < 10 else answer for answer in answers])
        waits = ", ".join(map(str, self.trial.waiting))
        self.screen.show("  " + (self.say("Chance gives next: {answers}.", answers=waits) if waits else self.say("Chance has nothing else to give.")))

    def cast(self, text: str) -> None:
        """Casting: a new game."""
        found = SEAT.fullmatch(text)
        if found is None:
            raise Wrong(self.say("say who sits where: seat 1: PART, as scenarios do"))
        if int(found[1]) > self.trial.game.world.players:
            raise Wrong(self.say("there is no player {number}; rulewright try ... --players {number} begins with more", number=found[1]))
        part = None if found[2] == NONE else found[2]
        lost = self.trial.seat(int(found[1]), part)
        begun = self.say("A new game with {part} at seat {number}.", part=part, number=found[1]) if part else self.say("A new game.")
        self.screen.show(f"  {begun}" + (" " + self.say("What was done before is left away.") if lost else ""))
        self.asked = None
        self._decision()

    def show(self, text: str) -> None:
        """What something is."""
        self.screen.show(f"  {printable(self.trial.value(text))}")

    def claim(self, text: str) -> None:
        """Keep something that is true."""
        self.trial.claim(text)
        self.screen.show("  " + self.say("Kept."))

    def back(self, _: str) -> None:
        """One step back."""
        if not self.trial.back():
            raise Wrong(self.say("nothing has been done yet"))
        self.screen.show("  " + self.say("One step back."))
        self._decision()

    def steps(self, _: str) -> None:
        """The scenario so far."""
        trial = self.trial
        self.screen.show(trial.text(trial.given, trial.when, trial.then()).rstrip())

    def look(self, text: str) -> None:
        """The table."""
        if text:
            if not text.isdecimal() or not 1 <= int(text[:3]) <= self.trial.game.world.players:
                raise Wrong(self.say("there is no player '{text}'", text=text))
            self.seat = int(text)
        table = self._table()
        keys = keys_of(table)
        wide = bool(table.board.grids) or board_size(table.board)[0] <= self.screen.width
        rows = draw_board(table, keys) if wide else spot_rows(table, keys, self.say)
        for seat in table.seats.values():
            rows += seat_rows(table, seat, seat.label, keys, self.say)
        self._rows([*rows, *group_rows(table, keys, self.say)])
        self.asked = None
        self._decision()

    def story(self, _: str) -> None:
        """What has happened."""
        self._news(0)

    def rule(self, text: str) -> None:
        """The rule behind something."""
        rules, name = self.trial.game.rules, text.strip()
        self._rows(rule_rows(rule_of(rules, name), self.screen.width, self.say) or [[Run(f"  {no_rule(rules, name, self.say)}")]])

    def why(self, text: str) -> None:
        """Why something is not offered."""
        decision = self.trial.game.decision
        player = decision.player if decision is not None and decision.player else self.seat
        game, world = self.trial.game, self.trial.game.world
        found = action_refusals(game, player, text, self.language) if text else refusals(game, player, None, self.language)
        known = found is not None
        if found is None:
            named = zip(world.identities, world.definitions, world.labels, strict=False)
            things = [names[0] for names in named if text.lower() in map(str.lower, names)]
            found, known = [refusal for thing in things for refusal in refusals(game, player, thing, self.language)], bool(things)
        said = nothing_refused(game, text, known, self.language, self.say) if text else self.say("Nothing there is kept back.")
        self._rows(refusal_rows(found, self.screen.width, bool(text)) or [[Run(f"  {said}")]])

    def save(self, text: str) -> None:
        """Write a scenario."""
        try:
            words = shlex.split(text)
        except ValueError:
            words = text.split()
        if not words:
            raise Wrong(self.say("say where: save FILE, or save FILE NAME OF THE SCENARIO"))
        wrong = self.trial.save(words[0], " ".join(words[1:]) or NAME)
        self.saved = self._done()
        if wrong:
            raise Wrong(self.say("written to '{path}', but it does not pass: {why}", path=words[0], why=wrong))
        self.screen.show("  " + self.say("Written. It passes: rulewright test {path}", path=words[0]))

    # -- showing

    def _option(self, typed: str) -> str | None:
        """The option that is meant by a number or its words."""
        decision = self.trial.game.decision
        if decision is None:
            return None
        if typed.isdecimal() and len(typed) < 6:
            return decision.options[int(typed) - 1].id if 0 < int(typed) <= len(decision.options) else None
        shown = decision if self.language is None else self.trial.game.decision_in(self.language)
        options = [*decision.options, *(shown.options if shown is not None else ())]
        return next((option.id for option in options if typed.lower() in (option.id.lower(), option.label.lower())), None)

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
        entries = self.trial.game.log(None, everything=True, start=since, language=self.language)
        lines = [Line(entry["text"], entry["kind"], entry["phase"] or "", entry["cause"], list(entry["cites"])) for entry in entries]
        self._rows(story_rows(lines, self.screen.width))

    def _decision(self) -> None:
        decision = self.trial.game.decision
        if decision is not None and decision == self.asked:
            return
        self.asked = decision
        if decision is not None:
            self._rows(
                decision_rows(
                    self._table(),
                    self.layout.words.labels[decision.player - 1] if decision.player else self.say("Chance"),
                    self.screen.width,
                    self.say,
                )
            )
        elif (result := self.trial.game.result) is not None:
            winners = ", ".join(map(str, result.winners)) or self.say("none")
            self.screen.show("  " + self.say("The game is over; winners: {winners}.", winners=winners))

    def _rows(self, rows: list[Row]) -> None:
        for row in rows:
            clean = [run._replace(text=printable(run.text)) for run in row]
            self.screen.show(ansi(clean) if self.screen.colour else text_of(clean))


COMMANDS: dict[str, Callable[[Sandbox, str], None]] = {
    "help": Sandbox.help,
    "do": Sandbox.do,
    "choose": Sandbox.choose,
    "chance": Sandbox.chance,
    "seat": Sandbox.cast,
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

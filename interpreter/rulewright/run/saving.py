"""Saves and replays: a game as JSON, and back.

A save holds the whole state at a decision, names the rules with marks of what they mean, and carries a checksum. Reading one back refuses anything
truncated, edited or of other rules, and says which declarations differ; if asked to, it goes on by other rules where the state still fits (`fitting`). A replay
holds the choices, and the log in words to hold what comes of them against. A file names rules that do not come with the program by their path from the file.
Files are written beside their target and renamed, so an old save survives whatever happens while writing.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rulewright.core.chance import Script
from rulewright.core.world import World
from rulewright.data import schema
from rulewright.errors import SaveError
from rulewright.files import write_text
from rulewright.fingerprint import Marks, changed
from rulewright.run.fitting import Misfit, fitted, legend
from rulewright.run.state import Frame, State, copied, from_entry, spread
from rulewright.shape import surely

if TYPE_CHECKING:
    from rulewright.run.game import Game

FIELDS = (
    "values",
    "where",
    "members",
    "frames",
    "random",
    "known",
    "installed",
    "once",
    "outcomes",
    "answers",
    "loose",
    "ended",
    "version",
    "installs",
)
LARGEST = 64_000_000
# A new number for every change of a format, so that a file of another version is called that, and not damaged.
VERSIONS = {"save": 6, "replay": 3}
NAMED = 12  # declarations that a message lists
WORDS = ("label", "prompt", "text")  # of an entry of the log; what is in them is also in the data of the entries around it
# What a state that was tampered with, and still looks like one, can lead to.
DAMAGES = (KeyError, IndexError, TypeError, ValueError, AttributeError, AssertionError, StopIteration, RecursionError, OverflowError)


class Ruleset(Protocol):
    """What a save or replay needs to know of rules."""

    graph: dict[str, Any]

    @property
    def id(self) -> str: ...
    @property
    def marks(self) -> Marks: ...
    @property
    def names(self) -> tuple[str, tuple[str, ...]]: ...
    @property
    def players(self) -> tuple[int, int]: ...
    def world(self, players: int) -> World: ...
    def new_game(self, players: int | None = None, seed: int = 0, chance: Sequence[object] | str | None = None) -> Game: ...


# -- writing


def header(game: Game) -> dict[str, Any]:
    """What a save and a replay have in common."""
    rules, about = game.rules, game.rules.graph["ruleset"]
    target, added = rules.names
    return {
        "ruleset": {
            "id": about["id"], "version": about["version"], "layers": [package["id"] for package in about["packages"]], "target": target,
            "added": list(added), "options": about["options"], "fingerprint": rules.marks.whole, "words": rules.marks.words,
            "declarations": rules.marks.declared,
        },
        "players": game.world.players, "seed": game.seed, "chance": "ask" if game.script.ask else "seed", "automatic": game.automatic,
        "script": list(game.script.given), "choices": [list(choice) for choice in game.choices],
    }  # fmt: skip


def as_save(game: Game) -> dict[str, Any]:
    """A game as plain data."""
    state = {name: copied(getattr(game.state, name)) for name in FIELDS if name != "frames"}
    state["members"] = [list(members) for members in state["members"]]
    state["frames"] = [_written(game.world, frame) for frame in spread(game.state.stack)]
    data = {
        "format": "rulewright save",
        "format_version": VERSIONS["save"],
        **header(game),
        "script_left": list(game.script.answers),
        "state": state,
        "legend": legend(game.world, game.rules.marks, state),
        "log": [copied(entry) if list in map(type, entry.values()) else entry for entry in game.state.entries()],
    }
    return {**data, "checksum": checksum(data)}


def as_replay(game: Game) -> dict[str, Any]:
    """A game as its choices, with marks to verify it by."""
    result = game.result
    ended = None if result is None else {"winners": list(result.winners), "losers": list(result.losers), "eliminated": list(result.eliminated)}
    data = {"format": "rulewright replay", "format_version": VERSIONS["replay"], **header(game), "result": ended, "log": log_lines(game)}
    bare = [{key: part for key, part in entry.items() if key not in WORDS} for entry in game.state.entries()]
    return {**data, "log_fingerprint": checksum(bare)}


def log_lines(game: Game) -> list[str]:
    """The log as a replay has it: what happened, and what caused it."""
    return [f"{entry['text']}  ({entry['cause']})" for entry in game.log(everything=True)]


def checksum(data: Any) -> str:
    """A mark of plain data."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


def _written(world: World, frame: Frame) -> Frame:
    """A frame as a file has it: a loop by its node, not by its condition."""
    if frame["f"] != "repeat":
        return copied(frame)  # type: ignore[no-any-return]  # a dictionary stays one
    loops = ((name, node) for name, node in world.graph["nodes"].items() if node["op"] == "repeat" and node["body"] == frame["body"])
    return {"f": "repeat", "node": next(name for name, node in loops if node["until"] == frame["until"]), "left": frame["left"]}


def _going_on(world: World, frame: Frame) -> Frame:
    """A frame from a file."""
    if frame["f"] != "repeat":
        return frame
    node = world.graph["nodes"].get(frame.get("node"), {})
    if node.get("op") != "repeat":
        raise Misfit("what is going on in it (repeat) has a wrong 'node'")
    return {"f": "repeat", "until": node["until"], "body": node["body"], "left": frame.get("left")}


def write_file(path: str | Path, data: Mapping[str, Any]) -> None:
    """Write JSON so that the file is either the old one or the new one, never half of it; an OSError names the file.

    Rules that do not come with the program are named by their path from the file, so that both can be taken elsewhere together.
    """
    about, folder = data["ruleset"], os.path.dirname(os.path.abspath(path))
    data = {**data, "ruleset": {**about, "target": _from(folder, about["target"]), "added": [_from(folder, layer) for layer in about["added"]]}}
    if "checksum" in data:
        data["checksum"] = checksum({key: part for key, part in data.items() if key != "checksum"})
    try:
        write_text(path, json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def _from(folder: str, name: str) -> str:
    """A whole path as one from a folder; anything else stays as it is."""
    if not os.path.isabs(name):
        return name
    try:
        path = Path(os.path.relpath(name, folder)).as_posix()
    except ValueError:  # another drive
        return name
    return path if path.startswith(".") else f"./{path}"


# -- reading


def read_file(path: str | Path, what: str) -> dict[str, Any]:
    """The JSON of a save or replay, checked against its schema."""
    try:
        if os.path.getsize(path) > LARGEST:
            raise SaveError(f"'{path}' is larger than any {what}")
        text = Path(path).read_text(encoding="utf-8")
        data = json.loads(text)
    except OSError as error:
        raise SaveError(f"cannot read '{path}': {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise SaveError(
            f"'{path}' is not a {what}, or is damaged: {_broken(text if isinstance(error, json.JSONDecodeError) else None, error)}"
        ) from None
    try:
        return check_shape(data, what)
    except SaveError as error:
        raise SaveError(f"'{path}': {error}", found=error.found) from None


def _broken(text: str | None, error: Exception) -> str:
    """What is wrong with a text that is no JSON, in words for people."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not text"
    if text is None or not isinstance(error, json.JSONDecodeError):
        return str(error) or type(error).__name__
    if not text.strip():
        return "it is empty"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        return f"it ends in the middle, after {len(text):,} characters"
    return f"it is no JSON at line {error.lineno}, column {error.colno} ({error.msg})"


def check_shape(data: Any, what: str) -> dict[str, Any]:
    """Refuse data that is no save or replay."""
    if not isinstance(data, dict) or data.get("format") != f"rulewright {what}":
        found = data.get("format") if isinstance(data, dict) else None
        other = found[11:] if isinstance(found, str) and found in ("rulewright save", "rulewright replay", "rulewright transcript") else None
        raise SaveError(f"this is not a {what} of rulewright" + (f", but a {other}" if other else ""), found=other)
    version, read = data.get("format_version"), VERSIONS[what]
    if type(version) is not int or version != read:
        age = "" if type(version) is not int else "an older rulewright wrote it: " if version < read else "a newer rulewright wrote it: "
        raise SaveError(f"{age}this {what} has version {version} of the format; this rulewright reads version {read}")
    try:
        if not surely(what)(data) and (problem := _problem(data, what)) is not None:
            raise SaveError(problem)
        if what == "save" and checksum({key: part for key, part in data.items() if key != "checksum"}) != data["checksum"]:
            raise SaveError("the save has been changed since it was written: its checksum does not fit")
    except (ValueError, TypeError, RecursionError) as error:
        raise SaveError(f"the {what} is damaged: {error}") from None
    return data


def _problem(data: Any, what: str) -> str | None:
    """What is wrong with the shape of a save or replay, if anything is."""
    from jsonschema import Draft202012Validator

    problem = next(iter(Draft202012Validator(schema(what)).iter_errors(data)), None)
    if problem is None:
        return None
    where = ".".join(str(part) for part in problem.absolute_path) or "the whole"
    return f"the {what} is damaged at {where}: {problem.message[:200]}"


def check_rules(rules: Ruleset, data: Mapping[str, Any], what: str) -> None:
    """Refuse a save or replay of rules that mean something else, and say what differs."""
    about, saved = rules.graph["ruleset"], data["ruleset"]
    if saved["fingerprint"] == rules.marks.whole:
        return
    if saved["id"] != about["id"]:
        raise SaveError(f"the {what} is of the ruleset '{saved['id']}', not of '{about['id']}'")
    layers = [package["id"] for package in about["packages"]]
    if saved["layers"] != layers:
        raise SaveError(f"the {what} was made with the layers {', '.join(saved['layers'])}; loaded are {', '.join(layers)}")
    if saved["options"] != about["options"]:
        differing = [f"{name} = {saved['options'].get(name)} there, {about['options'].get(name)} here" for name in {*saved["options"], *about["options"]} if saved["options"].get(name) != about["options"].get(name)]  # fmt: skip
        raise SaveError(f"the {what} was made with other options: {'; '.join(sorted(differing))}")
    changes = changed(saved["declarations"], rules.marks.declared)
    more = f" and {len(changes) - NAMED:,} more" if len(changes) > NAMED else ""
    listed = f": {', '.join(changes[:NAMED])}{more}" if changes else ""
    versions = f" (version {saved['version']}; now it is {about['version']})" if saved["version"] != about["version"] else ""
    raise SaveError(f"the rules of '{about['id']}' have changed since the {what} was made{versions}{listed}", changes)


def read_save(rules: Ruleset, save: str | Path | Mapping[str, Any], *, force: bool = False) -> Game:
    """A game from a save; `force`: also by rules that have been changed, if the state fits them."""
    from rulewright.errors import RulesError
    from rulewright.run.game import Game
    from rulewright.run.soundness import check_log, check_state

    data = check_shape(dict(save), "save") if isinstance(save, Mapping) else read_file(save, "save")
    same = data["ruleset"]["fingerprint"] == rules.marks.whole
    if not force:
        check_rules(rules, data, "save")
    wrong = "the save is damaged" if same else "the save does not fit the rules as they are now"
    low, high = rules.players
    if not low <= data["players"] <= high:
        raise SaveError(f"the save is of a game for {data['players']} players, but '{rules.id}' is for {low} to {high}")
    world = rules.world(data["players"])
    state = State()
    try:
        found = fitted(world, rules.marks, data)
        for name in FIELDS:
            setattr(state, name, found[name])
        state.frames = [_going_on(world, frame) for frame in state.frames]
        state.members = [tuple(members) for members in state.members]
    except Misfit as error:
        raise SaveError(f"{wrong}: {error}") from None
    except DAMAGES as error:
        raise SaveError(f"the save is damaged: what is going on in it is nothing that could ({type(error).__name__})") from error
    game = Game(rules, world, state, data["seed"], automatic=data["automatic"], script=Script(data["script"], ask=data["chance"] == "ask"))
    game.script.answers = list(data["script_left"])
    game.choices = [(player, option) for player, option in data["choices"]]
    game.loaded = True
    problem = check_state(world, state) or check_log(world, data["log"])
    if problem is not None:
        raise SaveError(f"{wrong}: {problem}")
    state.log = [from_entry(copied(entry)) for entry in data["log"]]
    state.log_length = len(state.log)
    try:
        if game.decision is None and not state.ended:
            raise SaveError(f"{wrong}: nobody has to decide anything, and the game is not over")
    except (RulesError, *DAMAGES) as error:
        raise SaveError(f"{wrong}: what is to be decided cannot be told ({error})") from error
    return game


def replay(rules: Ruleset, data: Mapping[str, Any], to: int | None = None) -> Game:
    """A game from the start, by the choices of a replay, as far as `to` of them."""
    check_rules(rules, data, "replay")
    game, problem = play_again(rules, data, to)
    if problem is not None:
        raise SaveError(problem)
    return game


def play_again(rules: Ruleset, data: Mapping[str, Any], to: int | None = None) -> tuple[Game, str | None]:
    """The game that the choices of a replay lead to, as far as they can be made, and what is wrong with the first that cannot."""
    from rulewright.errors import IllegalChoice

    game = rules.new_game(data["players"], data["seed"], "ask" if data["chance"] == "ask" else data["script"])
    for number, (player, option) in enumerate(data["choices"][:to], start=1):
        decision = game.decision
        if decision is None:
            return game, f"choice {number} of the replay comes after the end of the game"
        if decision.player != player:
            return game, f"choice {number} of the replay is {_who(player)}'s, but it is {_who(decision.player)} who decides"
        try:
            game.choose(option)
        except IllegalChoice as error:
            return game, f"choice {number} of the replay is not legal: {error}"
    return game, None


def _who(player: int) -> str:
    return f"player {player}" if player > 0 else "chance"


class Difference(NamedTuple):
    """Where a game first goes otherwise than recorded: after how many choices, the number of the event, and both events."""

    after: int
    event: int
    recorded: str | None
    played: str | None


def first_difference(game: Game, data: Mapping[str, Any], partly: bool = False) -> Difference | None:
    """The first event of a game that a replay tells otherwise, or that only one of the two has; what comes after the end of a game that is played `partly` is none."""
    choices = (number for number, (player, _) in enumerate(game.choices, start=1) if player > 0)
    after = 0
    kinds = (entry["kind"] for entry in game.state.entries())
    for number, (recorded, played, kind) in enumerate(zip_longest(data["log"], log_lines(game), kinds), start=1):
        if partly and played is None:
            return None
        if recorded != played:
            return Difference(after, number, recorded, played)
        after = next(choices) if kind == "choice" else after
    return None

"""Saves and replays: a game as JSON, and back.

A save holds the whole state at a decision, names the rules with marks of what they mean, and carries a checksum. Reading one back refuses anything
truncated, edited or of other rules, and says which declarations differ; if asked to, it goes on by other rules where the state still fits (`points`). A replay
holds the choices, and the log in words to hold what comes of them against. A file names rules that do not come with the program by their path from the file.
Files are written beside their target and renamed, so an old save survives whatever happens while writing.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from rulewright.data import schema
from rulewright.errors import IllegalChoice, Misfit, RulesError, SaveError
from rulewright.files import write_text
from rulewright.fingerprint import changed
from rulewright.game.encode import Decoder, Encoder, read_entry
from rulewright.game.engine import Stepping
from rulewright.game.log_text import entries
from rulewright.game.sampling import Sampling
from rulewright.game.saved import VERSION, Save
from rulewright.game.validate_state import check_log, check_state
from rulewright.shape import surely

if TYPE_CHECKING:
    from rulewright.game.game import Game

LARGEST = 64_000_000
VERSIONS = {"save": VERSION, "replay": 3}
NAMED = 12  # declarations that a message lists
WORDS = ("label", "prompt", "text")  # of an entry of the log; what is in them is also in the data of the entries around it
# What a state that was tampered with, and still looks like one, can lead to.
DAMAGES = (KeyError, IndexError, TypeError, ValueError, AttributeError, AssertionError, StopIteration, RecursionError, OverflowError)


# -- writing


def header(game: Game) -> dict[str, Any]:
    """What a save and a replay have in common."""
    rules, about, script = game.rules, game.rules.graph["ruleset"], game.script
    target, added = rules.names
    return {
        "ruleset": {
            "id": about["id"], "version": about["version"], "layers": [package["id"] for package in about["packages"]], "target": target,
            "added": list(added), "options": about["options"], "fingerprint": rules.marks.whole, "words": rules.marks.words,
            "declarations": rules.marks.declared,
        },
        "players": game.world.players, "seed": game.seed, "chance": "ask" if script.ask else "seed", "automatic": game.automatic,
        "script": list(script.given), "choices": [list(choice) for choice in game.choices],
    }  # fmt: skip


def as_save(game: Game) -> dict[str, Any]:
    """A game as plain data."""
    encoder = Encoder(game._machine.linked, game.rules.marks)
    state = msgspec.to_builtins(encoder.state(game.state))
    data = {
        "format": "rulewright save",
        "format_version": VERSION,
        **header(game),
        "script_left": list(game.script.answers),
        "state": state,
        "legend": msgspec.to_builtins(encoder.legend()),
        "log": entries(game._machine),
    }
    return {**data, "checksum": checksum(data)}


def as_replay(game: Game) -> dict[str, Any]:
    """A game as its choices, with marks to verify it by."""
    result = game.result
    ended: dict[str, Any] | None = (
        None if result is None else {"winners": list(result.winners), "losers": list(result.losers), "eliminated": list(result.eliminated)}
    )
    if ended is not None and result is not None and result.points:
        ended["points"] = list(result.points)
    data = {"format": "rulewright replay", "format_version": VERSIONS["replay"], **header(game), "result": ended, "log": log_lines(game)}
    bare = [{key: part for key, part in entry.items() if key not in WORDS} for entry in game.entries()]
    return {**data, "log_fingerprint": checksum(bare)}


def log_lines(game: Any) -> list[str]:
    """The log as a replay has it: what happened, and what caused it."""
    return [f"{entry['text']}  ({entry['cause']})" for entry in game.log(everything=True)]


def checksum(data: Any) -> str:
    """A mark of plain data."""
    return hashlib.sha256(json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


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
        if (problem := _problem(data, what)) is not None:
            raise SaveError(problem)
        if what == "save" and checksum({key: part for key, part in data.items() if key != "checksum"}) != data["checksum"]:
            raise SaveError("the save has been changed since it was written: its checksum does not fit")
    except (ValueError, TypeError, RecursionError) as error:
        raise SaveError(f"the {what} is damaged: {error}") from None
    return data


def _problem(data: Any, what: str) -> str | None:
    """What is wrong with the shape of a save or replay, if anything is."""
    if what == "save":
        try:
            msgspec.convert(data, Save)
        except msgspec.ValidationError as error:
            message, _, where = str(error).partition(" - at `")
            return f"the save is damaged at {where.strip('`$.') or 'the whole'}: {message[:200]}"
        return None
    if surely(what)(data):
        return None
    from jsonschema import Draft202012Validator

    problem = next(iter(Draft202012Validator(schema(what)).iter_errors(data)), None)
    if problem is None:
        return None
    where = ".".join(str(part) for part in problem.absolute_path) or "the whole"
    return f"the {what} is damaged at {where}: {problem.message[:200]}"


def check_rules(rules: Any, data: Mapping[str, Any], what: str) -> None:
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


def read_save(rules: Any, save: str | Path | Mapping[str, Any], *, force: bool = False) -> Game:
    """A game from a save; `force`: also by rules that have been changed, if the state fits them."""
    from rulewright.game.game import Game

    data = check_shape(dict(save), "save") if isinstance(save, Mapping) else read_file(save, "save")
    saved = msgspec.convert(data, Save)
    same = saved.ruleset.fingerprint == rules.marks.whole
    if not force:
        check_rules(rules, data, "save")
    wrong = "the save is damaged" if same else "the save does not fit the rules as they are now"
    low, high = rules.players
    if not low <= saved.players <= high:
        raise SaveError(f"the save is of a game for {saved.players} players, but '{rules.id}' is for {low} to {high}")
    linked = rules.linked(saved.players)
    try:
        state = Decoder(linked, rules.marks, saved).state()
        problem = check_state(linked, state) or check_log(linked.world, saved.log)
        log = [] if problem is not None else [read_entry(linked, entry) for entry in saved.log]
    except Misfit as error:
        raise SaveError(f"{wrong}: {error}") from None
    except DAMAGES as error:
        raise SaveError(f"the save is damaged: what is going on in it is nothing that could ({type(error).__name__})") from error
    if problem is not None:
        raise SaveError(f"{wrong}: {problem}")
    ask = saved.chance == "ask"
    sampler = Sampling(saved.script, ask) if ask or saved.script else None
    if sampler is not None:
        sampler.answers = tuple(saved.script_left)
    engine = Stepping(linked, state, None, sampler)
    state.log = log
    game = Game(rules, engine, saved.seed, automatic=saved.automatic)
    game._made = list(saved.choices)
    game.loaded = True
    _resume(game, wrong)
    game._engine = rules.resumed(engine)
    return game


def _resume(game: Game, wrong: str) -> None:
    """Find out what has to be decided: nothing else happens in a state that was saved at a decision."""
    state = game.state
    if state.ended:
        return
    before = len(state.log), state.version, len(state.frames), state.frames[-1].at
    try:
        game._engine.run()
        if game.decision is None or (len(state.log), state.version, len(state.frames), state.frames[-1].at) != before:
            raise SaveError(f"{wrong}: nobody has to decide anything, and the game is not over")
    except (RulesError, *DAMAGES) as error:
        raise SaveError(f"{wrong}: what is to be decided cannot be told ({error})") from error


def replay(rules: Any, data: Mapping[str, Any], to: int | None = None) -> Any:
    """A game from the start, by the choices of a replay, as far as `to` of them."""
    check_rules(rules, data, "replay")
    game, problem = play_again(rules, data, to)
    if problem is not None:
        raise SaveError(problem)
    return game


def play_again(rules: Any, data: Mapping[str, Any], to: int | None = None) -> tuple[Any, str | None]:
    """The game that the choices of a replay lead to, as far as they can be made, and what is wrong with the first that cannot."""
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


def first_difference(game: Any, data: Mapping[str, Any], partly: bool = False) -> Difference | None:
    """The first event of a game that a replay tells otherwise, or that only one of the two has; what comes after the end of a game that is played `partly` is none."""
    choices = (number for number, (player, _) in enumerate(game.choices, start=1) if player > 0)
    after = 0
    kinds = (entry["kind"] for entry in game.entries())
    for number, (recorded, played, kind) in enumerate(zip_longest(data["log"], log_lines(game), kinds), start=1):
        if partly and played is None:
            return None
        if recorded != played:
            return Difference(after, number, recorded, played)
        after = next(choices) if kind == "choice" else after
    return None

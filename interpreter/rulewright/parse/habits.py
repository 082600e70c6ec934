"""What people write out of habit, from other languages or plain English, and how it is written here.

`habit` takes a line and the column at which it stops making sense; gives advice if one of the habits stands there. The lexer, the parser and the
checks ask the same tables, so a habit is answered the same way wherever it is noticed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

TEXT = re.compile(r'"(?:[^"\\]|\\.)*"?')

# Words that other languages begin a statement with, and what is written here.
ELSEWHERE = {
    "roll": "write: let face = roll DIE",
    "return": "write: give VALUE",
    "while": "write: repeat until CONDITION: ...",
    "choose": "say who: WHO chooses NAME: ...",
    "remove": "nothing is ever destroyed; move it to a place",
    "print": 'write: log "..."',
    "elif": "write: else if CONDITION: ...",
    "break": "write: leave",
    "continue": "write: skip",
    "pass": "write: nothing",
    "endgame": "write: end game",
    "exit": "write: end game",
}
WRITTEN_OUT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SAME = {"free": "empty", "vacant": "empty", "unoccupied": "empty", "clear": "empty", "nothing": "none", "null": "none", "nobody": "none"}

JOINING = {"into": "to", "onto": "to"}  # between two nouns they would read as adjectives
DECLARED = "kind|place|die|track|grid|number|effect|phase|step|value|action|cost|rule|words|all"

# A line that looks like the first half is answered by the second, if the trouble lies inside what was recognised.
HABITS = [
    (re.compile(found), advice)
    for found, advice in (
        (r"(?://|--|/\*).*", "a comment begins with #"),
        (r"^ +add (?!to\b)(.+) to (\S.*)$", "write: increase {2} by {1}"),
        (r"^ +subtract (.+) from (\S.*)$", "write: decrease {2} by {1}"),
        (r"^ *(?:.*: *)?([\w.]+) (win|lose)s\b.*$", "write: {2} {1}"),
        (r"^ *(?:.*: *)?(?:end the game|game over|game ends?)\b.*$", "write: end game"),
        (r"([\w.]+)['’]s? +(\w+)", "write: {1}.{2}"),
        (r"([\w.]+)\[ *(\d+) *, *(\d+) *\]", "a cell is named by its row and column: {1}_{2}_{3}"),
        (rf"^(replace|remove) (?!(?:{DECLARED})\b)([a-z_]\w*)(?: *[(:].*)?$", "say what it is: {1} effect {2} ..."),
        (r"^when ([\w.]+) (?:is|becomes) empty\b.*$", "write: when {1} runs out: ..."),
        (r"^when ([\w.]+\([^()]*\)) *:.*$", "write: before {1}: ..., or: after {1}: ..."),
        (r"^when (.+?) *:.*$", "only an event starts something: after EVENT(...) when {1}: ..."),
        (r"^ +when (.+?) *:.*$", "write: if {1}: ..."),
        (r"^(?:on|upon|whenever) ([\w.]+(?:\([^()]*\))?).*$", "write: before {1}: ..., or: after {1}: ..."),
        (r"^players\b.*$", "a lone file is for 1 to 8 players; the ruleset.yaml of a folder can say: players: {{min: 2, max: 4}}"),
        (r'^(?:layer \w+ over \w+(?: *, *\w+)*|ruleset \w+) +([A-Za-z][^"]*)$', 'a title stands in quotes: "{1}"'),
        (r"^set (\w+) to (\d+) by (\d+)\b.*$", "write: replace grid {1} of KIND: {2} by {3}"),
        (r"\b([a-z]\w*)-([a-z]\w*)\b", "a name has no '-': write {1}_{2}"),
        (r"^ *(?:draw|move) .* (?P<wrong>into|onto|on) .*$", "write 'to' instead of '{1}'"),
        (r"^ *(?:die|track) .*\b\d+ *(?:\.\.|-|to\b).*$", "every face is written: 1, 2, 3, 4, 5, 6"),
        (r"\broll (?:\d+ *|\w+ *[-+*] *(?:roll )?)(\w+).*$", "roll each die on a line of its own (let first = roll {1}), then add them: first + second"),
        (r"\S.*\broll (\w+).*$", "a die is rolled on a line of its own: let face = roll {1}"),
        (r"\bchooses? \w+: *(?:a number )?(?:from )?(\d+) *(?:to|\.\.|-) *(\d+).*$", "write: a number from {1} to {2}"),
        (r"\b(\d+) *(?:to|-) *(\d+)\b", "a range is written {1}..{2}"),
        (r"^ *(?:.*: *)?log [^\"'].*$", 'what is told stands in quotes, and names in it in braces: log "{{who}} is next."'),
        (r"^ *place .*: *(pile|row|area|bag)\b.*$", "write: a {1} ..."),
    )
]  # fmt: skip


class Habit(NamedTuple):
    """What to write instead, and the word to blame with its column, if it is not the one at which reading stopped."""

    advice: str
    wrong: str | None = None
    column: int = 0


def habit(line: str, column: int) -> Habit | None:
    """The habit that a line shows at a column."""
    plain = TEXT.sub(lambda text: '"' + "_" * (len(text[0]) - 1), line).partition("#")[0].rstrip()
    for pattern, advice in HABITS:
        for found in pattern.finditer(plain):
            if found.start() < column <= found.end() + 1:
                said = advice.format(found[0], *(line[slice(*found.span(group))].strip() for group in range(1, pattern.groups + 1)))
                return Habit(said, found["wrong"], found.start("wrong") + 1) if "wrong" in pattern.groupindex else Habit(said)
    return None


def meant_by(word: str) -> str | None:
    """What to write for a word of English that is none of the language."""
    if word == "one":
        return "write: a, or 1"
    if word in WRITTEN_OUT:
        return f"write: {WRITTEN_OUT.index(word)}"
    if word in SAME:
        return f"write: {SAME[word]}"
    return ELSEWHERE.get(word)

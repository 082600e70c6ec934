"""How fast the front half is: `python tests/benchmark.py`. Figures are for reading and comparing in one run, not for tests.

What is measured is as large as it says: a game written out with 5,000 lines of rules, the same with 200 misspelt names, and 2,000 components with
200 misspelt names, each in processor time; then whole commands, in time on the clock.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from rulewright.build import build
from rulewright.check import check
from rulewright.lower import lower
from rulewright.parse import parse_rules
from rulewright.resolve import resolve
from rulewright.sources import read_sources

ROOT = Path(__file__).parent.parent
ROUNDS = 5
LINES, COMPONENTS, SLIPS = 5_000, 2_000, 200
BEGINNING = """kind person:
    wounds: 0..3
    mood: calm | angry = calm
kind chamber is place:
    size: 1..9 = 3
    effect enter(who: person)
place street
person ann in street
phase play:
    for each player in players: offer actions to player
"""
CHAMBER = """chamber chamber_{0}:
    size {1}
    enter:
        if who.wounds > {2} and chamber_{0} holds a person:
            decrease who.wounds by 1
            log "{{who}} rests in {{chamber_{0}}}."
        else: set who.mood to angry
    action visit "Visit {0}":
        choose guest: a person in street where wounds < {1} or mood is calm
        do:
            step come: move guest to chamber_{0}
            step rest: chamber_{0}.enter(guest)
before chamber_{0}.visit(actor) when count of people in chamber_{0} >= {1}: log "It is full."
"""


def large(slips: int = 0) -> str:
    """A game of so many lines, some with a misspelt name."""
    text, number = BEGINNING.replace("kind person:", "kind person plural people:"), 0
    while text.count("\n") < LINES:
        chamber = CHAMBER.format(number, number % 9 + 1, number % 3)
        text += chamber.replace("move guest to chamber_", "move guest to chmaber_") if number < slips else chamber
        number += 1
    return text


def crowded() -> str:
    """Very many components, and lines with misspelt names of them."""
    things = "".join(f"thing thing_{number:05d} in shelf\n" for number in range(COMPONENTS))
    moves = "".join(f"    move thng_{number * 7 % COMPONENTS:05d} to shelf\n" for number in range(SLIPS))
    return f"kind thing\nplace shelf\n{things}phase play:\n{moves}"


def stages(target: Path) -> dict[str, float]:
    """The seconds that each stage takes, and how much there is of it."""
    sources, _ = read_sources(target)
    files = [file for package in sources.packages for file in package.files]
    begin = time.process_time()
    trees = {file.name: parse_rules(file.text, file.name)[0] for file in files}
    parsed = time.process_time()
    linked, _ = resolve(sources, trees)
    resolved = time.process_time()
    checked, complaints = check(linked)
    done = time.process_time()
    if not any(complaint.severity == "error" for complaint in complaints):
        lower(checked)
    end = time.process_time()
    return {"parse": parsed - begin, "resolve": resolved - parsed, "check": done - resolved, "lower": end - done, "all": end - begin}


def command(*arguments: str) -> float:
    """Seconds that a whole command takes."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-m", "rulewright_tools", *arguments], cwd=ROOT, check=False, capture_output=True)
    return time.perf_counter() - begin


def measure(title: str, target: Path) -> None:
    """Print a line about one ruleset."""
    built = build(target)
    lines = sum(file.text.count("\n") for package in built.sources.packages for file in package.files)
    errors = sum(one.severity == "error" for one in built.diagnostics)
    rounds = [stages(target) for _ in range(ROUNDS)]
    times = "  ".join(f"{stage} {median(times[stage] for times in rounds):5.2f}" for stage in rounds[0])
    print(f"{title:32} {lines:6,} lines {errors:4} errors   {times} s")


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as folder:
        texts = {"a large game": large(), "a large game, 200 slips": large(SLIPS), "2,000 components, 200 slips": crowded()}
        print(f"processor time, median of {ROUNDS} rounds")
        for number, (title, text) in enumerate(texts.items()):
            path = Path(folder) / f"game_{number}.rules"
            path.write_text(text)
            measure(title, path)
    measure("base", ROOT / "rulesets" / "base")
    print(f"rulewright --help          {median(command('--help') for _ in range(ROUNDS)):.2f} s on the clock")
    print(f"rulewright validate base   {median(command('validate', 'base') for _ in range(ROUNDS)):.2f} s on the clock")


if __name__ == "__main__":
    main()

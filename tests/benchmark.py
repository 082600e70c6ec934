"""How fast the front half is: `python tests/benchmark.py`. Figures are for reading and comparing in one run, not for tests."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from interpreter.build import Built, build_sources
from interpreter.check import check
from interpreter.lower import lower
from interpreter.parse import parse_rules
from interpreter.resolve import resolve
from interpreter.sources import read_sources

ROOT = Path(__file__).parent.parent
ROUNDS = 5


def stages(folder: Path) -> tuple[int, dict[str, float]]:
    """The number of lines of a ruleset and the seconds each stage takes."""
    sources, _ = read_sources(folder)
    files = [file for package in sources.packages for file in package.files]
    lines = sum(file.text.count("\n") for file in files)
    begin = time.perf_counter()
    trees = {file.name: parse_rules(file.text, file.name)[0] for file in files}
    parsed = time.perf_counter()
    linked, _ = resolve(sources, trees)
    resolved = time.perf_counter()
    checked, _ = check(linked)
    done = time.perf_counter()
    lower(checked)
    end = time.perf_counter()
    return lines, {"parse": parsed - begin, "resolve": resolved - parsed, "check": done - resolved, "lower": end - done}


def command(*arguments: str) -> float:
    """Seconds that a whole command takes."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-m", "tools", *arguments], cwd=ROOT, check=False, capture_output=True)
    return time.perf_counter() - begin


def main() -> None:
    """Print a table."""
    folder = ROOT / "tests" / "passages" / "base"
    warm: Built = build_sources(read_sources(folder)[0])
    rounds = [stages(folder) for _ in range(ROUNDS)]
    lines = rounds[0][0]
    print(f"{lines} lines, {len(warm.graph['nodes']) if warm.graph else 0} nodes, median of {ROUNDS} rounds")
    total = 0.0
    for stage in rounds[0][1]:
        seconds = median(times[stage] for _, times in rounds)
        total += seconds
        print(f"  {stage:8} {seconds * 1000:8.1f} ms   {seconds / lines * 5000:6.2f} s for 5,000 lines")
    print(f"  {'all':8} {total * 1000:8.1f} ms   {total / lines * 5000:6.2f} s for 5,000 lines")
    print(f"rulewright --help          {median(command('--help') for _ in range(ROUNDS)):.2f} s")
    print(f"rulewright validate (base) {median(command('validate', str(folder)) for _ in range(ROUNDS)):.2f} s")


if __name__ == "__main__":
    main()

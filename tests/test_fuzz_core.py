"""A few damaged saves and cache files of the many that `fuzz_core` makes."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.playing import ROOT


def test_damaged_saves_and_cache_files_are_refused_or_sound() -> None:
    """Saves are refused or go on, files of the cache are made anew; nothing else happens."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "interpreter")])
    run = [sys.executable, "-m", "tests.fuzz_core", "60", "5"]
    told = subprocess.run(run, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True, timeout=60)
    assert "'refused'" in told.stdout
    assert "'goes on'" in told.stdout
    assert "cache files: {'made anew': 6}" in told.stdout
    assert "FAILED" not in told.stdout

"""The wheel: built from the repository, installed into an empty environment elsewhere, it carries everything it needs."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the working tree."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


def test_wheel_carries_its_data(wheel: Path) -> None:
    """Grammar, every schema, every ruleset and the page of the pictures are inside; tests are not."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "rulewright/parse/grammar.lark" in names
    for path in [*ROOT.glob("schemas/*.json"), *(path for path in ROOT.glob("rulesets/**/*") if path.is_file())]:
        assert f"rulewright/_data/{path.relative_to(ROOT)}" in names
    for path in (ROOT / "tools").glob("rulewright_tools/pictures/page.*"):
        assert str(path.relative_to(ROOT / "tools")) in names
    assert not any(name.startswith("tests/") for name in names)


def test_wheel_is_pure_python(wheel: Path) -> None:
    """What the accelerator is built from travels in it, but nothing that was built."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert wheel.name.endswith("-py3-none-any.whl")
    source = ROOT / "interpreter"
    for path in (*source.glob("rulewright/compile/accelerate/*.[ch]"), *source.glob("rulewright/compile/accelerate/*.py")):
        assert str(path.relative_to(source)) in names
    assert "rulewright/compile/accelerate/twins.c" in names
    assert not any("twins-" in name or name.endswith((".so", ".pyd")) for name in names)


@pytest.mark.slow
def test_wheel_works_elsewhere(wheel: Path, tmp_path: Path) -> None:
    """Installed into an empty environment and run from another folder, commands find the shipped rulesets."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)], check=True, capture_output=True)
    rulewright = tmp_path / "venv" / "bin" / "rulewright"
    done = subprocess.run([rulewright, "validate", "tic_tac_toe"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no problems" in done.stdout
    picture = tmp_path / "picture.svg"
    done = subprocess.run([rulewright, "graph", "connect_four", "--output", str(picture)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "<svg" in picture.read_text(encoding="utf-8")

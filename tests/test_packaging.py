"""What is built from the repository: a wheel, the same one by way of an sdist, and an editable installation. Each brings the two packages and nothing else."""

from __future__ import annotations

import os
import pkgutil
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from rulewright import __version__

ROOT = Path(__file__).parent.parent
PACKAGES = {"rulewright", "rulewright_tools"}
ABOUT = f"rulewright-{__version__}.dist-info"


def run(*command: str | Path, cwd: Path = ROOT, path: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a command that must succeed; `path` says whether it may look for packages where this process does."""
    environment = {name: value for name, value in os.environ.items() if path or name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the working tree."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with an sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("released")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


def names(made: Path) -> set[str]:
    return set(zipfile.ZipFile(made).namelist())


def about(made: Path) -> Message:
    """What a wheel says of itself."""
    return Parser().parsestr(zipfile.ZipFile(made).read(f"{ABOUT}/METADATA").decode("utf-8"))


# -- the wheel


def test_wheel_brings_two_packages_and_nothing_else(wheel: Path) -> None:
    """Neither the folders of the repository nor its tests arrive in site-packages."""
    assert {name.partition("/")[0] for name in names(wheel)} == {*PACKAGES, ABOUT}


def test_wheel_carries_its_data(wheel: Path) -> None:
    """Grammar, every schema, every ruleset, the pages and the marks for type checkers are inside."""
    inside = names(wheel)
    assert "rulewright/parse/grammar.lark" in inside
    assert {f"{package}/py.typed" for package in PACKAGES} <= inside
    for path in [*ROOT.glob("schemas/*.json"), *(path for path in ROOT.glob("rulesets/**/*") if path.is_file())]:
        assert f"rulewright/_data/{path.relative_to(ROOT)}" in inside
    pages = [*(ROOT / "tools").glob("rulewright_tools/pictures/page.*"), *(ROOT / "tools").glob("rulewright_tools/serve/static/**/*.*")]
    for path in pages:
        assert str(path.relative_to(ROOT / "tools")) in inside


def test_wheel_is_pure_python(wheel: Path) -> None:
    """One for all machines, with nothing in it that was built."""
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not any(name.endswith((".so", ".pyd", ".pyc")) for name in names(wheel))


def test_wheel_says_what_it_is(wheel: Path) -> None:
    """Licence, Pythons, types; the version is the one that the package itself has."""
    said = about(wheel)
    assert (said["Name"], said["Version"], said["License-Expression"], said["License-File"]) == ("rulewright", __version__, "MIT", "LICENSE")
    assert f"{ABOUT}/licenses/LICENSE" in names(wheel)
    classifiers = said.get_all("Classifier") or []
    pythons = [found[1] for each in classifiers if (found := re.fullmatch(r"Programming Language :: Python :: 3\.(\d+)", each))]
    assert said["Requires-Python"] == f">=3.{pythons[0]}"
    assert int(pythons[-1]) - int(pythons[0]) + 1 == len(pythons) >= 3
    assert "Typing :: Typed" in classifiers


def test_the_version_is_written_once() -> None:
    """Everything else asks the package; the list of changes has an entry for it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert run(sys.executable, "-m", "rulewright_tools", "--version").stdout == f"rulewright {__version__}\n"


# -- the sdist


def test_a_wheel_from_the_sdist_is_the_same(wheel: Path, released: Path) -> None:
    """File by file, and byte by byte."""
    (other,) = released.glob("*.whl")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(other) as two:
        assert {name: one.read(name) for name in one.namelist()} == {name: two.read(name) for name in two.namelist()}


def test_sdist_has_what_belongs_to_a_release(released: Path) -> None:
    """The pages at the top, and the tests, so that whoever packs it can run them."""
    (made,) = released.glob("*.tar.gz")
    with tarfile.open(made) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "pyproject.toml", "interpreter/README.md", "rulesets/LANGUAGE.md"} <= inside
    assert {
        "tests/test_packaging.py",
        "tests/playthroughs/base.json",
        "tools/rulewright",
        "tools/test",
        "tools/venv.sh",
        "tools/prepare-venv",
    } <= inside
    assert not any("__pycache__" in name or "twins-" in name or name.startswith(".venv") for name in inside)


# -- the editable installation


def test_an_editable_installation_copies_nothing(tmp_path: Path) -> None:
    """It leads to the two source roots: a ruleset or a schema that is changed in the clone is changed for everybody."""
    run(sys.executable, "-c", f"import hatchling.build; hatchling.build.build_editable({str(tmp_path)!r})")
    (made,) = tmp_path.glob("*.whl")
    assert {name.partition("/")[0] for name in names(made)} == {"_rulewright.pth", ABOUT}
    roots = zipfile.ZipFile(made).read("_rulewright.pth").decode().splitlines()
    assert roots == [str(ROOT / "interpreter"), str(ROOT / "tools")]
    assert {module.name for module in pkgutil.iter_modules(roots)} == PACKAGES


# -- elsewhere


@pytest.mark.slow
def test_wheel_works_elsewhere(wheel: Path, tmp_path: Path) -> None:
    """Installed into an empty environment and run from another folder, commands find the shipped rulesets."""
    venv.create(tmp_path / "venv", with_pip=True)
    python, rulewright = tmp_path / "venv" / "bin" / "python", tmp_path / "venv" / "bin" / "rulewright"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel))
    empty = tmp_path / "empty"
    empty.mkdir()
    done = run(rulewright, "validate", "tic_tac_toe", cwd=empty, path=False)
    assert (done.stdout, done.stderr) == ("tic_tac_toe: no problems\n", "")
    run(rulewright, "run", "base", "--seed", "7", "--quiet", cwd=empty, path=False)
    run(rulewright, "graph", "connect_four", "--output", tmp_path / "picture.svg", cwd=empty, path=False)
    assert "<svg" in (tmp_path / "picture.svg").read_text(encoding="utf-8")
    code = "from rulewright import load; print(load('tic_tac_toe').new_game(players=2, seed=7).decision.player)"
    assert run(python, "-c", code, cwd=empty, path=False).stdout.strip()
    assert not list(empty.iterdir())


@pytest.mark.slow
def test_types_are_seen_from_outside(wheel: Path, tmp_path: Path) -> None:
    """A type checker believes an installed package only if it says that it has types."""
    venv.create(tmp_path / "venv", with_pip=False)
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    script = tmp_path / "script.py"
    script.write_text(
        "from rulewright import load\n"
        "from rulewright_tools.cli import main\n"
        "reveal_type(load('x'))\n"
        "reveal_type(load('x').new_game(players=2).decision)\n"
        "reveal_type(main)\n"
        "load(7)\n"
    )
    check = ["-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "--python-executable", str(tmp_path / "venv" / "bin" / "python")]
    done = subprocess.run([sys.executable, *check, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'Revealed type is "rulewright.rules.Rules"' in done.stdout
    assert 'Revealed type is "rulewright.decision.Decision | None"' in done.stdout
    assert re.search(r'Revealed type is "def \(arguments: .*\) -> int"', done.stdout)
    assert "py.typed" not in done.stdout
    assert 'script.py:6: error: Argument 1 to "load" has incompatible type "int"' in done.stdout

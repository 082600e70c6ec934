"""Build the accelerator: `python -m rulewright.compile.accelerate.build`.

Needs a C compiler and the header files of this Python. Says in one line what came of it; without an accelerator everything runs in pure Python, and the same.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path

from rulewright.compile.accelerate import FOLDER, SOURCE, place_in

COMMON = ("-O2", "-fno-strict-aliasing")
OPTIONS = (*COMMON, "-fPIC", "-shared")
ON_A_MAC = (*COMMON, "-bundle", "-undefined", "dynamic_lookup")
PATIENCE = 120  # seconds


class Failed(Exception):
    """Why there is no accelerator."""


def build(folder: Path = FOLDER, more: tuple[str, ...] = ()) -> Path:
    """Build the accelerator, with more options for the compiler if need be; gives where it lies."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise Failed("it is made for CPython with its global lock")
    if not SOURCE.is_file():
        raise Failed(f"there is no {SOURCE.name} beside it")
    try:
        place = place_in(folder)
    except OSError as error:
        raise Failed(f"its source cannot be read ({error.strerror})") from None
    headers = dict.fromkeys(sysconfig.get_paths()[name] for name in ("include", "platinclude"))
    if not any((Path(path) / "Python.h").is_file() for path in headers):
        raise Failed("the header files of this Python are not installed")
    options = [*(ON_A_MAC if sys.platform == "darwin" else OPTIONS), *more, *(f"-I{path}" for path in headers)]
    try:
        number, made = tempfile.mkstemp(".building", "twins-", folder)
        os.close(number)
    except OSError as error:
        raise Failed(f"'{folder}' cannot be written to ({error.strerror})") from None
    try:
        _compile([*_compiler(), *options, str(SOURCE), "-o", made])
        os.chmod(made, 0o755)
        os.replace(made, place)
    except OSError as error:
        raise Failed(f"'{place.name}' cannot be written ({error.strerror})") from None
    finally:
        _remove(Path(made))
    for other in folder.glob("twins-*" + (sysconfig.get_config_var("EXT_SUFFIX") or ".so")):
        if other != place:
            _remove(other)  # made from an earlier source
    return place


def _remove(place: Path) -> None:
    """Remove a file if it is there; not everywhere can one that is in use be removed."""
    with suppress(OSError):
        place.unlink()


def _compiler() -> list[str]:
    """The command that compiles C: the one that made this Python, or one that there is."""
    for command in (os.environ.get("CC", ""), sysconfig.get_config_var("CC") or "", "cc", "gcc", "clang"):
        try:
            words = shlex.split(command)
        except ValueError:  # a quotation mark without its other half
            continue
        if words and shutil.which(words[0]):
            return words
    raise Failed("there is no C compiler")


def _compile(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(f"'{command[0]}' did not run ({type(error).__name__})") from None
    if done.returncode:
        said = next((line for line in done.stderr.splitlines() if "error" in line), "it says nothing more")
        raise Failed(f"'{command[0]}' gave up: {said.strip()}")


def main() -> int:
    """The command."""
    from rulewright.compile.accelerate import load

    try:
        place = build()
        if load(place) is None:
            _remove(place)
            raise Failed("what was built does not fit this Python")
    except Failed as failed:
        print(f"The accelerator was not built: {failed}. Games run in pure Python.", file=sys.stderr)
        return 1
    print(f"The accelerator was built: {place.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

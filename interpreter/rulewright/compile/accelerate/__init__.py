"""The accelerator: twins in C of the few functions that every decision goes through.

It is not needed. `python -m rulewright.compile.accelerate.build` makes it, where there is a C compiler; from then on it is used by whatever is loaded, unless
RULEWRIGHT_ACCELERATE is `no`. What was built is used only if it lies in this folder and was made from exactly this source for exactly this Python. Games are
the same with and without it, to the last entry of the log: a twin does what is usual and leaves everything else to the Python function it is the twin of.

`twins.c` and the files it includes are the source, `build` makes it, `joining` joins it with a world.
"""

from __future__ import annotations

import hashlib
import os
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SOURCE = FOLDER / "twins.c"
VARIABLE = "RULEWRIGHT_ACCELERATE"
MODULE = f"{__name__}.twins"  # what Python calls it: a program may well have a module `twins` of its own

_found: list[Any] = []  # the twins, or None, once somebody has asked
_set_aside = 0


def place_in(folder: Path = FOLDER) -> Path:
    """Where the accelerator lies that is made from this source for this Python."""
    mark = hashlib.sha256(b"\0".join(part.read_bytes() for part in sorted(SOURCE.parent.glob("*.[ch]")))).hexdigest()[:16]
    return folder / f"twins-{mark}{sysconfig.get_config_var('EXT_SUFFIX') or '.so'}"


def twins() -> Any | None:
    """The accelerator; None if it has not been built, cannot be loaded or is not wanted."""
    if _set_aside or os.environ.get(VARIABLE, "").strip().lower() in ("no", "off", "0", "false"):
        return None
    if not _found:
        try:
            _found.append(load(place_in()) if SOURCE.is_file() else None)
        except OSError:  # the source cannot be read
            _found.append(None)
    return _found[0]


def load(place: Path) -> Any | None:
    """The accelerator that lies somewhere, ready for use; None if there is none, or if it does not fit."""
    from rulewright.compile.accelerate.joining import parts

    if not place.is_file():
        return None
    loader = ExtensionFileLoader(MODULE, str(place))
    try:
        found = module_from_spec(ModuleSpec(MODULE, loader, origin=str(place)))
        loader.exec_module(found)
        found.setup(parts())
    except (ImportError, OSError, RuntimeError, SystemError, TypeError, KeyError, AttributeError):
        return None
    return found


@contextmanager
def using(other: Any | None) -> Iterator[None]:
    """For a while, join worlds with another accelerator, or (None) with none."""
    global _set_aside
    if other is None:
        _set_aside += 1
        try:
            yield
        finally:
            _set_aside -= 1
        return
    before, _found[:] = _found[:], [other]
    try:
        yield
    finally:
        _found[:] = before

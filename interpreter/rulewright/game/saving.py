"""Saves."""

from __future__ import annotations

from typing import Any

DAMAGES = (KeyError, IndexError, TypeError, ValueError, AttributeError, AssertionError, StopIteration, RecursionError, OverflowError)


class SaveError(Exception): ...


def as_save(game: Any) -> dict[str, Any]:
    raise NotImplementedError


def as_replay(game: Any) -> dict[str, Any]:
    raise NotImplementedError


def write_file(path: Any, data: Any) -> None:
    raise NotImplementedError

"""Threads for whatever takes long, in groups, so that who only has to wait for a choice to be on disk does not wait for anybody's table to be drawn, and no table for somebody else's disk.

`promptly` is for what a person waits for: answers, look-ups. `moving` is for choices of bots. `later` makes what people are shown. `thinking` is for bots that search: one at a time.
Python lets one thread calculate at a time; the more of them want to, the longer each takes, so there are few.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
PROMPT, MOVING, LATER = 4, 2, 2


class Workers:
    """The threads of one server."""

    def __init__(self) -> None:
        self._prompt = ThreadPoolExecutor(PROMPT, "answers")
        self._moving = ThreadPoolExecutor(MOVING, "moves")
        self._later = ThreadPoolExecutor(LATER, "tables")
        self._thinking = ThreadPoolExecutor(1, "bots")

    async def promptly(self, work: Callable[[], T]) -> T:
        """Do what a person waits for."""
        return await asyncio.get_running_loop().run_in_executor(self._prompt, work)

    async def moving(self, work: Callable[[], T]) -> T:
        """Do what a bot has decided on."""
        return await asyncio.get_running_loop().run_in_executor(self._moving, work)

    async def later(self, work: Callable[[], T]) -> T:
        """Do what may wait a little."""
        return await asyncio.get_running_loop().run_in_executor(self._later, work)

    async def thinking(self, work: Callable[[], T]) -> T:
        """Do what may take long, when nothing else like it is being done."""
        return await asyncio.get_running_loop().run_in_executor(self._thinking, work)

    def dismiss(self) -> None:
        """Take on nothing more; what is being done is not waited for."""
        for group in (self._prompt, self._moving, self._later, self._thinking):
            group.shutdown(wait=False, cancel_futures=True)

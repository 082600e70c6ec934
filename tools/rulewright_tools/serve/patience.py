"""Patience with connections that say nothing, or half a request: each has so many seconds for its first one, and is closed then.

Works with whatever protocol class the server reads requests with: it is told when a connection is made, and `heard` when a request of it has arrived, by the address it came from.
"""

from __future__ import annotations

import asyncio
from typing import Any

Address = tuple[Any, ...]


class Patience:
    """Connections of which no request has been heard yet."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: dict[Address, asyncio.TimerHandle] = {}

    def watching(self, protocol: type[asyncio.Protocol]) -> type[asyncio.Protocol]:
        """A protocol class whose connections are watched."""
        patience = self

        class Watched(protocol):  # type: ignore[valid-type,misc]
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                self._watched_address = patience.began(transport)

            def connection_lost(self, error: Exception | None) -> None:
                super().connection_lost(error)
                patience.heard(self._watched_address)

        return Watched

    def began(self, transport: asyncio.BaseTransport) -> Address:
        """Somebody has connected, from this address."""
        address = tuple(transport.get_extra_info("peername") or ())[:2]
        self.heard(address)
        self._waiting[address] = asyncio.get_running_loop().call_later(self._seconds, self._gives_up, address, transport)
        return address

    def heard(self, address: Address | None) -> None:
        """Somebody has asked for something, or has gone."""
        if (timer := self._waiting.pop(tuple(address or ())[:2], None)) is not None:
            timer.cancel()

    def _gives_up(self, address: Address, transport: asyncio.BaseTransport) -> None:
        self._waiting.pop(address, None)
        transport.close()

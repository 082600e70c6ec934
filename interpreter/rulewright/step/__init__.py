"""The reference engine: steps a program of the core, one instruction after another, on a state that is plain data."""

from __future__ import annotations

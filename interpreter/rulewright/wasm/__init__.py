"""The fast engine: a program of the core as one WebAssembly module.

`layout` says where everything of a game lies in memory, `assemble` writes modules as bytes, `runtime` has what every module needs (in a small language of
its own; `numbers` has what that language cannot say). `compile` makes the module of a program: `facts` knows the program, `units` writes its units with
`control`, `calls`, `changes`, `choices` and `records`, and `writer` their expressions with `expressions`, `measures`, `lists`, `searches` and `hooks`. `blocks`
turns a block of memory into a state of `step` and back, `engine` plays.

What the module cannot do it does not try: it stops, the game is as it was before the choice, and `step` makes that choice. Errors of the rules are told that
way too, so that they have the same words.
"""

from __future__ import annotations

"""Where the checks put their complaints. Guesses cost time, so only as many are made as are ever shown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulewright.diagnostics import Diagnostic, Related, Span, complain
from rulewright.guessing import Guesser

QUOTED = re.compile(r"'([^']*)'")
UNKNOWN = frozenset({"R301", "R404", "R501", "R503"})


class Report:
    """A growing list of diagnostics."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.doubts: list[Diagnostic] = []  # warnings about what is right by its type; they make nothing around it doubtful
        self.guesser = Guesser()
        self.guessed: set[str] = set()  # what was suggested is probably used, only misspelt
        self.removed: dict[str, Related] = {}  # what a layer took away, under the names it had

    def add(self, diagnostic: Diagnostic) -> None:
        """Take a complaint that somebody else has put into words."""
        self.diagnostics.append(diagnostic)

    def doubt(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        """Warn about something that is well-formed and typed, and probably not meant."""
        self.doubts.append(complain(code, message, span, hint=hint))

    def __call__(
        self,
        code: str,
        message: str,
        span: Span,
        hint: str | None = None,
        *,
        related: Iterable[Related] = (),
        guess: tuple[str, Iterable[str]] | None = None,
    ) -> None:
        if guess is not None and (best := self.guesser.guess(*guess)) not in (None, guess[0]):
            self.guessed.add(str(best))
            hint = f"did you mean '{best}'?"
        elif guess is not None and (longer := self.guesser.longer(*guess)):
            self.guessed |= set(longer)
            hint = f"did you mean {' or '.join(repr(name) for name in longer)}?"
        if code in UNKNOWN and (gone := [self.removed[name] for name in QUOTED.findall(message) if name in self.removed]):
            hint, related = "replace or remove what still speaks of it", (*related, *gone)
        self.diagnostics.append(complain(code, message, span, hint=hint, related=related))

"""Where the checks put their complaints. Guesses cost time, so only as many are made as are ever shown."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Diagnostic, Related, Span, complain, near_miss

GUESSES = 200


class Report:
    """A growing list of diagnostics."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.guessed: set[str] = set()  # what was suggested is probably used, only misspelt

    def add(self, diagnostic: Diagnostic) -> None:
        """Take a complaint that somebody else has put into words."""
        self.diagnostics.append(diagnostic)

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
        if guess is not None and len(self.diagnostics) < GUESSES and (best := near_miss(*guess)) not in (None, guess[0]):
            self.guessed.add(str(best))
            hint = f"did you mean '{best}'?"
        self.diagnostics.append(complain(code, message, span, hint=hint, related=related))

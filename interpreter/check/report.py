"""Where the checks put their complaints. Guesses cost time, so only as many are made as are ever shown."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Diagnostic, Related, Span, complain, did_you_mean

GUESSES = 200


class Report:
    """A growing list of diagnostics."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

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
        if guess is not None and len(self.diagnostics) < GUESSES:
            hint = did_you_mean(*guess) or hint
        self.diagnostics.append(complain(code, message, span, hint=hint, related=related))

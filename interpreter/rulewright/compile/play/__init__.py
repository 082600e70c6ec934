"""Playing by the source: the loop between decisions, what is left behind at one, and what generated code calls."""

"""A game as callers meet it, whatever engine carries it out: Python on the state of a stepping machine."""

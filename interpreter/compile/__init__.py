"""The fast engine: the effect graph as Python source."""

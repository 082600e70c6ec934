"""Writing the source: each part of an effect graph as Python."""

"""What is left out of a picture that is too large to be looked at: layouts take time and memory, and a ruleset is untrusted text.

A picture keeps its first boxes, and of the arrows between them those that run over the fewest layers; its title says what is missing. The JSON form has
everything, and `--of` draws one part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from rulewright_tools.pictures.layers import Edge, spans
from rulewright_tools.pictures.model import Arrow, Picture

GAPS = " (too large to be drawn whole: something is left out; draw a part with --of)"
MOST_BOXES = 2_500
MOST_ARROWS = 20_000  # that are gathered
MOST_BENDS = 12_000  # layers that all arrows together run over
MOST_DRAWN = 15_000  # boxes of all drawings on one page


def spared(picture: Picture) -> Picture:
    """The picture, or as much of it as can be laid out in a moment."""
    boxes = picture.boxes[:MOST_BOXES]
    known = {box.id: at for at, box in enumerate(boxes)}
    arrows = [arrow for arrow in picture.arrows if arrow.source in known and arrow.target in known]
    tied = [arrow for arrow in arrows if arrow.source != arrow.target]
    edges: Sequence[Edge] = [(known[one.source], known[one.target], 2 if one.label else 1) for one in tied]
    long = _too_long(tied, spans(len(boxes), edges))
    if len(boxes) == len(picture.boxes) and not long:
        return picture
    kept = tuple(arrow for arrow in arrows if id(arrow) not in long)
    return msgspec.structs.replace(picture, title=with_gaps(picture.title), boxes=boxes, arrows=kept)


def with_gaps(title: str) -> str:
    """The title of a picture of which something is missing."""
    return title if title.endswith(GAPS) else title + GAPS


def _too_long(arrows: Iterable[Arrow], lengths: Sequence[int]) -> set[int]:
    """The arrows for which there is no room, the longest."""
    room, found = MOST_BENDS, set()
    for length, arrow in sorted(zip(lengths, arrows, strict=True), key=lambda pair: pair[0]):
        room -= length
        if room < 0:
            found.add(id(arrow))
    return found

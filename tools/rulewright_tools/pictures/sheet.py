"""A sheet: a drawing that is finished, as markup, with what can be asked about each of its boxes. What pages are made of.

Boxes of a sheet are the elements of class `rw-box`; `data-box` is the place of a box in `boxes`.
"""

from __future__ import annotations

import msgspec

from rulewright_tools.pictures.layout import layout
from rulewright_tools.pictures.model import Box, Picture
from rulewright_tools.pictures.svg import svg


class Sheet(msgspec.Struct, frozen=True):
    """A drawing. `whole`: it is seen at once, however large it is; `dims`: where a box is chosen, what is not near to it steps back."""

    title: str
    markup: str
    boxes: tuple[Box, ...]
    cites: tuple[str, ...] = ()
    whole: bool = False
    dims: bool = False


def sheet_of(picture: Picture, whole: bool = False) -> Sheet:
    """A picture, laid out; it relies on a page that has the style."""
    cites = () if whole or not picture.boxes else picture.boxes[0].cites
    return Sheet(picture.title, svg(layout(picture), style=False), picture.boxes, cites, whole, whole)

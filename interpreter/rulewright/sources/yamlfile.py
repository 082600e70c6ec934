"""Reading files: rules files as text, YAML files as checked data.

Takes a path and the name under which people know the file, gives its content and complaints. Refuses what is missing,
too large (decided before reading), not a regular file or not UTF-8; of a YAML file also everything that `yamltree`
and the file's JSON schema refuse. Nothing is raised.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from rulewright.data import schema_text
from rulewright.diagnostics import Diagnostic, Span, complain, did_you_mean, whole_file
from rulewright.kept_texts import Kept
from rulewright.limits import Limits
from rulewright.session import kept, unsaved
from rulewright.sources.document import Document, Node

__all__ = ["Document", "Node", "read_text", "read_yaml"]

DOCUMENTS = Kept("document", Document)

# A document with no other faults than these still has the shape that its schema promises.
_HARMLESS = frozenset(("R203", "R204", "R206"))


def read_text(
    path: Path, shown_name: str, limits: Limits, *, blame: Span | None = None, texts: dict[str, str] | None = None
) -> tuple[str | None, list[Diagnostic]]:
    """The text of a file, line ends as \\n. `blame` is what named the file; `texts` keeps the text by shown name."""
    where = blame or whole_file(shown_name)
    if (typed := unsaved(path)) is not None:
        content = typed.encode("utf-8", "replace")
        return _taken(content, shown_name, texts) if len(content) <= limits.file_bytes else (None, [_too_large(shown_name, len(content), limits)])
    try:
        facts = os.stat(path)
        if not stat.S_ISREG(facts.st_mode):
            what = "a folder" if stat.S_ISDIR(facts.st_mode) else "not a file"
            return None, [complain("R201", f"cannot read '{shown_name}': it is {what}", where)]
        if facts.st_size > limits.file_bytes:
            return None, [_too_large(shown_name, facts.st_size, limits)]
        with open(path, "rb") as stream:
            content = stream.read(limits.file_bytes + 1)
    except (OSError, ValueError) as error:
        return None, [complain("R201", f"cannot read '{shown_name}': {reason(error)}", where, hint=_beside(path) if blame is not None else None)]
    if len(content) > limits.file_bytes:
        return None, [_too_large(shown_name, len(content), limits)]
    return _taken(content, shown_name, texts)


def _taken(content: bytes, shown_name: str, texts: dict[str, str] | None) -> tuple[str | None, list[Diagnostic]]:
    """The content of a file as text, kept by its name."""
    text, complaint = _decoded(content, shown_name)
    if text is None or complaint is not None:
        return None, [complaint] if complaint is not None else []
    if texts is not None:
        texts[shown_name] = text
    return text, []


def _beside(path: Path) -> str | None:
    """The file in the same folder that was probably meant by a name that is not there."""
    try:
        return did_you_mean(path.name, sorted(os.listdir(path.parent))[:1_000])
    except (OSError, ValueError):
        return None


def read_yaml(
    path: Path,
    shown_name: str,
    schema_name: str,
    limits: Limits,
    *,
    blame: Span | None = None,
    texts: dict[str, str] | None = None,
) -> tuple[Document | None, list[Diagnostic]]:
    """The content of a YAML file. The document is None unless it has the shape that the schema describes."""
    text, complaints = read_text(path, shown_name, limits, blame=blame, texts=texts)
    if text is None:
        return None, complaints
    return parse_yaml(text, shown_name, schema_name, limits)


def parse_yaml(text: str, shown_name: str, schema_name: str, limits: Limits) -> tuple[Document | None, list[Diagnostic]]:
    """As `read_yaml`, for a text that has been read already."""
    document, complaints = kept(("yaml", text, shown_name, schema_name, limits), lambda: _parsed(text, shown_name, schema_name, limits))
    return document, list(complaints)


def _parsed(text: str, shown_name: str, schema_name: str, limits: Limits) -> tuple[Document | None, list[Diagnostic]]:
    """What was flawless in an earlier run still is."""
    made_from = (text, shown_name, str(limits), schema_text(schema_name))
    if (earlier := DOCUMENTS.get(*made_from)) is not None:
        return earlier, []
    from rulewright.sources.conform import conform, without_echoes
    from rulewright.sources.yamltree import read_tree

    document, complaints = read_tree(text, shown_name, limits)
    if document is None:
        return None, complaints
    complaints = [*complaints, *conform(document, schema_name)]
    if not complaints:
        DOCUMENTS.put(document, *made_from)
    fits = all(complaint.code in _HARMLESS for complaint in complaints)
    return (document if fits else None), without_echoes(complaints)


def reason(error: Exception) -> str:
    """Why a file cannot be opened, in plain words and without the path."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, PermissionError):
        return "permission is denied"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return "it is not a possible file name"


def _too_large(shown_name: str, size: int, limits: Limits) -> Diagnostic:
    message = f"the file has {size:,} bytes; at most {limits.file_bytes:,} are read"
    return complain("R601", message, whole_file(shown_name), hint="split it into several files")


def _decoded(content: bytes, shown_name: str) -> tuple[str | None, Diagnostic | None]:
    save = "save it as plain text in UTF-8"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None, complain("R107", "the file is in UTF-16", whole_file(shown_name), hint=save)
    if b"\0" in content:
        return None, complain("R107", "the file is binary, or text in UTF-16 or UTF-32", whole_file(shown_name), hint=save)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        start = content.rfind(b"\n", 0, error.start) + 1
        line = content.count(b"\n", 0, error.start) + 1
        column = len(content[start : error.start].decode("utf-8-sig", "replace")) + 1
        message = f"the byte 0x{content[error.start]:02X} is not UTF-8"
        return None, complain("R107", message, Span(shown_name, line, column, line, column + 1), hint=save)
    return text.replace("\r\n", "\n").replace("\r", "\n"), None

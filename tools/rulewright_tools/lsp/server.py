"""The server: the language server protocol, over what the modules beside it know.

Takes requests of an editor, gives answers in its terms: lines from 0, columns in the units that it counts in. A request about a file that belongs to no ruleset, or that is not there any more, gets an empty
answer; one that fails for a reason that should not be is written to the log, and gets an empty answer too.
"""

from __future__ import annotations

import asyncio
import difflib
import functools
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from rulewright import __version__
from rulewright.diagnostics import Diagnostic, Span
from rulewright.format import format_text
from rulewright.parse import parse_rules
from rulewright_tools.lsp import colours, renaming
from rulewright_tools.lsp.completion import Proposal, complete
from rulewright_tools.lsp.fixes import fixes
from rulewright_tools.lsp.hover import describe, hover
from rulewright_tools.lsp.inlays import inlays
from rulewright_tools.lsp.occurrences import Occurrence
from rulewright_tools.lsp.outline import Heading, outline
from rulewright_tools.lsp.project import DATA, RULES, Analysis, Project, name_of
from rulewright_tools.lsp.publishing import Publishing

log = logging.getLogger(__name__)
KINDS = {
    "keyword": lsp.CompletionItemKind.Keyword, "kind": lsp.CompletionItemKind.Class, "component": lsp.CompletionItemKind.Struct, "field": lsp.CompletionItemKind.Field,
    "place": lsp.CompletionItemKind.Folder, "value": lsp.CompletionItemKind.Method, "effect": lsp.CompletionItemKind.Function, "phase": lsp.CompletionItemKind.Function,
    "action": lsp.CompletionItemKind.Function, "step": lsp.CompletionItemKind.Event, "number": lsp.CompletionItemKind.Constant, "state": lsp.CompletionItemKind.Variable,
    "local": lsp.CompletionItemKind.Variable, "word": lsp.CompletionItemKind.EnumMember, "die": lsp.CompletionItemKind.Enum, "rule": lsp.CompletionItemKind.Reference,
}  # fmt: skip
SYMBOLS = {
    "package": lsp.SymbolKind.Package, "kind": lsp.SymbolKind.Class, "component": lsp.SymbolKind.Struct, "place": lsp.SymbolKind.Namespace, "die": lsp.SymbolKind.Enum,
    "track": lsp.SymbolKind.Enum, "grid": lsp.SymbolKind.Array, "number": lsp.SymbolKind.Constant, "state": lsp.SymbolKind.Variable, "effect": lsp.SymbolKind.Function,
    "phase": lsp.SymbolKind.Function, "value": lsp.SymbolKind.Method, "action": lsp.SymbolKind.Function, "cost": lsp.SymbolKind.Interface, "step": lsp.SymbolKind.Event,
    "rule": lsp.SymbolKind.Event, "hook": lsp.SymbolKind.Event, "reaction": lsp.SymbolKind.Event, "words": lsp.SymbolKind.Enum, "field": lsp.SymbolKind.Field,
    "change": lsp.SymbolKind.Operator,
}  # fmt: skip
SEVERITY = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}
LEGEND = lsp.SemanticTokensLegend(list(colours.SORTS), ["declaration"])


class Server(LanguageServer):
    """A language server with a project, and a thread that looks for mistakes."""

    def __init__(self) -> None:
        super().__init__("rulewright", __version__)
        self.project = Project()
        self.publishing = Publishing(self.project, self.publish)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.ended = False

    # -- places

    def lines(self, path: str) -> list[str]:
        """The lines of a file, as it is open or lies there."""
        return (self.project.text(path) or "").split("\n")

    def range(self, span: Span, lines: Sequence[str] | None = None) -> lsp.Range:
        """A stretch as the editor counts."""
        lines = self.lines(span.file) if lines is None else lines
        return lsp.Range(self._position(lines, span.line, span.column), self._position(lines, span.end_line, span.end_column))

    def _position(self, lines: Sequence[str], line: int, column: int) -> lsp.Position:
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        return lsp.Position(max(line - 1, 0), self.workspace.position_codec.client_num_units(text[: max(column - 1, 0)]))

    def place(self, path: str, position: lsp.Position) -> tuple[int, int]:
        """A line and a column as we count."""
        lines = self.lines(path)
        text = lines[position.line] if position.line < len(lines) else ""
        units = self.workspace.position_codec.client_num_units
        column, counted = 0, 0
        while column < len(text) and counted < position.character:
            counted += units(text[column])
            column += 1
        return position.line + 1, column + 1

    def location(self, span: Span) -> lsp.Location:
        """A stretch of any file."""
        return lsp.Location(uri(span.file), self.range(span))

    def at(self, params: Any) -> tuple[Analysis, Occurrence] | None:
        """What a request about a place in a rules file is about."""
        path = path_of(params.text_document.uri)
        analysis = self.project.current(path) if path is not None and path.endswith(RULES) else None
        if path is None or analysis is None:
            return None
        each = analysis.at(name_of(path), *self.place(path, params.position))
        return (analysis, each) if each is not None else None

    # -- diagnostics

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What goes wrong between us and the editor is written down; nobody needs a window for it. A refusal is none of that."""
        if not self.ended and not (isinstance(error, JsonRpcException) and error.code == lsp.LSPErrorCodes.RequestFailed):
            log.warning("%s: %s", type(error).__name__, error)

    def publish(self, path: str, found: list[Diagnostic]) -> None:
        """Tell of the complaints about a file; from any thread."""
        if self.loop is not None and not self.ended:
            self.loop.call_soon_threadsafe(self._publish, path, found)

    def _publish(self, path: str, found: list[Diagnostic]) -> None:
        if self.ended:
            return
        lines = self.lines(path)
        told = [self.diagnostic(one, lines) for one in found]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri(path), told))

    def diagnostic(self, one: Diagnostic, lines: Sequence[str]) -> lsp.Diagnostic:
        """A complaint in the terms of the protocol."""
        message = f"{one.message}\n{one.hint}" if one.hint else one.message
        related = [lsp.DiagnosticRelatedInformation(self.location(other.span), other.message) for other in one.related]
        return lsp.Diagnostic(
            self.range(one.span, lines), message, SEVERITY[one.severity], one.code, source="rulewright", related_information=related or None
        )


def path_of(address: str) -> str | None:
    """The path of a document; None if it is none of the disk."""
    path = to_fs_path(address) if address.startswith("file:") else None
    return os.path.realpath(path) if path and "\0" not in path else None


def uri(file: str) -> str:
    """The address of a file."""
    return from_fs_path(os.path.abspath(file)) or ""


def quietly(default: Callable[[], Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A handler that answers with nothing where it fails; what it refuses on purpose is told."""

    def around(handler: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(handler)
        def safe(*arguments: Any) -> Any:
            try:
                return handler(*arguments)
            except JsonRpcException:
                raise
            except Exception:
                log.exception("'%s' failed", handler.__name__)
                return default()

        return safe

    return around


def make_server() -> Server:
    """A server that knows all features."""
    made = Server()
    for how in (_lifetime, _documents, _words, _edits, _looks):
        how(made)
    return made


def _lifetime(made: Server) -> None:
    @made.feature(lsp.INITIALIZED)
    async def initialized(server: Server, params: lsp.InitializedParams) -> None:
        server.loop = asyncio.get_running_loop()
        _folders(server)
        watched = server.client_capabilities.workspace and server.client_capabilities.workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            patterns = [lsp.FileSystemWatcher(f"**/*{suffix}") for suffix in (RULES, *DATA)]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(patterns)
            registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(lsp.RegistrationParams([registration]))

    @made.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    @quietly(lambda: None)
    def folders(server: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        _folders(server)

    @made.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    @quietly(lambda: None)
    def watched(server: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
        server.publishing.everything()

    @made.feature(lsp.SHUTDOWN)
    @quietly(lambda: None)
    def shutdown(server: Server, params: None) -> None:
        server.ended = True
        server.publishing.end()


def _folders(server: Server) -> None:
    """The folders that somebody works in."""
    there = [path_of(address) for address in server.workspace.folders]
    root = server.workspace.root_path
    server.project.folders = [path for path in there if path is not None] or ([os.path.realpath(root)] if root else [])


def _documents(made: Server) -> None:
    def taken(server: Server, address: str, thoroughly: bool) -> None:
        server.loop = server.loop or asyncio.get_event_loop()
        source = server.workspace.get_text_document(address).source
        path = path_of(address)
        if path is not None:
            server.project.take(path, source)
            server.publishing.changed(path, thoroughly)
        elif address.rpartition(":")[0]:  # a text that has no file yet
            lines = source.split("\n")
            told = [server.diagnostic(one, lines) for one in parse_rules(source, address)[1]]
            server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(address, told))

    @made.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    @quietly(lambda: None)
    def opened(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        taken(server, params.text_document.uri, True)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    @quietly(lambda: None)
    def changed(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        taken(server, params.text_document.uri, False)

    @made.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    @quietly(lambda: None)
    def saved(server: Server, params: lsp.DidSaveTextDocumentParams) -> None:
        if path_of(params.text_document.uri) is not None:
            taken(server, params.text_document.uri, True)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    @quietly(lambda: None)
    def closed(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        if (path := path_of(params.text_document.uri)) is not None:
            server.project.drop(path)
            server.publishing.closed(path)


def _words(made: Server) -> None:
    @made.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["."], resolve_provider=True))
    @quietly(lambda: None)
    def completion(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        path = path_of(params.text_document.uri)
        target = server.project.target_of(path) if path is not None and path.endswith(RULES) else None
        text = server.project.text(path) if path is not None else None
        if path is None or target is None or text is None:
            return None
        line, column = server.place(path, params.position)
        found = complete(server.project.last(target), text, line, column)
        return lsp.CompletionList(True, [_item(each, number, params.position, target) for number, each in enumerate(found)])

    @made.feature(lsp.COMPLETION_ITEM_RESOLVE)
    @quietly(lambda: None)
    def resolved(server: Server, item: lsp.CompletionItem) -> lsp.CompletionItem:
        target, key = item.data if isinstance(item.data, list) and len(item.data) == 2 else ("", "")
        declared = server.project.last(target).declared.get(key) if target else None
        if declared is not None:
            item.documentation = lsp.MarkupContent(lsp.MarkupKind.Markdown, describe(server.project.last(target), declared))
        return item

    @made.feature(lsp.TEXT_DOCUMENT_HOVER)
    @made.thread()
    @quietly(lambda: None)
    def hovered(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        found = server.at(params)
        told = hover(*found) if found is not None else None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, told), server.range(found[1].span)) if found is not None and told else None

    @made.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    @made.thread()
    @quietly(list)
    def defined(server: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
        found = server.at(params)
        return [server.location(span) for span in renaming.definition(*found)] if found is not None else []

    @made.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    @made.thread()
    @quietly(list)
    def referred(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = server.at(params)
        spans = renaming.references(server.project, *found) if found is not None else []
        own = set(renaming.definition(*found)) if found is not None and not params.context.include_declaration else set()
        return [server.location(span) for span in spans if span not in own]

    @made.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    @made.thread()
    @quietly(list)
    def highlighted(server: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        found = server.at(params)
        if found is None:
            return []
        analysis, each = found
        same = [one for one in analysis.occurrences(each.span.file) if one.key == each.key and one.unit == each.unit]
        return [lsp.DocumentHighlight(server.range(one.span)) for one in same]


def _item(each: Proposal, number: int, position: lsp.Position, target: str) -> lsp.CompletionItem:
    start = lsp.Position(position.line, max(position.character - each.start, 0))
    return lsp.CompletionItem(
        each.label,
        kind=KINDS.get(each.what, lsp.CompletionItemKind.Value),
        detail=f"{each.what} {each.detail}".strip() if each.what != "keyword" else None,
        sort_text=f"{number:04}",
        filter_text=each.label,
        text_edit=lsp.TextEdit(lsp.Range(start, position), each.label),
        data=[target, each.key] if each.key else None,
    )


def _edits(made: Server) -> None:
    @made.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    @made.thread()
    @quietly(lambda: None)
    def prepared(server: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        found = server.at(params)
        if found is not None:
            _refusing(lambda: renaming.old_name(found[1]))
        return server.range(found[1].span) if found is not None else None

    @made.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    @made.thread()
    @quietly(lambda: None)
    def renamed(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        found = server.at(params)
        if found is None:
            return None
        edits = _refusing(lambda: renaming.rename(server.project, *found, params.new_name))
        return lsp.WorkspaceEdit({uri(file): [lsp.TextEdit(server.range(edit.span), edit.text) for edit in here] for file, here in edits.items()})

    @made.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
    @quietly(list)
    def actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = path_of(params.text_document.uri)
        text = server.project.text(path) if path is not None else None
        return list(_actions(server, path, text, params)) if path is not None and text is not None else []

    @made.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    @quietly(lambda: None)
    def formatted(server: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        text = server.workspace.get_text_document(params.text_document.uri).source
        laid_out, _ = format_text(text, "") if params.text_document.uri.endswith(RULES) else (None, [])
        return list(_differences(text, laid_out)) if laid_out is not None else None


def _refusing(what: Callable[[], Any]) -> Any:
    """What is refused on purpose goes to whoever asked."""
    try:
        return what()
    except renaming.Refused as refused:
        raise JsonRpcException(str(refused), lsp.LSPErrorCodes.RequestFailed) from None


def _actions(server: Server, path: str, text: str, params: lsp.CodeActionParams) -> Iterator[lsp.CodeAction]:
    """A change for every guess of the complaints in a range."""
    lines = text.split("\n")
    for one in server.publishing.shown.get(path, ()):
        told = server.diagnostic(one, lines)
        if told.range.end < params.range.start or params.range.end < told.range.start:
            continue
        found = list(fixes(one, text))
        for fix in found:
            edit = lsp.WorkspaceEdit({params.text_document.uri: [lsp.TextEdit(server.range(fix.span, lines), fix.text)]})
            yield lsp.CodeAction(fix.title, lsp.CodeActionKind.QuickFix, [told], is_preferred=len(found) == 1, edit=edit)


def _differences(old: str, new: str) -> Iterator[lsp.TextEdit]:
    """Edits of whole lines, so that the cursor stays where it is."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    for how, start, end, first, last in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if how != "equal":
            yield lsp.TextEdit(lsp.Range(lsp.Position(start, 0), lsp.Position(end, 0)), "".join(after[first:last]))


def _looks(made: Server) -> None:
    @made.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    @quietly(list)
    def symbols(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path = path_of(params.text_document.uri)
        text = server.project.text(path) if path is not None and path.endswith(RULES) else None
        lines = (text or "").split("\n")
        return [_symbol(server, each, lines) for each in outline(parse_rules(text, "")[0])] if text is not None else []

    @made.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    @made.thread()
    @quietly(lambda: lsp.SemanticTokens([]))
    def coloured(server: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        path = path_of(params.text_document.uri)
        analysis = server.project.current(path) if path is not None and path.endswith(RULES) else None
        return lsp.SemanticTokens(list(_tokens(server, analysis, path)) if analysis is not None and path is not None else [])

    @made.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    @made.thread()
    @quietly(list)
    def hinted(server: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        path = path_of(params.text_document.uri)
        analysis = server.project.current(path) if path is not None and path.endswith(RULES) else None
        lines = server.lines(path) if path is not None else []
        found = inlays(analysis, name_of(path)) if analysis is not None and path is not None else ()
        return [
            lsp.InlayHint(
                server._position(lines, each.line, len(lines[each.line - 1]) + 1),
                each.text,
                tooltip=lsp.MarkupContent(lsp.MarkupKind.Markdown, f"```rules\n{each.whole}\n```"),
                padding_left=True,
            )
            for each in found
            if params.range.start.line <= each.line - 1 <= params.range.end.line and each.line <= len(lines)
        ]


def _symbol(server: Server, each: Heading, lines: list[str]) -> lsp.DocumentSymbol:
    whole = server.range(each.span, lines)
    first = lsp.Range(whole.start, min(whole.end, server._position(lines, each.span.line, len(lines[each.span.line - 1]) + 1)))
    children = [_symbol(server, inner, lines) for inner in each.inner]
    return lsp.DocumentSymbol(each.name or each.what, SYMBOLS.get(each.what, lsp.SymbolKind.Object), whole, first, each.detail, children=children)


def _tokens(server: Server, analysis: Analysis, path: str) -> Iterator[int]:
    """Colours as the protocol writes them: each word by how far it is from the one before."""
    lines, units = server.lines(path), server.workspace.position_codec.client_num_units
    line, start = 0, 0
    for word, sort, modifiers in colours.colours(analysis, name_of(path)):
        text = lines[word.line - 1] if word.line <= len(lines) else ""
        at, length = units(text[: word.column - 1]), units(text[word.column - 1 : word.end - 1])
        if length:
            yield from (word.line - 1 - line, at - start if word.line - 1 == line else at, length, colours.SORTS.index(sort), modifiers)
            line, start = word.line - 1, at

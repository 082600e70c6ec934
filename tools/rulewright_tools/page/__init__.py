"""Pages that commands write: one file of HTML that needs nothing else, in one look, light and dark, on a phone and on paper.

    document(title, body, made_by="rulewright graph", ...)      any whole file: nothing is fetched, only our own script runs
    page(title, main, made_by="rulewright docs", ...)           the same with a bar, contents, a search and a theme; most commands want this
    escape(text), embedded(data)                                everything of a ruleset goes through one of these
    write_page(path, text, made_by, force)                      never over a file that the same command has not made

What can be found by the search carries the class `find`, and in `data-find` words that are not in its text (an id, a name): what does not match is hidden, and so is a
`section` in which nothing matches. On paper all `details` are open but those of the class `as-is`. An anchor is an `id`; whoever comes by a link sees what it leads to, whatever is searched for or folded.
For the look there are in page.css: `.entry`, `.mark` (`.added`, `.changed`, `.removed`), `.cite`, `.quiet-text`, `.columns`, `ins` and `del`.
"""

from rulewright_tools.page.document import Heading, document, page
from rulewright_tools.page.markup import anchor, embedded, escape
from rulewright_tools.page.writing import NotOurs, write_page

__all__ = ["Heading", "NotOurs", "anchor", "document", "embedded", "escape", "page", "write_page"]

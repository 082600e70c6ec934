"""The language server: what an editor asks about rules while somebody writes them.

`project` says which ruleset a file belongs to and builds it with what is not saved yet; `meanings` and `occurrences` say what every word in it means; on these stand
`completion`, `hover`, `fixes`, `outline`, `colours`, `inlays` and `renaming`, which know nothing of the protocol; `server` speaks it.
"""

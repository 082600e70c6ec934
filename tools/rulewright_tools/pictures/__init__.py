"""Pictures of an effect graph: graph JSON to a drawing model (`outline`, `overview`), to coordinates (`layout`), to text.

The emitters are `dot`, `mermaid`, `svg` and `html`; none needs a program or a network. Labels are untrusted text: each
emitter escapes everything it writes. Nothing here reads a file of a ruleset.
"""

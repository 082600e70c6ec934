"""The catalogue of diagnostic codes: code, severity, title.

Codes are stable: one is never given another meaning. R1 text and syntax, R2 YAML and files, R3 names and layers, R4 types, R5 sense of the rules,
R6 limits. `rulesets/DIAGNOSTICS.md` shows an example and the fix of each; a test keeps the two together.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Code(NamedTuple):
    """What is known of a code before any ruleset is read."""

    severity: Literal["error", "warning"]
    title: str


CODES: dict[str, Code] = {
    # R1: text and syntax
    "R101": Code("error", "the line does not read as a rule"),
    "R102": Code("error", "a character that the language does not use"),
    "R103": Code("error", "a tab in the indentation"),
    "R104": Code("error", "indentation that fits no enclosing block"),
    "R105": Code("error", "a text that is not closed on its line"),
    "R106": Code("error", "a bracket without its partner"),
    "R107": Code("error", "not a text file in UTF-8"),
    "R108": Code("error", "a word of the language used as a name"),
    "R109": Code("error", "a name with capital letters"),
    "R111": Code("error", "a rules file with nothing in it"),
    "R112": Code("warning", "a layer that says nothing"),
    "R110": Code("error", "a line in a place where it does not belong"),
    # R2: YAML and files
    "R201": Code("error", "a file that cannot be read"),
    "R202": Code("error", "not well-formed YAML"),
    "R203": Code("error", "a key given twice"),
    "R204": Code("error", "a key the schema does not know"),
    "R205": Code("error", "a value of the wrong type or shape"),
    "R206": Code("error", "a word that YAML could take for true or false"),
    "R207": Code("error", "YAML anchors, aliases or tags"),
    "R208": Code("error", "a path that leaves the ruleset's folder"),
    "R209": Code("error", "a file named twice"),
    "R210": Code("error", "a ruleset that cannot be found"),
    "R211": Code("error", "rulesets that are each other's parents"),
    "R212": Code("error", "a missing key"),
    "R213": Code("error", "a rule id given twice in a rulebook"),
    "R214": Code("error", "two rulesets with the same id"),
    "R215": Code("error", "an option or part that the ruleset does not have"),
    "R216": Code("warning", "a layer to come after that cannot be found"),
    "R217": Code("warning", "a rules file that nobody reads"),
    "R218": Code("warning", "a table that speaks of what nothing declares"),
    "R219": Code("warning", "a locale of the wrong language"),
    "R220": Code("warning", "a translation of what the rules do not say"),
    "R221": Code("error", "a translation with braces that its text does not have"),
    # R3: names and layers
    "R301": Code("error", "a name that nothing declares"),
    "R302": Code("error", "a name declared twice"),
    "R303": Code("error", "a change to something that does not exist"),
    "R304": Code("error", "two layers change the same thing"),
    "R305": Code("error", "a change whose target has changed"),
    "R306": Code("error", "a citation that is not in the rulebook"),
    "R307": Code("error", "a kind that is its own ancestor"),
    "R308": Code("warning", "a name that nothing uses"),
    "R309": Code("error", "a local name given twice"),
    "R310": Code("error", "a change outside a layer"),
    "R311": Code("error", "a value that may not have been given yet"),
    "R312": Code("warning", "a name that hides another"),
    "R313": Code("warning", "something compared with itself"),
    "R314": Code("warning", "a comparison that always or never holds"),
    "R315": Code("error", "something that each game has to say, and this one does not"),
    # R4: types
    "R401": Code("error", "an expression of the wrong type"),
    "R402": Code("error", "a number outside its range"),
    "R403": Code("error", "a call with the wrong arguments"),
    "R404": Code("error", "a field or place that the kind does not have"),
    "R405": Code("error", "a match that misses a case"),
    "R406": Code("error", "a case that can never match"),
    "R407": Code("error", "a comparison between things that are never equal"),
    "R408": Code("error", "an effect used as a value"),
    "R409": Code("error", "a component without a value it needs"),
    "R410": Code("error", "a name that means two things here"),
    "R411": Code("error", "something that is not a component is moved, or moved to something that is not a place"),
    "R412": Code("error", "a chooser who is no player"),
    # R5: sense of the rules
    "R501": Code("error", "a hook on nothing"),
    "R502": Code("warning", "an action that can never be taken"),
    "R503": Code("error", "components that are placed but never declared"),
    "R504": Code("error", "a secret named in a public message"),
    "R505": Code("warning", "statements that are never reached"),
    "R506": Code("error", "a ruleset that cannot be played"),
    "R507": Code("warning", "an effect that calls itself without a way out"),
    "R508": Code("error", "a word that has no meaning here"),
    "R509": Code("warning", "something is moved without saying how many"),
    "R510": Code("warning", "a scenario moves something that does not move"),
    # R6: limits
    "R601": Code("error", "a file that is too large"),
    "R602": Code("error", "a line that is too long"),
    "R603": Code("error", "nesting that is too deep"),
    "R604": Code("error", "too many components"),
    "R605": Code("error", "too many problems to show"),
    "R606": Code("error", "too many files or parents"),
}

"""What people write out of habit, from other languages or plain English, and how it is written here.

`habit` takes a line and the column at which it stops making sense; gives advice if one of the habits stands there. The lexer, the parser and the
checks ask the same tables, so a habit is answered the same way wherever it is noticed.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

TEXT = re.compile(r'"(?:[^"\\]|\\.)*"?')

# Words that other languages begin a statement with, and what is written here.
ELSEWHERE = {
    "roll": "write: let face = roll DIE",
    "return": "write: give VALUE",
    "while": "write: repeat until CONDITION: ...",
    "choose": "say who: WHO chooses NAME: ...",
    "remove": "nothing is ever destroyed; move it to a place",
    "print": 'write: log "..."',
    "elif": "write: else if CONDITION: ...",
    "break": "write: leave",
    "continue": "write: skip",
    "pass": "write: nothing",
    "endgame": "write: end game",
    "random": "what is left to chance is chosen: chance chooses NAME: a THING in PLACE",
    "order": "write: for each player in players ordered by seat: ...",
    **dict.fromkeys(("anyone", "anybody", "someone", "somebody"), "write: any THING where ..., such as: any player where passed"),
    **dict.fromkeys(("everyone", "everybody"), "write: every THING is ..., such as: every player is passed"),
    **dict.fromkeys(("nobody", "noone"), "for a value write: none; of several things: no THING where ..."),
    "exit": "write: end game",
    "this": "a component calls itself self; inside 'for each card ...' the thing is called card",
    "there": "write: any THING in PLACE, or: no THING in PLACE",
    "least": "write: any THING ..., or: (count of THINGS ...) >= N",
    "most": "write: (count of THINGS ...) <= N",
    "during": "write: before PHASE: ..., or: after PHASE: ...",
    **dict.fromkeys(("that", "which"), "write: where it ..., such as: any card where it is red"),
}
WRITTEN_OUT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SAME = {"free": "empty", "vacant": "empty", "unoccupied": "empty", "clear": "empty", "nothing": "none", "null": "none"}

MANIFEST = "such lines belong into a file ruleset.yaml in the folder of the rules; a lone rules file begins with: layer NAME over GAME"
JOINING = {"into": "to", "onto": "to", "are": "every THING is ..., or: any THING is ..."}  # between two nouns they would read as adjectives
BESIDE = "(?:next|adjacent|adjoining|close|connected) to|beside|neighbou?ring"
HOOKED = "before|after|instead|when|whenever|each|every|at|on|upon|set|add|more|replace|remove|insert|change|once|reaction|for|if|layer|ruleset|cite|source|the|an?|new|create"
JOINED = "of|is|in|on|at|from|to|over|with|by|as|links|plural|x\\d+"
DECLARED = "kind|place|die|track|grid|number|effect|phase|step|value|action|cost|rule|words|all"

# What manifests say; in a rules file such a line is a stray.
MANIFEST_KEYS = "id|title|version|description|parents|files|options|parts|locales|languages|rulebook|board|shared_by"
EVERYONE = "everyone|everybody|every player|each player|all players"
DOINGS = "draw|discard|take|gain|get|receive|lose|pay|heal|suffer|move|roll|shuffle"

# A line that looks like the first half is answered by the second, if the trouble lies inside what was recognised. The first that fits counts, so what
# is told by its whole line stands before what is told by a part of one.
HABITS = (
    # headers
    (r"^replace (?:the )?(?:lines?|statements?)\b.*$", "write: replace in effect NAME: and below it, indented, 'was: ...' with the line as it is and 'now: ...'"),
    (r"^(?:ruleset|layer) .*\bfor (\d+) *(?:-|\.\.) *(\d+)(?: players)?$", "write: for {1} to {2} players"),
    (r"^(?:ruleset|layer) .*(?P<wrong>\(? *\bplayers?:? (\d+) *(?:-|\.\.|to|or)? *(\d+)\)?)$", "write: for {1} to {2} players"),
    (r"^(?:ruleset|layer) .*\((\d+) *(?:-|\.\.|to|or) *(\d+) players\)$", "write: for {1} to {2} players"),
    (r"^(?P<wrong>players) *: *\D*(\d+)\D+(\d+).*$", "a lone rules file says it in its first line: ruleset NAME \"Title\" for {1} to {2} players"),
    # lines of other languages
    (rf"^(?P<wrong>{MANIFEST_KEYS}) *:.*$", MANIFEST),
    (r"<!--.*", "a comment begins with #"),
    (r"([\w.)]+) (?P<wrong>//) *(\d+)", "numbers are whole, and '/' rounds down: {1} / {2}"),
    (r"^(?:\w+ \w+ .*?|\w+): *(?P<wrong>[&*]\w+).*$", "there are no anchors; what several have in common stands in their kind"),
    (r"^ +(\w+) *:? *(?P<wrong>~|null)$", "write: {1} none, or leave the line out"),
    (r"≥", "write: >="),
    (r"≤", "write: <="),
    (r"≠", "write: !="),
    (r"×", "write: *"),
    (r"\b(?P<wrong>filter|map)\( *lambda \w+ *: *.+?, *([\w.]+) *\)", "write: all {1} where ..., in which 'it' is each of them"),
    (r"\b(?P<wrong>lambda)\b.*", "a test stands where things are looked for: all THINGS where ..., in which 'it' is each of them"),
    (r"^ *for \w+, *(\w+) in (?:enumerate\( *)?([\w.]+?) *\)? *:.*$", "write: for each {1} in {2}: ..."),
    (r"^ +(?P<wrong>switch|case|select) *\(?([\w.]+)\)? *[:{]?$", "write: match {1}: and below it, indented, 'VALUE: ...' for each case and 'else: ...'"),
    (r"^ *([\w.]+)\+\+$", "write: increase {1} by 1"),
    (r"^ *([\w.]+)--$", "write: decrease {1} by 1"),
    (r"^ *(?:.*: *)?([\w.]+) *\+= *(\S.*)$", "write: increase {1} by {2}"),
    (r"^ *(?:.*: *)?([\w.]+) *-= *(\S.*)$", "write: decrease {1} by {2}"),
    (r"(?://|--|/\*).*", "a comment begins with #"),
    (r'^ *"_"_*.*$', "a comment begins with #"),
    (r"^ *[{\[] *\"_.*$", 'this is JSON; here a line says what something is, its name and its label: KIND name "Label", and its fields below, indented'),
    (r"^ *(?P<wrong>\}) *;?$", "leave it out: a block ends where its indentation does"),
    (r"^(\w.*?) *: *\{ *(\w+) *: *([^,}]+?) *[,}].*$", "write each field on a line of its own, indented below: {2} {3}"),
    (r"^( *\S.*?) *(?P<wrong>\{)$", "write ':' instead, and indent what belongs to it: {1}: ..."),
    (r"^ +(?P<wrong>return) (?!.* (?:in|into|on|onto|to|back to) )(\S.*)$", "write: give {1}"),
    (r"^ +(?P<wrong>try) *:.*$", "write: try EFFECT(...): ..., and below 'else:' what happens if it cannot be done"),
    (r"^ +(?P<wrong>except|catch)\b.*$", "write: else: ..., below: try EFFECT(...): ..."),
    (r"^(?:effect|value|cost) \w+\((?:[^()]*, *)?(\w+)(?: *: *\w+)? *(?P<wrong>=) *[^(),]+[,)].*$", "a parameter has no default: write {1}: KIND, and give it in every call"),
    (r"\$ *([A-Za-z_]\w*)", "leave out the $: {1}"),
    (r'^ *(?:.*: *)?log "_* *(?P<wrong>[+&.]) *([\w.]+).*$', 'what is named stands in the text itself, in braces: log "... {{{1}}}"'),
    (r"^ +cost *(?:: *)?(?P<wrong>pay|discard|spend|lose) (\d+) (\w+).*$", "write: cost {1} {2}"),
    (r"^ +cost(?P<wrong> *:) *(\d+ \w+).*$", "write: cost {1}"),
    (r"^ +cost (\d+)$", "say of what: cost {1} NAME, as a cost is declared: cost NAME(who: KIND, amount: number): ..."),
    (r"^ +(?P<wrong>requires?|requirement|condition|needs?|only if)\b *:? (\S.*?)$", "in an action write: when {1}"),
    (r'^\w+ \w+(?: "_+)?(?: x\d+)? *: *(?P<wrong>[A-Z]\w*) .*$', "what it does is said by rules below it, indented; words that are only read stand in quotes, as its label"),
    (r"^ *(?:.*: *)?repeat (?P<wrong>twice) *:.*$", "write: repeat 2 times: ..."),
    (r"^.*(?P<wrong>;)$", "leave it out: a line ends by itself"),
    (r"(?P<wrong>;) *(\S.*)$", "put it on a line of its own: {1}"),
    # formulas
    (r"\b(?P<wrong>(?:IF|IIF|Iif|If)\() *(.+?) *[,;] *(.+?) *[,;] *([^()]+?) *\)", "write: {2} if {1} else {3}"),
    (r"\b(?P<wrong>AND\() *(.+?) *[,;] *([^()]+?) *\)", "write: {1} and {2}"),
    (r"\b(?P<wrong>OR\() *(.+?) *[,;] *([^()]+?) *\)", "write: {1} or {2}"),
    (r"\b(?P<wrong>NOT\() *([^()]+?) *\)", "write: not ({1})"),
    (r"\b(?P<wrong>COUNTIFS?\() *([^()]+?) *[,;] *([^()]+?) *\)", "write: count of {1} where {2}"),
    (r"\b(?P<wrong>(?:COUNTA?|LEN)\() *([^()]+?) *\)", "write: count of {1}"),
    (r"\b(?P<wrong>SUM\() *([\w.]+)\.(\w+) *\)", "write: total {2} over THINGS in {1}"),
    (r"\b(?P<wrong>SUM(?:IF)?\() *([^()]+?) *\)", "write: total FIELD over {1}"),
    (r"\b(?P<wrong>MOD\() *([^(),;]+?) *[,;] *([^()]+?) *\)", "write: {1} mod {2}"),
    (r"\b(?P<wrong>ISBLANK\() *([^()]+?) *\)", "write: {1} is none; of a place: {1} is empty"),
    (r"\b(?P<wrong>[VHX]LOOKUP)\(.*", "name the thing and its field: THING.FIELD, or: the THING where FIELD = VALUE"),
    (r"\b(?P<wrong>MAX\() *([^(),]+, *[^()]+?) *\)", "write: highest_of({1})"),
    (r"\b(?P<wrong>MIN\() *([^(),]+, *[^()]+?) *\)", "write: lowest_of({1})"),
    (r"\b(?P<wrong>MAX\() *([\w.]+)\.(\w+) *\)", "write: highest {2} over THINGS in {1}"),
    (r"\b(?P<wrong>MIN\() *([\w.]+)\.(\w+) *\)", "write: lowest {2} over THINGS in {1}"),
    (r"\b(?P<wrong>(?:ROUND(?:DOWN)?|INT|FLOOR|TRUNC)\() *([^()]+?)(?:, *0)? *\)", "numbers are whole, and '/' rounds down: write {1}"),
    (r"\b(?P<wrong>[A-Z]{1,2}\d{1,4})\b", "there are no cells here; name what is meant, such as WHO.FIELD"),
    (r"\b(\d{1,3}),(\d{3})\b(?!,)", "a number has no commas: {1}{2}"),
    (r"^ *(?P<wrong>def|function|func|void|sub) (\w+) *\(.*$", "write: effect {1}(who: KIND): ..."),
    (r"^(?P<wrong>class|struct|type) (\w+) *\( *(\w+) *\).*$", "write: kind {1} is {2}"),
    (r"^(?P<wrong>class|struct|type|interface) (\w+).*$", "write: kind {1}: ..."),
    (r"^(?P<wrong>import|include|use|using|from) +\W?(\w+).*$", "to build on another ruleset, begin the file with: layer NAME over {1}"),
    (r"^(?P<wrong>const|constant|var|let|int|integer|define) (\w+) *:?=? *(\d+).*$", "write: number {1} = {2}"),
    (r"^(?P<wrong>let|var) (\w+) *=.*$", "at the start of a line write: number {1} = 5, or: value {1}: ..."),
    (r"^(?P<wrong>new|create|add|declare) (?!to\b)([a-z]\w* [a-z]\w*.*)$", "write: {1}"),
    (r"^(?P<wrong>delete|discard|drop) ([a-z]\w* [\w.]+).*$", "write: remove {1}"),
    (r"^ *for (?!each\b)(\w+) in range *\( *([\w.]+) *\).*$", "write: repeat {2} times: ..."),
    (r"^ *for (?!each\b)(\w+) in (.+?) *:.*$", "write: for each {1} in {2}: ..."),
    (r"^ *for (?P<wrong>all|every) (?:the )?(\w+s) *:.*$", "write: for each THING in {1}: ..."),
    (r"^ *for (?P<wrong>all|every) (.+?) *:.*$", "write: for each {1}: ..."),
    (r"^ +(?P<wrong>every|each|any|all) ([a-z]\w*?)s? *:.*$", "write: for each {1} in {1}s: ..."),
    (r"^ *(?P<wrong>foreach) (.+?) *:.*$", "write: for each {1}: ..."),
    (r"^ *for *\(.*$", "write: repeat 3 times: ..., or: for each THING in THINGS: ..."),
    (r"^ +(?:do|repeat) (?P<wrong>once|twice|thrice)\b.*$", "write: repeat N times: ..."),
    (r"^ +(?P<wrong>do) ([\w.]+) times\b.*$", "write: repeat {1} times: ..."),
    (r"^ +repeat ([\w.]+) *:.*$", "write: repeat {1} times: ..."),
    (r"^(?P<wrong>while) (.+?) *:.*$", "'while' stands in a kind or a component; here write: after EVENT(...) when {1}: ..."),
    (r"^ +(?P<wrong>while) *\(? *(?:[Tt]rue|1) *\)? *:.*$", "write: repeat: ..., and 'leave' where it is to end"),
    (r"^ +(?P<wrong>while) (.+?) *:.*$", "write: repeat until not ({1}): ..."),
    (r"^ *(?:else *if|elif|elsif) (.+?) then\b.*$", "write: else if {1}: ..."),
    (r"^ *(?P<wrong>elif|elsif|elseif) (.+?) *:.*$", "write: else if {1}: ..."),
    (r"^ *(?P<wrong>otherwise)\b.*$", "write: else: ..."),
    (r"^ *(?:.*: *)?(?:if|unless) .*(?P<wrong>\bthen\b).*$", "write ':' instead of '{wrong}'"),
    (r"^ *(?:.*: *)?(?:if|unless) [^:]*: *\S.* (?P<wrong>else)\b.*$", "put '{wrong}: ...' on a line of its own, below the 'if'"),
    (r"^ *(?:.*: *)?(if|unless) ([^:,(]+?)(?P<wrong>,).*$", "write: {1} {2}: ..."),
    (r"^ *(?:.*: *)?if *\((.+)\) *\{.*$", "write: if {1}: ..., and what belongs to it indented below"),
    (r"^ *(?:.*: *)?(?:let |set |give )?[\w.]+(?: *=| to)? *(\S.*?) *\? *(\S.*?) *: *(\S.*?)$", "write: {2} if {1} else {3}"),
    # one line, two things
    (r"^ +(\w[\w.]*\([^()]*\)|log \"_+|(?:move|draw|set|increase|decrease) .+?),? (?P<wrong>if|unless) (?!.* else )(.+)$", "it comes first: {wrong} {2}: {1}"),
    (r"^ +(?:\w[\w.]*\([^()]*\)|log \"_+),? *(?P<wrong>,|\band then\b|\bthen\b|\band\b) *(.+)$", "put it on a line of its own: {1}"),
    # changing something
    (r"^ +score ([\w.]+(?: [a-z]\w*)*)$", "write: score {1}: POINTS"),
    (r"^ +(?P<wrong>scores?) (\d+) (?:for|to) (\S.*)$", "write: score {2}: {1}"),
    (r"^ +([\w.]+) (?P<wrong>scores) (\d+)(?: points?)?$", "write: score {1}: {2}"),
    (r"^ *(?:.*: *)?(increase|decrease) ([\w.]+)$", "say by how much: {1} {2} by 1"),
    (r"^add (\d+)(?: more)? (\w+?)s?(?: .*)?$", "write: more {2} x{1}"),
    (r"^replace (\w+) (?P<wrong>with|by) ([a-z]\w*).*$", "write: instead of {1}: {2}(...)"),
    (r"^ +(?P<wrong>subtract) (.+) from (\S.*)$", "write: decrease {2} by {1}"),
    (r"^ +(?P<wrong>increment|raise) ([\w.]+)(?: by .*)?$", "write: increase {1} by 1"),
    (r"^ +(?P<wrong>decrement|reduce|lower) ([\w.]+)(?: by .*)?$", "write: decrease {1} by 1"),
    (r"^(grid .*\d) (?P<wrong>hexagonal|sides|sides and corners)$", "a comma stands before it: {1}, {wrong}"),
    (r'^(\w+ \w+ "_+) (?P<wrong>one) (for each .+)$', 'a colon stands before it: {1}: one {2}'),
    (r"^ +for each (\w+) in (\w+(?:, *\w+)+) *:.*$", "give them a name first, on a line before: let some = {2}, and then: for each {1} in some: ..."),
    (r"^number (\w+) = (?P<wrong>[a-z]\w*)(?: *[-+*/(.]| \w).*$", "a number is written out; what is worked out is a value: value {1}: ..."),
    (r"\b(?P<wrong>double|twice) (?:the )?([a-z][\w.]*)", "write: {1} * 2"),
    (r"^set ([\w.]+) to (\d+) by (\d+)\b.*$", "write: replace grid {1} of KIND: {2} by {3}"),
    (r"^set ([\w.]+) to (-?\d+) (?P<wrong>[a-z]\w*)$", "leave it out: set {1} to {2}"),
    (r"^set (?!the\b|an?\b)([a-z]\w*) ([a-z]\w*) to (\S.*)$", "a name is one word: set {1}_{2} to {3}"),
    (r"^set (?!the\b|an?\b)([a-z]\w*) ([a-z]\w*) ([a-z]\w*) to (\S.*)$", "a name is one word: set {1}_{2}_{3} to {4}"),
    (r"^set ([\w.]+) to [\w.]+ *[-+*/].*$", "write out the number that it comes to: set {1} to N"),
    (r"^ *(?:.*: *)?set ([\w.]+) *(?::=|=) *(\S.*)$", "write: set {1} to {2}"),
    (r"^change ([\w.]+) (?:to|from \S+ to) (\S.*)$", "write: set {1} to {2}"),
    (r"^replace (\w+) (?:with|by) (\d+).*$", "write: set {1} to {2}"),
    (r"^([a-z]\w*(?:\.\w+)*) *:?= *(-?\d+)$", "write: number {1} = {2}, or in a layer: set {1} to {2}"),
    (r"^ +(\w+(?:\.\w+)+) *:?= *(\S.*)$", "write: set {1} to {2}"),
    (r"^ +([a-z]\w*) *:= *(\S.*)$", "write 'let {1} = {2}' for a new name, 'set {1} to {2}' to change something"),
    (r"^ +([\w.]+) *\+ *(\w+)$", "write: increase {1} by {2}"),
    (r"^ +([\w.]+) *- *(\w+)$", "write: decrease {1} by {2}"),
    # what holds for a while
    (r"^ +(?P<wrong>(?:until|till) the (?:end|start|beginning)|for the rest|for the remainder) of (?:the |this |that )?(\w+).*$",
     "write: until {1}: and below it, indented, what is different until then: instead of ..., or: change ..."),
    (r"^(?P<wrong>as long as) (.+?) *:.*$", "below a component write: while {1}: ...; elsewhere: after EVENT(...) when {1}: ..."),
    (r"^((?:before|after|instead of) .+?) (?P<wrong>if|where) ([^:]+?) *:.*$", "write: {1} when {2}: ..."),
    (r"^when ([\w.]+\([^()]*\)) *: *(.+?) instead$", "write: instead of {1}: {2}"),
    # sentences
    (r"^(?:the )?\w+(?: \w+)? (?P<wrong>cannot|can ?not|can't|may not|must not|never) (\w+).*$", "write: instead of {1}: nothing"),
    (r"([\w.]+) (?P<wrong>must|shall|should|has to) (?:choose|pick|select)\b.*$", "write: {1} chooses NAME: ..."),
    (r"^ *(?:.*: *)?[\w.]+ (?P<wrong>must|shall|should|has to) (\w+).*$", "leave it out: what stands here happens"),
    (r"^ +(?P<wrong>then),? (\S.*)$", "leave it out, what stands below happens next: {1}"),
    (r"^ *.*\S,? (?P<wrong>if (?:able|possible|you can|they can))$", "leave it out: what cannot be done is left undone"),
    (r"^ *(?:.*: *)?(?P<wrong>heal|recover|restore|regain) (\d+) (\w+).*$", "say whose: decrease WHO.FIELD by {1}"),
    (r"^ *(?:.*: *)?(?P<wrong>inflict|suffer|(?:deal|take)(?= \d+ (?:damage|harm|hits?|points?)\b)) (\d+) (\w+).*$", "say whose: increase WHO.FIELD by {1}"),
    (r"^ *(?:.*: *)?(?P<wrong>look|peek) (?:at|into) (\S.*)$", "write: show {1} to WHO"),
    (r"^ *(?:.*: *)?(?P<wrong>search) (?:the )?([\w.]+) for (?:an? )?(\w+)$", "write: WHO chooses NAME: a {2} in {1}"),
    (r"^ *(?:.*: *)?swap (\S.*?) (?P<wrong>and) (\S.*)$", "write: swap {1} with {2}"),
    (r"^ *(?:.*: *)?(?P<wrong>exchange|trade|switch) (\S.*?) (?:and|with|for) (\S.*)$", "write: swap {1} with {2}"),
    (r"^ *(?:.*: *)?skip (?P<wrong>(?:the |a |an |his |her |their |that )?(?:next )?(?:turn|round))\b.*$",
     "'skip' goes on with the next of 'for each'; who is to lose a turn gets a flag that the turns ask for: set WHO.FLAG to true"),
    (r"^ *(?:.*\W)?(?:for each|all|any|no|every|count of)\b[^:]*? (?P<wrong>with|having) (\w+ *(?:[<>=!]+|is\b)[^:]*?) *(?::.*)?$", "write: where {1}"),
    (r"([\w.]+) is (?P<wrong>between|from|in range) (\w+) (?:and|to|\.\.) (\w+)", "write: {1} >= {2} and {1} <= {3}"),
    (r"([\w.]+) *([<>]=?) *([\w.]+) *([<>]=?) *([\w.]+)", "write: {1} {2} {3} and {3} {4} {5}"),
    (r"^ *(?:.*: *)?([\w.]+) (?P<wrong>loses|skips|misses) (?:an?|the|his|her|its|their|one) (?:next )?(?:turn|round)\b.*$", "keep it in a flag that the turns ask for: set {1}.FLAG to true"),
    (r"^ *(?:.*: *)?(?:the )?(?P<wrong>active|current|acting|next|other) player (\w+)s (.*)$", "name who it is, as the effect around it does; here nobody is called '{wrong} player': {1} {2} from PLACE to WHO.PLACE"),
    (r"^ *(?:.*: *)?(?:flip|toss) an? (\w+).*$", "declare it, 'die {1}: heads, tails', and write: let face = roll {1}"),
    (r"^ +(?P<wrong>on) (?:an? )?(\d+)\b.*$", "write: if face = {1}: ..., below: let face = roll DIE"),
    (r"^ *(?:.*: *)?shuffle (?!all\b)(.+?) (?P<wrong>into|in|to|with) (.+)$", "write: move all CARDS in {1} to {2}, and on the next line: shuffle {2}"),
    (rf"(?i:^ *(?:{EVERYONE}) may (?P<wrong>(?:{DOINGS})s?) .*$)", 'write: for each player in players:, and below it, indented: ask player "Do it?": ...'),
    (r"([\w.]+) (?P<wrong>has|have|holds|owns) (?:more than|over) (\w+) (\w+)", "write: (count of {3} in {1}.PLACE) > {2}"),
    (r"([\w.]+) (?P<wrong>has|have|holds|owns) (?:less than|fewer than|under) (\w+) (\w+)", "write: (count of {3} in {1}.PLACE) < {2}"),
    (r"([\w.]+) (?P<wrong>has|have|holds|owns) at least (\w+) (\w+)", "write: (count of {3} in {1}.PLACE) >= {2}"),
    (r"([\w.]+) (?P<wrong>has|have|holds|owns) (?:exactly )?(\d+) (\w+)", "write: (count of {3} in {1}.PLACE) = {2}"),
    (r"([\w.]+) (?P<wrong>are|were|was) (not )?(\w+)", "write: {1} is {2:then}{3}"),
    (rf"([\w.]+) is not (?P<wrong>{BESIDE}) ([\w.]+)", "write: (distance from {1} to {2}) != 1"),
    (rf"([\w.]+) is (?P<wrong>{BESIDE}) ([\w.]+)", "write: (distance from {1} to {2}) = 1"),
    (r"^ +(?:for )?each ([a-z]\w*)(?: in \w+)? (?:who|that|which) (?:is|are) (.+?) *:.*$", "write: for each {1} where {1} is {2}: ..."),
    (r"\b\w+ (?:who|that|which) (?:is|are) (not )?(\w+)", "write: where it is {1:then}{2}"),
    (r"^ +(for each [^:]+?) (?P<wrong>when) ([^:]+?) *:.*$", "write: {1} where {2}: ..."),
    (r"\b(?:all|any|every|no|count of|number of|each)(?: [a-z]\w*)+? (?P<wrong>when) (\w+)", "write 'where' instead of 'when'"),
    (r"\b(?P<wrong>adjacent|adjoining|neighbou?ring|connected) to (\S+)", "write: next to {1}"),
    (r"\b(?:to|on) (?:the |his |her |their )?(?P<wrong>left|right) of ([\w.]+)", "seats are numbers: the player where seat = {1}.seat + 1; after the last one comes the player where seat = 1"),
    (r"^ *(?:.*: *)?([\w.]+) (?P<wrong>(win|lose)s)\b(?! \d).*$", "write: {2} {1}"),
    (r"^ *(?:.*: *)?(?:end the game|game over|game ends?)\b.*$", "write: end game"),
    (r"^ *(?:.*: *)?end (?:the |of )?(?:turn|round|phase)\b.*$", "write: stop"),
    (rf"(?i:^ *(?:.*: *)?(?:{EVERYONE}) (?P<wrong>draws?) .*$)", "write: for each player in players: draw a CARD from PLACE to PLACE"),
    (rf"(?i:^ *(?:.*: *)?(?:{EVERYONE}) (?:must |may )?(?P<wrong>(?:{DOINGS})s?) .*$)", "write: for each player in players: ..."),
    (r"^ *(?:.*: *)?([\w.]+) may (?:draw|discard|move|take|pay|use|play|roll)\b.*$", 'write: ask {1} "Do it?": ...'),
    (r"^ *(?:.*: *)?([\w.]+) (?P<wrong>draws) (an? \w+|\d+ \w+).*$", "write: draw {2} from PLACE to {1}.PLACE"),
    (r"^ *(?:.*: *)?([\w.]+) (?P<wrong>takes) (an? \w+|\d+ \w+).*$", "write: move {2} from PLACE to {1}.PLACE; or, where it is a number: increase {1}.FIELD by 1"),
    (r"^ *(?:.*: *)?([\w.]+) (?P<wrong>gains|gets|receives|suffers) (\d+) (\w+).*$", "write: increase {1}.{3} by {2}"),
    (r"^ *(?:.*: *)?([\w.]+) (?P<wrong>loses) (\d+) (\w+).*$", "write: decrease {1}.{3} by {2}"),
    (r"^ *(?:.*: *)?([\w.]+) (?P<wrong>moves|goes) to (\S.*)$", "write: move {1} to {2}"),
    (r"^ *(?:.*: *)?([\w.]+) (?P<wrong>discards) (\S.*)$", "write: move {2} to {1}.PLACE"),
    (r"^ *(?:.*: *)?([\w.]+) (?P<wrong>rolls) (?:an? |the )?(\w+).*$", "write: let face = roll {2}"),
    (r"^ *(?:.*: *)?([\w.]+) chooses ((?:an?|the|one|\d+) \w+.*)$", "say what it is called from there on: {1} chooses target: {2}"),
    (r"^ *(?:.*: *)?(?P<wrong>put|place|return|discard) (?!of\b|\w+ *(?:\"|:|of\b))(.+?) (?:in|into|on|onto|to|back to) (\S.*)$", "write: move {1} to {2}"),
    (r"^ *(?:.*: *)?(?P<wrong>take) (.+?) from (?:the )?game\b.*$", "write: move {1} to box"),
    (r"^ *(?:.*: *)?(?P<wrong>take) (.+?) from (\S.*)$", "write: move {1} from {2} to PLACE"),
    (r"^ *(?:.*: *)?(?P<wrong>discard|gain|get|take|receive|spend) (\S.*)$", "say where it goes: move {1} to PLACE; an effect is called as {wrong}(...)"),
    (r"([\w.]+) (?P<wrong>has|have|owns|carries|holds) no (\w+)", "write: no {2} in {1}.PLACE"),
    (r"([\w.]+) (?P<wrong>has|have|owns|carries) (?:an? |the |any )?(\w+)", "write: any {2} in {1}.PLACE"),
    (r"([\w.]+) (?:is )?(?:at least|not less than) (\w+)", "write: {1} >= {2}"),
    (r"([\w.]+) (?:is )?(?:at most|up to|not more than) (\w+)", "write: {1} <= {2}"),
    (r"([\w.]+) is (?:greater|more|higher|larger|bigger) than (\w+)", "write: {1} > {2}"),
    (r"([\w.]+) is (?:less|fewer|lower|smaller) than (\w+)", "write: {1} < {2}"),
    (r"([\w.]+) (?:equals|is equal to|is the same as) (\w+)", "write: {1} = {2}"),
    (r"([\w.]+) (?:is not equal to|does not equal|isn't|<>|~=) *([\w.]+)", "write: {1} != {2}"),
    (r"([\w.]+) *=== *([\w.]+)", "write: {1} = {2}"),
    (r"(?<!is )(?:\bif |\bwhen |\band |\bor )([\w.]+) not in ([\w.]+)", "write: {1} is not in {2}"),
    (r"(?:\bif |\bwhen |\band |\bor )([\w.]+) in (\w+)", "write: {1} is in {2}"),
    (r"(?:\bif |\bwhen |\band |\bor )(?:there (?:is|are) )(?:an? |any )?(\w.*?)(?: *:.*)?$", "write: any {1}"),
    (r"\bwithin ([\w.]+ *[-+*/] *[\w.]+)", "put it in brackets: within ({1})"),
    (r"is not an? (\w+) (?P<wrong>as) (\w+)", "turn it round: if ... is a {1} as {2}: ..., and the rest below 'else'"),
    (r"\|\||&&", "write 'and' for &&, 'or' for ||"),
    (r"!([a-z][\w.]*)", "write: not {1}"),
    (r"\bfor each (\w+) in (?P<wrong>\[) *([^\]]+?) *\].*$", "write: for each {1} in THINGS where {1} is one of {2}: ..."),
    (r"\b(?:is )?(not )?in (?P<wrong>\[) *([^\]]+?) *\]", "write: is {1:then}one of {2}"),
    (r"(?<![\w.])(?P<wrong>\[) *([^\]]+?) *\]", "there are no brackets around several things: {1}"),
    (r"([\w.]+)\[ *(\d+) *, *(\d+) *\]", "a cell is named by its row and column: {1}_{2}_{3}"),
    (r"([\w.]+)\[ *-1 *\]", "write: the last THING in {1}"),
    (r"([\w.]+)\[.*?\]", "write: the first THING in {1}"),
    (r"([\w.]+)['’]s? +(\w+)", "write: {1}.{2}"),
    (r'\b(?P<wrong>[fbr])"', "leave it out: what stands in braces is filled in anyway"),
    (r"\b\d+[.,]\d+\b", "numbers are whole; count in halves or tenths instead"),
    (r"\b\d+ *%", "numbers are whole and there are no percentages; a die with so many faces says how likely something is"),
    (r"(\w+) *(?:\*\*|\^) *(\w+)", "there are no powers; write: {1} * {1}"),
    # declarations and hooks
    (r"\b(?P<wrong>set-up)\b", "write: setup"),
    (r"^(?P<wrong>once) (?:per|an?|each|every|in a) game,? *(before|after|instead of) (.+?) *:.*$", "write: {1} the first {2}: ..."),
    (r"^(?P<wrong>once) (?:per|an?|each|every) (\w+),? *(before|after|instead of) (.+?) *:.*$", "write: {2} {3} once per {1}: ..."),
    (r"^(before|after|instead of) (?P<wrong>an?|each|every|any|the) (?!first\b)\w+ (?!when\b|once\b)\w.*$", "name the effect that happens: {1} EFFECT(who): ..."),
    (r"^(before|after|instead of) (?P<wrong>\w+ing) .*$", "name the effect that happens: {1} EFFECT(who): ..."),
    (r"^(?P<wrong>whenever|upon|on|any time|each time|every time|as soon as) (?:an?|the|each|every|any|somebody|someone) .*$", "name the effect that happens: after EFFECT(who): ..."),
    (r"^ *place .*\bholds up to (\d+) (?P<wrong>\w+)(?:,.*)?$", "leave out '{wrong}': holds up to {1}"),
    (r"^ *place .*(?P<wrong>\bhidden|\bsecret|\bface[-_ ]?down|\bprivate|\bconcealed)\b.*$", "say who sees into it: seen by nobody, or of a player's own: seen by owner"),
    (r"^replace effect ([a-z]\w*) *:.*$", "write: replace effect {1}(): ..."),
    (rf"^(replace|remove) (?!(?:{DECLARED})\b)([a-z_]\w*)(?: *[(:].*)?$", "say what it is: {1} effect {2} ..."),
    (r"^when ([\w.]+) (?:is|becomes) empty\b.*$", "write: when {1} runs out: ..."),
    (r"^when ([\w.]+\([^()]*\)) *:.*$", "write: before {1}: ..., or: after {1}: ..."),
    (r"^when (.+?) *:.*$", "only an event starts something: after EVENT(...) when {1}: ..."),
    (r"^if (.+?) *:.*$", "only an event starts something: after EVENT(...) when {1}: ..."),
    (r"^ +when (.+?) *:.*$", "write: if {1}: ..."),
    (r"^(?P<wrong>at|on) (?:the )?(?:start|beginning) of (?:a |an |the |each |every )?(\w+).*$", "write: before {1}: ..."),
    (r"^(?P<wrong>at|on) (?:the )?end of (?:a |an |the |each |every )?(\w+).*$", "write: after {1}: ..."),
    (r"^(?P<wrong>each|every|during) (?:the )?(\w+) *:.*$", "write: before {1}: ..., or: after {1}: ..."),
    (r"^(before|after|instead of) (?:a|an|each|every|the) (?!first\b)(\w+).*$", "write: {1} {2}: ..."),
    (r"^instead (?!of\b)([\w.]+).*$", "write: instead of {1}: ..."),
    (r"^(?P<wrong>on|upon|whenever) ([\w.]+(?:\([^()]*\))?).*$", "write: before {1}: ..., or: after {1}: ..."),
    (r"^(before|after|instead of) (?!the\b)(\w+) (?!when\b|once\b)(\w+)(\(.*\))? *:.*$", "a name is one word: {1} {2}_{3}{4}: ..."),
    (r"^players\b.*$", 'a lone rules file says it in its first line: ruleset NAME "Title" for 2 to 4 players; a folder in its ruleset.yaml'),
    (r'^(?:layer \w+ over \w+(?: *, *\w+)*|ruleset \w+) +([A-Za-z][^"]*)$', 'a title stands in quotes: "{1}"'),
    (r"^layer (\w+) (?P<wrong>on|for|of|to|above|extends|from|on top of) (\w+).*$", "write: layer {1} over {2}"),
    (r"^(\w+) ([a-z]\w*) (?P<wrong>[A-Z]\w*)(?: [A-Z]?\w+)* *(?:x\d+)? *:?$", 'a label stands in quotes: {1} {2} "{wrong}"'),
    (r'^(\w+) +"_+(?: x\d+)?(?: .*)?$', 'it needs a name before its label: {1} some_name "..."'),
    (r"^(\w+) (\d+) (\w+)\b.*$", "copies are written after the name: {1} {3} x{2}"),
    (rf"^((?:replace )?(?:kind|effect|phase|number|value)) ([a-z]\w*) (?!(?:{JOINED}|gives)\b)([a-z]\w*) *(?:[(:=].*)?$", "a name is one word: {1} {2}_{3}"),
    (r"^([a-z]\w*) of ([a-z]\w*)(?:\([^()]*\))?$", "what something does is called with its name before it: {2}.{1}(...)"),
    (rf"^(?!(?:{DECLARED}|{HOOKED})\b)([a-z]\w*) ([a-z]\w*) (?!(?:{JOINED})\b)([a-z]\w*) *(?::.*)?$", 'a name is one word, and what is read stands in quotes: {1} {2}_{3} "{2:title} {3:title}"'),
    (rf"^(?!(?:{HOOKED})\b)([a-z]\w*) ([a-z]\w*) (?!(?:{JOINED})\b)([a-z]\w*) *(\"_*)(?: *x\d+)? *(?::.*)?$", "a name is one word: {1} {2}_{3} {4}"),
    (r"^number (\w+) (?:is |: *|to )?(-?\d+)$", "write: number {1} = {2}"),
    (r"^(\w+) (\w+) *(?:[*] *| x )(\d+).*$", "copies are written x{3}: {1} {2} x{3}"),
    (r"^(?:effect|value) \w+\((?:[^()]*, *)?(\w+) (\w+)\b.*$", "write the name, ':' and what it is, such as who: player"),
    (r"^ +(number|flag|text|int|bool|string) ([a-z]\w*)(?: *=.*)?$", "the name comes first, then what it is: {2}: {1}"),
    (r"\b([a-z]\w*)-([a-z]\w*)\b", "a name has no '-': write {1}_{2}"),
    (r"^ *(?:draw|move) .* (?P<wrong>into|onto|on) .*$", "write 'to' instead of '{wrong}'"),
    (r"^ *(?:die|track) .*\b\d+ *(?:\.\.|-|to\b).*$", "every face is written: 1, 2, 3, 4, 5, 6"),
    (r"\broll \d+ *(\w+).*$", "write: roll {1} + roll {1}"),
    (r"\broll (?:an? |the )(\w+).*$", "write: let face = roll {1}"),
    (r"\S.*\broll (\w+).*$", "roll it on a line before: let face = roll {1}"),
    (r"\bchooses? \w+: *(?:a number )?(?:from )?(\d+) *(?:to|\.\.|-) *(\d+).*$", "write: a number from {1} to {2}"),
    (r"\b(\d+) *(?:to|-) *(\d+)\b", "a range is written {1}..{2}"),
    (r"^ *(?:.*: *)?log [^\"'].*$", 'what is told stands in quotes, and names in it in braces: log "{{who}} is next."'),
    (r"^ *place .*: *(pile|row|area|bag)\b.*$", "write: a {1} ..."),
    (r"^.*[\w)](?P<wrong>\.)$", "leave out the full stop at the end"),
    (r"^.*(?P<wrong>,)$", "leave out the comma at the end: one line does one thing"),
    (r"^ *- .*$", "a list is not written with dashes here; each thing has a line of its own"),
    (r"^=.*$", "this is no sheet: a formula is written as value NAME: ..."),
)  # fmt: skip


class Habit(NamedTuple):
    """What to write instead, and the word to blame with its column, if it is not the one at which reading stopped."""

    advice: str
    wrong: str | None = None
    column: int = 0


@functools.cache
def _habits() -> list[tuple[re.Pattern[str], str]]:
    """The table, ready to be asked: most rules are read without."""
    return [(re.compile(found), advice) for found, advice in HABITS]


def habit(line: str, column: int) -> Habit | None:
    """The habit that a line shows at a column."""
    plain = TEXT.sub(lambda text: '"' + "_" * (len(text[0]) - 1), line).partition("#")[0].rstrip()
    for pattern, advice in _habits():
        for found in pattern.finditer(plain):
            if found.start() < column <= found.end() + 1:
                return _advice(pattern, found, line, advice)
    return None


class _Word(str):
    """A word of the author's, which advice may also show as labels are written, {1:title}, or with a blank behind it unless it is missing, {1:then}."""

    __slots__ = ()

    def __format__(self, how: str) -> str:
        return self.title() if how == "title" else f"{self} ".lstrip() if how == "then" else str(self)


def _advice(pattern: re.Pattern[str], found: re.Match[str], line: str, advice: str) -> Habit:
    """A habit with the author's own words filled in: {1}, {2} ... are the groups, without the one that is blamed."""
    blamed = pattern.groupindex.get("wrong")
    groups = [_Word(line[slice(*found.span(group))].strip()) for group in range(1, pattern.groups + 1) if group != blamed]
    if blamed is None:
        return Habit(advice.format(found[0], *groups))
    return Habit(advice.format(found[0], *groups, wrong=found["wrong"]), found["wrong"], found.start("wrong") + 1)


def meant_by(word: str) -> str | None:
    """What to write for a word of English that is none of the language."""
    if word == "one":
        return "write: a, or 1"
    if word in WRITTEN_OUT:
        return f"write: {WRITTEN_OUT.index(word)}"
    if word in SAME:
        return f"write: {SAME[word]}"
    return ELSEWHERE.get(word)

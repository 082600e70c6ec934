"""The rulebook of a ruleset as a page: what is written in the language, set so that people who play read it.

lexicon.py      what everything is called, in which language, and where in the page it stands; words.py has the words of the page itself
phrases.py      expressions in words
sentences.py    statements as lists
hooks.py        rules that change other rules, actions and costs
comments.py     what the comments of rules files say
history.py      what layers added, changed and took out
making.py       what every entry is made with
kinds.py, cards.py, declarations.py     what each sort of declaration says
entries.py      one declaration as an entry: its text, where it comes from, what layers did to it
chapters.py     entries by subject
flow.py         phases and steps, one after another
book.py         all of it as one page
pdf.py          the same on paper
"""

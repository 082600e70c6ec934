"""`rulewright bench`: how fast games are, as ratios where that can be had.

`by_hand` is the small games in plain Python, `subjects` what is measured, `flatness` whether a decision costs the same late in a long game and
with a full box, `command` the command line.
"""

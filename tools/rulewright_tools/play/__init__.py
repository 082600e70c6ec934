"""`rulewright play`: people at a terminal, alone, with bots, or in turn at one keyboard.

`session` is a game with those who play it; `canvas`, `board` and `panels` put a table into coloured text of which every piece knows what it is about; `plain` shows that
line by line and reads what is typed, `app` shows it on a whole screen with keys and mouse (textual). `command` is the command.
"""

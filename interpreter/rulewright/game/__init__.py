"""A game as callers meet it, over an engine that runs the core: decisions, choices, views, the log in words, undo, saves.

| module | what it knows |
|---|---|
| `decision` | what callers are shown of a decision, and how a game ended |
| `engine` | what a game asks of an engine; the reference |
| `decisions` | options and prompts in words |
| `views` | what each player sees |
| `log_text` | the log in words |
| `history` | checkpoints, undo, and where that has to stop |
| `sampling`, `references` | chance that is scripted or asked; of what the state still speaks |
| `inquiry`, `why_not` | what no rule asks: why something is not offered |
| `determinize`, `answers`, `renaming` | games as they could be, as far as a player can tell: what is dealt again, secret answers, of what the state speaks then |
| `memory`, `backs`, `secrets` | what a player could follow and read, as the log says it; where secret answers come to rest |
| `saving`, `validate_state` | saves and replays; whether a state from outside could be one |
| `game` | the public face |
"""

"""A process of its own that reads an uploaded ruleset, begins a game of it and makes a few choices: `python -m rulewright_tools.serve.trial FILE BYTES SECONDS`.

Exit 0 if that works, 1 with what is wrong if it does not. However it ends, nobody else notices.
"""

from __future__ import annotations

import contextlib
import sys

CHOICES = 30


def main(file: str, memory: int, seconds: int) -> int:
    """The trial."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    from rulewright.bots import make_bot
    from rulewright.errors import RulesError
    from rulewright.render import as_text
    from rulewright.rules import RulesetError, load

    try:
        rules = load(file)
        if "players" not in rules.graph["ruleset"]:
            raise ValueError("it says nowhere for how many players it is")
        game, bot = rules.new_game(), make_bot("random", 1)
        with contextlib.suppress(RulesError):  # a choice that cannot be carried out is told to who makes it
            for _ in range(CHOICES):
                if (decision := game.decision) is None:
                    break
                game.choose(bot.choose(game, decision))
    except RulesetError as error:
        print(as_text(error.diagnostics, error.texts, False, 20), file=sys.stderr)
        return 1
    except (RulesError, ValueError) as error:
        print(f"It cannot be played: {error}", file=sys.stderr)
        return 1
    except MemoryError:
        print("It asks for too much memory.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))

"""`python -m rulewright_tools`: the same as the `rulewright` command."""

from __future__ import annotations

import sys

from rulewright_tools.cli import main

if __name__ == "__main__":
    sys.exit(main())

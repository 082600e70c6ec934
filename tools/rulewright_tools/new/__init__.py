"""`rulewright new`: the beginning of a house rule, an expansion or a game, and of a component in one of them."""

"""`rulewright try`: a sandbox for authors. What is done in it is a scenario all the time (`trial`); `lines` reads what is typed and shows what came of it."""

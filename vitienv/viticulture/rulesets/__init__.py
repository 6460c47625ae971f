"""The rulesets: which numbers of `state.LEVERS` each of them changes, and the options that belong to it alone."""

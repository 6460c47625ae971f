"""From rule functions to machine code, and what is checked of them before: nothing here knows what a rule says."""

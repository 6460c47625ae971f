"""Information-set tree search over determinized games: `agent.IsmctsAgent`."""

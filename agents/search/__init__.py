"""Search over deals of what a seat cannot see: `agent.IsmctsAgent`."""

"""Language models as players: `llm:model=NAME,url=URL`."""

"""Learning from searched games, in files that other learners can read too (`train.train_search`)."""

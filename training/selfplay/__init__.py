"""Self-play: one network at all tables, its games, its updates and the loop over them (`train.train_selfplay`)."""

"""MaskablePPO of sb3-contrib against bots (`train.train`), and masked PPO in one file (`one_file`)."""

"""Can it be done? `asking`: questions that change nothing; `trying`: what is done on the record and taken back;
`acts`: an action of the board and its bonus; `visitors`: a card.

What only one operation asks about its own half-made choice stands beside it (`may_...`), as it reads its registers.
"""

"""How a position looks: in words (`text`)."""

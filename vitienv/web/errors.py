"""Errors of requests."""


class BadRequest(ValueError):
    """Invalid request; the message is shown to the person."""

"""x"""
def command() -> None:
    """x"""

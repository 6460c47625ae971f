"""Commands that only Viticulture has; its definition names them."""

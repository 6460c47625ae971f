"""The page without a server: `make page` puts it together, and its Python runs in a worker of the browser."""

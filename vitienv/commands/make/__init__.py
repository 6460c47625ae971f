"""What `make demo`, `make wasm`, `make page` and `make test-cuda` run."""

"""Documented limits of SuperSuit."""

import pytest
import supersuit

import vitienv


@pytest.mark.parametrize("wrap", [lambda env: supersuit.dtype_v0(env, "float32"), supersuit.flatten_v0])
def test_dict_spaces_are_unsupported(wrap):
    with pytest.raises(AttributeError, match="'Dict' object has no attribute 'low'"):
        wrap(vitienv.env()).reset(seed=1)

"""What SuperSuit cannot do, as the page says."""

import pytest
import supersuit

import vitienv


@pytest.mark.parametrize("wrap", [lambda env: supersuit.dtype_v0(env, "float32"), supersuit.flatten_v0])
def test_it_takes_no_dict_spaces(wrap):
    with pytest.raises(AttributeError, match="'Dict' object has no attribute 'low'"):
        wrap(vitienv.env()).reset(seed=1)

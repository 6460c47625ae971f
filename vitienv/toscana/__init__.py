"""Toscana: state, operations and the flow of the round. `COMPONENTS` says what of the game is reconstructed."""

from vitienv.toscana.components import COMPONENTS as COMPONENTS

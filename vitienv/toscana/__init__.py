"""Toscana: state, rule functions and the flow of a round. `COMPONENTS` lists the reconstructed components."""

from vitienv.toscana.components import COMPONENTS as COMPONENTS

"""What the parts that World adds need and do: a row for each, beside its verb, as those of cards have."""

from vitienv.viticulture.ops.parts import Parts
from vitienv.world.language import WorldPart

ADDED = Parts(WorldPart, speak=False)  # their sentences are in `language.WORDS`
part = ADDED.add

"""Registry of the parts that World adds; each part is registered next to its operation."""

from vitienv.viticulture.ops.parts import Parts
from vitienv.world.language import WorldPart

ADDED = Parts(WorldPart, speak=False)  # `language.WORDS` has the sentences
part = ADDED.add

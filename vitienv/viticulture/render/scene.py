"""Scene: a position as one viewer sees it, ready for drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from vitienv.core.frames import Frame
from vitienv.render import scene as common_scene
from vitienv.render.scene import scene_fields
from vitienv.viticulture.board import Bonus
from vitienv.viticulture.cards import CARD_NAMES
from vitienv.viticulture.enums import DECKS, N_BOARD_ACTIONS, N_DECKS, N_SPACES, N_STRUCTURES, STRUCTURES
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.observation import OBSERVATION
from vitienv.viticulture.render.pen import humanize
from vitienv.viticulture.rulesets.solo import BLOCKER
from vitienv.viticulture.state import Rule

HIDDEN = ""  # id of a card unknown to the viewer
SEASON_HEIGHT = 276.0  # height of the panel of a season
BONUS_WORDS = {
    Bonus.AGAIN: "once more", Bonus.DRAW: "+1 card", Bonus.LIRA: "+1 lira", Bonus.VP: "+1 point", Bonus.NONE: "",
}  # fmt: skip


@dataclass
class Scene(common_scene.Scene):
    """Game as one viewer sees it.

    panels: board panels of a ruleset with its own; season_height: height of its season panels. hands: by seat, (deck,
    id) of its cards, `HIDDEN` if unknown. in_play: cards being resolved. rival: owner of workers without a seat.
    """

    position: dict[str, Any]
    spaces: list[int]
    bonus: list[str]
    costs: dict[str, int]
    decks: dict[str, int]
    in_play: list[tuple[str, str]]
    hands: list[list[tuple[str, str]]]
    facts: list[str]
    decision: str | None
    blocker: int | None
    marker: int | None
    automa: list[str]
    panels: Sequence[Callable[[Any, Scene], None]] = ()
    season_height: float = SEASON_HEIGHT
    rival: str = "Automa"

    @property
    def seats(self) -> list[dict[str, Any]]:
        return self.position["seats"]


def scene_of(game: Any, viewer: int | None, names: list[str] | None, shell: Any = None) -> Scene:
    """Return the scene of a game. viewer, names: checked by `Game.svg`. shell: a variant in the form of Viticulture."""
    fields = scene_fields(game, viewer, names)
    game = shell or game
    position, rules = game.to_dict(), game.state.rules
    is_seen = [viewer in (None, seat) or game.options.open_hands for seat in range(game.num_players)]
    marker = position.get("automa_points")
    return Scene(
        **fields,
        position=position,
        headline=f"Year {game.year} · {humanize(position['season'])}" if game.year else "Set-up",
        spaces=[space for space in range(N_SPACES) if int(rules[Rule.SPACES]) >> space & 1],
        bonus=[BONUS_WORDS[Bonus(int(rules[Rule.BONUS_OF_ACT + act]))] for act in range(N_BOARD_ACTIONS)],
        costs={STRUCTURES[i]: int(rules[Rule.STRUCTURE_COST + i]) for i in range(N_STRUCTURES)},
        decks={deck: int(game.state.n_deck[i]) for i, deck in enumerate(DECKS)},
        in_play=_in_play(game, fields["main"]),
        hands=[_hand(hand, viewer, is_open) for hand, is_open in zip(position["seats"], is_seen, strict=True)],
        facts=_facts(game),
        decision=game.decision,
        blocker=1 if getattr(game.options, "automa_replacement", None) == BLOCKER else None,
        marker=marker,
        automa=_automa(game, position) if marker is not None else [],
    )


def _in_play(game: Any, seat: int) -> list[tuple[str, str]]:
    kinds = OBSERVATION.get(game.observation(seat), "in_play").ravel().nonzero()[0].tolist()
    top = game.state.frames[max(0, int(game.state.depth) - 1)]
    if top[Frame.OP] == FrameOp.CARAVAN:  # publicly revealed cards
        kinds += [int(kind) for kind in top[Frame.P0 : Frame.P0 + N_DECKS] if kind >= 0]
    return [_split(CARD_NAMES[kind]) for kind in kinds]


def _split(name: str) -> tuple[str, str]:
    deck, _, card = name.partition(":")
    return deck, card


def _hand(seat: dict[str, Any], viewer: int | None, is_seen: bool) -> list[tuple[str, str]]:
    hand = [(deck, card) for deck, cards in seat["hand"].items() for card in cards]
    if is_seen:
        return hand
    known_cards: list[tuple[str, str]] = []
    for name, knowledge in seat.get("shown", {}).items():
        deck, card = _split(name)
        # Vines have a count known to all, other cards a bit mask of the seats that know them.
        copies = knowledge if deck == "vine" else knowledge >> (viewer or 0) & 1
        known_cards += [(deck, card)] * min(copies, seat["hand"][deck].count(card))
    unknown = Counter(deck for deck, _ in hand) - Counter(deck for deck, _ in known_cards)
    return known_cards + [(deck, HIDDEN) for deck in DECKS for _ in range(unknown[deck])]


def _facts(game: Any) -> list[str]:
    rules, options = game.state.rules, game.options
    lines = [f"{humanize(options.ruleset)} rules"]
    if rules[Rule.LAST_YEAR]:
        lines.append(f"ends after year {int(rules[Rule.LAST_YEAR])}")
    else:
        lines.append(f"{int(rules[Rule.GOAL_VP])} points end the game")
    if options.limit:
        lines.append(f"cut off after year {options.limit}")
    return lines


def _automa(game: Any, position: dict[str, Any]) -> list[str]:
    options, rules = game.options, game.state.rules
    lines = [f"{position['automa_points']} points to beat"]
    if options.automa_replacement is None:
        lines.append(f"{len(position['automa_deck'])} cards left in its deck")
    lines.append(f"Level {options.difficulty.replace('_', ' ')}" + (", aggressive" if options.aggressive else ""))
    if options.challenge is not None:
        lines.append(f"Challenge {options.challenge} of the campaign")
    if rules[Rule.STAFF_YEAR]:
        lines.append(f"Full staff by the end of year {int(rules[Rule.STAFF_YEAR])}")
    if not rules[Rule.VP_IN_PLAY]:
        large, medium = int(rules[Rule.LARGE_WINE_VP]), int(rules[Rule.MEDIUM_WINE_VP])
        lines.append(f"Points a wine at the end: large cellar {large}, medium {medium}")
    if not rules[Rule.ORDERS]:
        lines.append("No orders can be filled")
    if position.get("lost"):
        lines.append("Lost before the end")
    return lines

"""Scene: a position as one viewer sees it, ready for drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vitienv.core.frames import Frame
from vitienv.render import scene as common_scene
from vitienv.viticulture.board import Bonus
from vitienv.viticulture.cards import CARD_IDS, DECK_OF_KIND
from vitienv.viticulture.enums import DECKS, N_BOARD_ACTIONS, N_DECKS, N_SPACES, N_STRUCTURES, STRUCTURES
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.observation import OBSERVATION
from vitienv.viticulture.positions.keys import is_blocker_seat
from vitienv.viticulture.render.pen import humanize
from vitienv.viticulture.state import Rule

HIDDEN = ""  # id of a card unknown to the viewer
SEASON_HEIGHT = 276.0  # height of the panel of a season
BONUS_WORDS = {
    Bonus.AGAIN: "once more", Bonus.DRAW: "+1 card", Bonus.LIRA: "+1 lira", Bonus.VP: "+1 point", Bonus.NONE: "",
}  # fmt: skip


class Scene(common_scene.Scene):
    """Game as one viewer sees it.

    position: the game as JSON, without what is hidden from the viewer. in_play: cards being resolved. hands: by seat,
    (deck, id) of its cards, `HIDDEN` if unknown. blocker: seat that only blocks. marker: points of the Automa.
    """

    panels: Sequence[Callable[[Any, Scene], None]]  # four panels of the board
    season_height = SEASON_HEIGHT
    rival = "Automa"  # owner of workers without a seat

    def __init__(self, game: Any, viewer: int | None, names: list[str] | None, shell: Any = None) -> None:
        """shell: a variant in the form of Viticulture."""
        super().__init__(game, viewer, names)
        self.aim, game = game.game_spec.text_module.aim(game), shell or game
        state, rules = game.state, game.state.rules
        self.position = game.to_dict() if viewer is None else game.view(viewer)
        self.seats: list[dict[str, Any]] = self.position["seats"]
        self.headline = f"Year {game.year} · {humanize(self.position['season'])}" if game.year else "Set-up"
        self.spaces = [space for space in range(N_SPACES) if int(rules[Rule.SPACES]) >> space & 1]
        self.bonus = [BONUS_WORDS[Bonus(int(rules[Rule.BONUS_OF_ACT + act]))] for act in range(N_BOARD_ACTIONS)]
        self.costs = {STRUCTURES[i]: int(rules[Rule.STRUCTURE_COST + i]) for i in range(N_STRUCTURES)}
        self.decks = {deck: int(state.n_deck[i]) for i, deck in enumerate(DECKS)}
        self.in_play = _in_play(game, self.main)
        self.hands = [_hand(seat) for seat in self.seats]
        self.decision = game.decision
        self.blocker = next((seat for seat in range(game.num_players) if is_blocker_seat(state, seat)), None)
        self.marker = self.position.get("automa_points")
        self.automa = [] if self.marker is None else _automa(game, self.marker)


def _in_play(game: Any, seat: int) -> list[tuple[str, str]]:
    kinds = OBSERVATION.get(game.observation(seat), "in_play").ravel().nonzero()[0].tolist()
    top = game.state.frames[max(0, int(game.state.depth) - 1)]
    if top[Frame.OP] == FrameOp.CARAVAN:  # publicly revealed cards
        kinds += [int(kind) for kind in top[Frame.P0 : Frame.P0 + N_DECKS] if kind >= 0]
    return [(DECKS[DECK_OF_KIND[kind]], CARD_IDS[kind]) for kind in kinds]


def _hand(seat: dict[str, Any]) -> list[tuple[str, str]]:
    hidden = {deck: n - len(seat["hand"][deck]) for deck, n in seat.get("cards", {}).items()}
    known_cards = [(deck, card) for deck, cards in seat["hand"].items() for card in cards]
    return known_cards + [(deck, HIDDEN) for deck, n in hidden.items() for _ in range(n)]


def _automa(game: Any, points: int) -> list[str]:
    options, rules = game.options, game.state.rules
    lines = [f"{points} points to beat"]
    if options.automa_replacement is None:
        lines.append(f"{int(game.state.automa_deck.sum())} cards left in its deck")
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
    if game.state.lost:
        lines.append("Lost before the end")
    return lines

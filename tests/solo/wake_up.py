"""The wake-up chart of a solo game: rows with a glass token, their bonuses, and the Organizer."""

from tests.table.fixtures import place

from .automa import CARDS
from .positions import ROWS, TO_WINTER, rule, spring, stand, summer, winter

BONUS = {1: "", 2: "vine+1", 3: "order+1", 4: "lira+1", 6: "vp+1", 7: "temporary+1"}

of = rule("Wake-up chart")
CHART = [
    *(of(f"only rows with a glass token: {tokens}", spring({"glass": tokens}), decision="wake_up",
         legal=[f"wake_up:{row}" for row in tokens]) for tokens in ([1], [7], [2, 5], [1, 3, 4, 6], [*range(1, 8)])),
    *(of(f"the token of row {row} moves to the mat, with its bonus", spring({"tokens": 2}, automa="16"),
         f"wake_up:{row}", gives=f"glass{row}-1 token+1 {bonus}", holds=[("seats.0.wake_up", row)])
      for row, bonus in BONUS.items()),
    of("row 5 chooses the kind of visitor before the Automa acts", spring(automa="02"), "wake_up:5",
       legal="deck:summer deck:winter", holds=[("board", {}), ("season", "spring")],
       ends=[f"glass5-1 token+1 {deck}+1 {stand(CARDS['02'][0])}" for deck in ("summer", "winter")]),
    of("the temporary worker stays for one year", spring(automa="16 01 07"),
       "wake_up:7", TO_WINTER, "pass wake_up:1", holds=[
           ("seats.0.workers", {"regular": 2, "grande": 1, "temporary": 0})]),
    of("a row whose token is gone is closed; tokens add up", spring(), *(
        f"wake_up:{row} pass deck:summer pass" for row in (4, 7, 1, 6)),
       legal=[f"wake_up:{row}" for row in (2, 3, 5)], holds=[("seats.0.bonus_tokens", 4)]),
    of("each row once in seven years", spring({"glass": [1, 3]}, year=6), "wake_up:1 pass deck:summer pass",
       legal="wake_up:3"),
]  # fmt: skip

of = rule("Difficulty levels, very easy")
EIGHTH_YEAR = [
    of("in the eighth year every row is open (ruling 9.14)", winter(
        {"glass": [], "tokens": 2}, year=7, difficulty="very_easy"), "pass", year=8, legal=ROWS),
    *(of(f"in the eighth year row {row} gives a token (ruling 9.14)",
         winter({"glass": [], "tokens": 2}, year=7, difficulty="very_easy", automa="16"), f"pass wake_up:{row}",
         holds=[("seats.0.bonus_tokens", 3)]) for row in (1, 4, 7)),
    of("the seventh year keeps its rows, very_easy", winter({"glass": [5]}, year=6, difficulty="very_easy"), "pass",
       legal="wake_up:5"),
]  # fmt: skip


def organizer(row, tokens, **seat):
    """Return a seat in `row` with the Organizer and glass tokens on the rows `tokens`."""
    return summer({"row": row, "glass": tokens, "summer": ["organizer"], **seat}, automa="01")


PLAYED = (place("play_summer_visitor"), "card:summer:organizer")
of = rule("Wake-up chart, Note")
ORGANIZER = [
    *(of(f"organizer to any free row but the seventh, token or not (ruling 9.11): {row}, {tokens}",
         organizer(row, tokens), *PLAYED, decision="move_rooster",
         legal=[f"wake_up:{other}" for other in range(1, 7) if other != row])
      for row in (1, 3, 6) for tokens in ([], [2], [*range(1, 8)])),
    of("organizer may leave row seven", organizer(7, [*range(1, 7)], temporary=1), *PLAYED, legal=ROWS[:6]),
    of("organizer leaves the temporary worker of row seven", organizer(7, [*range(1, 7)], regular=1, temporary=1),
       *PLAYED, "wake_up:4 deck:summer", gives="lira+1 summer+1"),
    *(of(f"organizer brings the bonus of row {row}, no token (ruling 9.11), and the pass; tokens on {tokens}",
         organizer(1, tokens), *PLAYED, f"wake_up:{row}", holds=[("season", "fall"), ("seats.0.wake_up", row)],
         ends=[f"{BONUS[row]} {deck}+1" for deck in ("summer", "winter")])
      for row in (2, 3, 4, 6) for tokens in ([], [2, 3, 4, 6])),
    of("organizer leaves the row's token for a later year", organizer(1, [4, 5]), *PLAYED, "wake_up:4 deck:summer pass",
       legal="wake_up:4 wake_up:5"),
    of("organizer with a token: the second visitor precedes the pass",
       summer({"tokens": 1, "summer": ["organizer", "banker"]}), place("play_summer_visitor"), "yes",
       "card:summer:organizer wake_up:6", decision="play_visitor", holds=[("season", "summer")]),
    of("organizer with a token: the banker, then the pass",
       summer({"tokens": 1, "summer": ["organizer", "banker"]}), place("play_summer_visitor"), "yes",
       "card:summer:organizer wake_up:6 card:summer:banker", decision="choose_deck", holds=[
           ("season", "fall"), ("seats.0.lira", 5), ("seats.0.victory_points", 1)]),
    of("without workers the summer ends without a pass", summer({"regular": 1, "grande": 0}), place("give_tour"),
       decision="choose_deck", holds=[("season", "fall")]),
]  # fmt: skip

CASES = [*CHART, *EIGHTH_YEAR, *ORGANIZER]

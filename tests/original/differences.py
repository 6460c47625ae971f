"""Comparison of the manual of the original edition with the Essential Edition, point by point, with tests.

A row is one line: number, rule, Essential Edition, and original edition (the manual, or the implementation where the
manual is silent). Its tests or lists of cases follow, or after a dash the reason why there are none. They cite the
number as "row". Maintained by hand; test_differences.py fails for a missing row or an unknown test.
"""

from typing import NamedTuple

TEXT = """
# What is in the box
1 | visitors | 38 for summer, 38 for winter | 20 and 20
    test_visitor_decks.py::test_number_of_copies_of_every_card
    test_visitor_decks.py::test_random_games_draw_exactly_the_forty
    test_visitor_decks.py::test_deck_is_exhausted_after_twenty_cards
2 | vines and orders | 42 and 36 | the same
    test_visitor_decks.py::test_number_of_copies_of_every_card
3 | mamas and papas | 18 and 18 | none
    test_setup.py::test_no_parents
    ../engine/test_options.py::test_options_of_other_rulesets_raise
4 | cards for the fields | three each | none
    - where a field is printed makes no difference in play
5 | a game for one | against the Automa | none
    ../engine/test_options.py::test_invalid_options_raise_in_one_line
    ../engine/test_options.py::test_options_of_other_rulesets_raise
6 | players | one to six | two to six
    test_options.py::test_two_to_six_players
    ../engine/test_options.py::test_invalid_options_raise_in_one_line
    test_games.py::test_game_ends_with_the_year_of_twenty_points
7 | the board | one | two sides
    - how the sides differ is not known, so one board is played
8 | the mats | plain | two sides
    - how the sides differ is not known, so one mat is played
9 | figures | five workers a colour, a grande each, one grey | the same in play
    shared.py::FIVE_WORKERS
10 | glass tokens | 50 | 60
    - the supply limits nobody in either edition
11 | coins | 72 | 108
    - the supply limits nobody in either edition
12 | casual rule for bonus spaces | may be agreed on | not there: the option is refused
    ../engine/test_options.py::test_options_of_other_rulesets_raise
# Set-up
13 | workers at the start | from the parents | two and the grande
    test_setup.py::test_initial_seats_are_equal
14 | cards at the start | from the mama | a pinot, set aside first, and one summer visitor at random
    test_setup.py::test_initial_seats_are_equal
    test_setup.py::test_dealt_pinots_leave_the_deck
    test_setup.py::test_other_decks_after_the_deal
    test_setup.py::test_initial_visitor_is_random
15 | money at the start | from the parents | 3 lira
    test_setup.py::test_initial_seats_are_equal
16 | a structure or a point at the start | perhaps from the papa | none
    test_setup.py::test_initial_seats_are_equal
17 | choosing among parents | a variant | not there: the option is refused
    test_setup.py::test_no_parents
    ../engine/test_options.py::test_options_of_other_rulesets_raise
18 | fields | 5, 6 and 7 | number and size not said: three of 6, and an option
    test_setup.py::test_three_empty_fields
    test_fields.py::test_field_capacity_is_six
    test_fields.py::test_option_field_capacities
    test_fields.py::test_field_names
19 | first player | drawn | random
    test_setup.py::test_first_player_is_random
# Seasons and actions
20 | wake-up rows | nothing, vine, order, lira, visitor, point, temporary worker | the same
    shared.py::WAKE_UP
21 | bonus of the visitor actions | one visitor more | none by the letter, one more in the second edition's preset
    actions.py::SECOND_VISITOR
22 | what is sold | grapes or a field | grapes
    actions.py::SELLING
23 | bonus of selling | a point | a lira
    actions.py::SELLING
24 | least number of grapes sold | one | not said: one, because an action must be done
    actions.py::SELLING
25 | bonus of building | gain a lira | a lira off; the same in effect
    actions.py::BUILDING
26 | one of each structure | said | not said: kept
    structures.py::PRICES
27 | the cart | summer and winter, no limit | winter only; no limit is taken over
    actions.py::NO_CART
    shared.py::CART
28 | price of training | 4 | 1 by the letter, 4 in the second edition's preset, and an option
    actions.py::TRAINING
29 | bonus of training | gain a lira | a lira off; the same in effect
    actions.py::TRAINING
30 | trained workers | from next year; five and the grande at most | not said: kept
    actions.py::TRAINING
    shared.py::FIVE_WORKERS
31 | making wine | two wines, a third as bonus | the same; elsewhere two grapes, which is taken for a slip
    wine.py::LOST
    shared.py::WINE
32 | bonus of filling an order | a point | a point
    shared.py::BONUSES
33 | other bonuses | one more of the same; a lira for the tour | the same
    shared.py::BONUSES
34 | duty | the action must be done, the bonus may be left | the first is said, the second taken over
    actions.py::NO_CART
    shared.py::BONUSES
35 | fall | one visitor, with a cottage one before it | one visitor, with a cottage two at once; played alike
    shared.py::FALL
36 | end of the winter | when workers are used up, or by passing | by passing
    shared.py::TURNS
37 | after a pass | out for the season | the same
    shared.py::TURNS
    actions.py::NO_CART
38 | trading | forbidden | not mentioned
    - no action exists by which players could trade
# Workers
39 | grande on a full action | allowed, no bonus | the same
    shared.py::SPACES
    shared.py::BONUSES
40 | grande on a free bonus space | has the bonus | not said: kept
    shared.py::BONUSES
41 | where the grande is special | on the board | not said: kept
    shared.py::YOKE
42 | temporary worker | a regular worker for a year | the same
    shared.py::TEMPORARY
    shared.py::YEAR_END
43 | spaces in use | one for two, two for three and four, three for more | the same
    shared.py::SPACES
# Structures
44 | prices of six structures | trellis 2, yoke 2, windmill 5, tasting room 6, cottage 4, medium cellar 4 | the same
    structures.py::PRICES
45 | price of irrigation | 3 | 2
    structures.py::PRICES
46 | price of the large cellar | 6 | missing: 6, and an option
    structures.py::PRICES
    structures.py::MISSING_PRICE
    structures.py::CARDS
47 | tasting room | a point for a tour if there is a wine, once a year | a point for a tour, once a year
    structures.py::TASTING_ROOM
    shared.py::TASTING_ROOM
48 | windmill | a point for planting, once a year | the same
    shared.py::WINDMILL
49 | yoke | uproots or harvests once a year, in any season | by the letter it uproots in summer, harvests in winter
    shared.py::YOKE
    structures.py::BY_SEASON
50 | cards that speak of prices | irrigation counts as 3 | irrigation counts as 2
    structures.py::CARDS
# Vines, grapes, wine, orders
51 | how much a field holds | what its card says | not said: see 18
    test_fields.py::test_field_capacity_is_six
    shared.py::PLANT
    test_fields.py::test_landscaper_respects_capacities
52 | harvest | a sum of each colour, once a year for each field | the same
    shared.py::HARVEST
    structures.py::BY_SEASON
53 | a taken place | the next lower; without one no wine is made | the next lower; without one the token is lost
    wine.py::LOST
    shared.py::WINE
    shared.py::HARVEST
54 | blush | medium cellar, 4 or more | the same
    shared.py::WINE
55 | sparkling | two red, one white, large cellar, 7 or more | the same
    shared.py::WINE
56 | a better wine for an order | allowed | allowed
    shared.py::ORDERS
57 | residual payments | 5 at most, paid every year | the same
    shared.py::ORDERS
# Year end and score
58 | year end | age, workers, payments, seven cards, marker, roosters | the same
    shared.py::YEAR_END
59 | goal | 20 points end the game with the year | the same
    shared.py::GOAL
60 | most points | no limit | 25
    points.py::LIMITS
    test_games.py::test_points_above_25_are_lost
61 | fewest points | -5, and no card that needs to go below | the same
    shared.py::VISITORS
    points.py::LIMITS
62 | ties | lira, then wine, then grapes | the same
    shared.py::TIES
63 | empty decks | reshuffled from their discards; without any, closed | the same
    test_visitor_decks.py::test_discards_are_reshuffled
    test_visitor_decks.py::test_exhausted_deck_closes_its_action
    test_visitor_decks.py::test_fall_is_skipped_without_visitors
# Visitors
64 | playing a visitor | only if it can be resolved whole | the same
    shared.py::VISITORS
    test_cards.py::test_cards_are_the_same_in_both_rulesets
65 | Buyer | a grape for 2 lira, or 2 lira and a point for a grape | the manual says otherwise; the card is followed
    points.py::CARDS
66 | Marketer | two visitors and a lira, or an order and a point | the manual's example is one of the two
    points.py::CARDS
67 | Professor | 2 lira to train, or 2 points with six workers | another card's text; the card is followed
    test_cards.py::test_professor_trains_for_two_for_next_year
    points.py::CARDS
68 | Promoter | a point and a residual payment | printed twice; the later text is followed
    points.py::CARDS
69 | visitors that move workers or roosters | Planner, Manager, Organizer, Producer, Motivator | not among the forty
    test_visitor_decks.py::test_later_visitors_raise
"""


class Row(NamedTuple):
    """One point of the comparison."""

    number: int
    rule: str
    essential: str
    original: str
    tests: list[str]
    reasons: list[str]


def read(text):
    rows = []
    for line in text.strip().splitlines():
        if line.startswith("    - "):
            rows[-1].reasons.append(line[6:])
        elif line.startswith("    "):
            rows[-1].tests.append(line.strip())
        elif not line.startswith("#"):
            number, rule, essential, original = line.split(" | ")
            rows.append(Row(int(number), rule, essential, original, [], []))
    return rows


ROWS = read(TEXT)

"""The rules of World, W1 to W110, and open points, O1 to O50, with their tests, or the reason why there is none.

Most are said by cases, `tests/world/cases/`. Other tests are called by their file below this folder and their name,
both without `test_`.
"""

# Rules and points whose cases have their number.
CASED = (
    "W1 W3 W4 W5 W6 W7 W8 W9 W11 W12 W31 W32 W33 W34 W35 W36 W37 W38 W39 W40 W41 W42 W43 W44 W45 W46 W47 W48 W49 "
    "W50 W51 W52 W53 W54 W55 W56 W57 W58 W59 W60 W61 W62 W63 W64 W65 W66 W68 W69 W70 W72 W73 W74 W75 W76 W77 W78 "
    "W79 W80 W81 W82 W83 W85 W86 W87 W88 W89 W90 W91 W92 W93 W94 W95 W99 W100 W105 W106 W107 W108 O13 O17 O18 O19 "
    "O21 O22 O23 O26 O27 O28 O31 O32 O34 O37 O38 O39 O49 "
).split()
# Those that the cases of another rule say.
WITHIN = {
    "W20": "W52", "W33": "W34", "W71": "W76", "O2": "W53", "O4": "W34", "O5": "W68", "O6": "W42", "O7": "W60",
    "O12": "W52", "O20": "W47", "O24": "W66", "O25": "W63", "O29": "W70", "O33": "W85", "O35": "W85",
    "O36": "W94", "O45": "W68", "O46": "W55", "O47": "W56", "O48": "W57", "W92": "W87",
}  # fmt: skip
# What no single turn shows.
BESIDE: dict[str, tuple[str, ...]] = {
    "W1": ("games.random_games_keep_every_invariant",),
    "W2": ("setup.one_to_six_seats_and_two_if_not_given",),
    "W3": ("year.always_six_years_however_many_points",),
    "W7": ("year.points_start_at_zero",),
    "W12": ("setup.no_space_has_a_bonus_at_the_start",),
    "W13": ("setup.seven_continents",),
    "W14": (
        "setup.a_continents_set_up_comes_after_the_red_cards_and_before_the_blue_cards_gifts",
        "setup.europe_gives_an_order_and_two_aims_each",
    ),
    "W15": ("year.in_a_first_game_the_cards_come_in_order",),
    "W16": ("year.in_later_games_six_of_all_cards_come_in_any_order", "setup.wrong_options_are_told_in_one_line"),
    "W17": (
        "setup.fourteen_rectangles_and_twelve_ovals_in_two_stacks",
        "data.two_rectangles_are_for_the_partner_alone",
    ),
    "W18": ("setup.the_token_starts_by_the_number_of_seats", "data.the_token_starts_where_the_seats_say"),
    "W19": ("setup.the_year_token_starts_on_the_first_year_and_residual_at_zero",),
    "W21": ("setup.grande_and_four_regulars_two_under_each_hat_whatever_the_cards_say", "cases.starts"),
    "W22": ("setup.the_year_token_starts_on_the_first_year_and_residual_at_zero",),
    "W23": ("setup.a_red_and_a_blue_card_each", "setup.every_gift_of_a_blue_card"),
    "W24": ("setup.mixed_parents_leave_out_the_two_who_give_a_worker",),
    "W25": ("setup.no_seat_has_a_token_of_the_first_player_beyond_being_asked_first",),
    "W26": ("setup.incompatible_visitors_are_in_no_deck", "data.eight_visitors_are_left_out"),
    "W30": ("year.spring_is_the_event_then_tiles_then_the_ring",),
    "W32": ("year.two_of_each_shape_are_turned_up_each_spring_and_the_rest_is_discarded",),
    "W65": ("plain/arrows.boards_full_of_ovals",),
    "W66": ("plain/arrows.boards_full_of_ovals",),
    "W67": ("data.neighbours_lie_in_four_rows_that_do_not_wrap",),
    "W84": ("year.a_reveal_gives_to_every_seat_in_spring",),
    "W87": ("year.counts_start_anew_each_year",),
    "W96": ("data.every_continent_can_give_three_steps_or_more",),
    "W97": ("alone.one_seat_plays_beside_the_partner_if_nothing_else_is_said",),
    "W98": (
        "alone.a_card_each_season_puts_four_workers_and_three_lira",
        "alone.its_workers_block_free_spaces_and_nothing_else",
        "alone.it_may_innovate_or_buy_a_step_from_its_own_purse",
        "alone.one_trades_with_it_without_its_consent",
        "alone.cards_that_it_gets_are_discarded",
    ),
    "W99": ("setup.fourteen_rectangles_and_twelve_ovals_in_two_stacks",),
    "W100": ("setup.alone_visitors_that_act_through_others_are_out",),
    "W101": ("setup.seven_continents",),
    "W103": ("setup.numbers_for_study_are_options",),
    "W104": ("data.eight_visitors_are_left_out", "setup.incompatible_visitors_are_in_no_deck"),
    "W105": ("alone.trainers_stay_in_the_deck_if_they_take_off_hats",),
    "O1": ("data.prices_of_board_and_rectangles",),
    "O3": ("setup.the_token_starts_by_the_number_of_seats",),
    "O8": ("data.the_other_reading_of_the_letters_is_data",),
    "O9": ("data.what_is_a_stand_in_says_so", "commands.components_are_listed_with_what_is_a_stand_in"),
    "O10": ("setup.fourteen_rectangles_and_twelve_ovals_in_two_stacks", "data.what_is_wrong_is_told_in_one_line"),
    "O11": ("data.points_of_a_rectangle_come_with_all_of_it",),
    "O13": ("setup.no_seat_has_a_token_of_the_first_player_beyond_being_asked_first",),
    "O14": ("setup.a_continents_set_up_comes_after_the_red_cards_and_before_the_blue_cards_gifts",),
    "O15": ("year.a_reveal_gives_to_every_seat_in_spring",),
    "O16": ("setup.incompatible_visitors_are_in_no_deck",),
    "O17": ("games.a_trade_tells_what_was_said_and_no_card",),
    "O37": ("year.lira_of_a_boost_may_pay_for_the_action",),
    "O41": ("year.the_margin_is_by_what_is_missing",),
    "O42": ("setup.wrong_options_are_told_in_one_line",),
    "O43": (
        "alone.one_seat_plays_beside_the_partner_if_nothing_else_is_said",
        "alone.a_card_each_season_puts_four_workers_and_three_lira",
    ),
    "O50": ("data.eight_visitors_are_left_out",),
}


def of(rule: str) -> tuple[str, ...]:
    """Its tests; `cases.W1:` is all its cases."""
    cases = [name for name in (rule, WITHIN.get(rule)) if name in CASED]
    return (*(f"cases.{name}:" for name in cases), *BESIDE.get(rule, ()))


_all = sorted({*CASED, *WITHIN, *BESIDE}, key=lambda rule: int(rule[1:]))
TESTS = {rule: of(rule) for rule in _all if rule[0] == "W"}
OPEN = {point: of(point) for point in _all if point[0] == "O"}

# Rules without a test of their own here, and why.
NONE: dict[str, str] = {
    "W10": "structure cards, Moor and Rhine visitors are not in the project: there is no option to refuse",
    "W27": "open and closed hands are the option `open_hands`, which all rulesets share; tests/engine/test_hidden.py",
    "W28": "talk is no part of the game's rules; each decision is one seat's own, as everywhere",
    "W29": "a reading of the word on cards, which are the others'; tests/cards has them",
    "W102": "nothing is carried from one game to the next: there is nothing to test",
    "W109": "an option of competitive games, which the project does not offer",
    "W110": "left out on purpose",
}

# Rules that are not done yet, and why.
NOT_YET: dict[str, str] = {}

# Open points without a test of their own, and why.
OPEN_NONE: dict[str, str] = {
    "O30": "cards that ask those who have passed are the others'; tests/cards has them",
    "O40": "which numbers may be turned is no rule of a game",
    "O44": "a bot as a partner is a seat like any other",
}

"""The rules of World, W1 to W110, with their tests, or the reason why there is none; and open points with theirs.

A test is called by its file and its name, both without `test_`.
"""

TESTS: dict[str, tuple[str, ...]] = {
    "W1": ("actions.core_actions_are_at_base_strength", "games.random_games_keep_every_invariant"),
    "W2": ("setup.one_to_six_seats_and_two_if_not_given",),
    "W3": ("year.always_six_years_however_many_points",),
    "W4": ("year.all_win_or_all_lose_by_both_conditions",),
    "W5": ("year.all_win_or_all_lose_by_both_conditions", "games.all_agents_end_together_with_one_reward"),
    "W6": ("year.what_counts_is_the_state_at_the_end",),
    "W7": (
        "year.points_start_at_zero_and_have_no_upper_limit",
        "actions.no_point_is_lost_at_the_floor_and_no_grape_gained_without_a_slot",
    ),
    "W8": ("year.thirty_points_bring_influence_once_for_each_seat_and_at_once",),
    "W9": ("year.the_token_stays_at_the_end_of_its_track", "games.random_games_keep_every_invariant"),
    "W11": ("setup.one_space_of_each_action_to_three_seats_and_two_from_four_on",),
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
    "W20": ("tiles.action_f_sells_grapes_or_a_field",),
    "W21": (
        "setup.grande_and_four_regulars_two_under_each_hat_whatever_the_cards_say",
        "workers.four_regulars_and_a_grande_for_everybody",
    ),
    "W22": ("setup.the_year_token_starts_on_the_first_year_and_residual_at_zero",),
    "W23": ("setup.a_red_and_a_blue_card_each", "setup.every_gift_of_a_blue_card"),
    "W24": ("setup.mixed_parents_leave_out_the_two_who_give_a_worker",),
    "W25": ("setup.no_seat_has_a_token_of_the_first_player_beyond_being_asked_first",),
    "W26": ("setup.incompatible_visitors_are_in_no_deck", "data.eight_visitors_are_left_out"),
    "W30": ("year.spring_is_the_event_then_tiles_then_the_ring",),
    "W31": ("continents.a_tax_is_paid_and_who_cannot_pay_cannot_take_the_action",),
    "W32": ("tiles.two_of_each_shape_are_turned_up_each_spring_and_the_rest_is_discarded",),
    "W33": ("year.any_free_position_of_the_ring_and_its_benefit_at_once",),
    "W34": (
        "year.any_free_position_of_the_ring_and_its_benefit_at_once",
        "year.the_first_position_gives_nothing_but_the_first_turn",
    ),
    "W35": ("year.the_same_order_in_winter", "workers.turns_go_by_the_ring_and_a_pass_is_final"),
    "W36": ("workers.a_hatted_worker_is_placed_in_its_own_season_only",),
    "W37": ("workers.trained_workers_are_placed_in_both_seasons",),
    "W38": ("workers.each_worker_is_placed_once_a_year",),
    "W39": ("workers.the_grande_joins_an_action_whose_spaces_are_taken",),
    "W40": ("workers.only_a_trained_worker_gains_the_bonus_of_an_oval_once",),
    "W41": (
        "workers.the_yoke_is_a_place_of_ones_own_under_the_rules_of_hats",
        "workers.greengullys_card_is_a_place_in_both_seasons_under_the_rules_of_hats",
    ),
    "W42": ("workers.the_lira_place_takes_any_number_in_both_seasons_for_a_lira_each",),
    "W43": (
        "trade.a_grande_beside_any_worker_of_another_seat_may_trade",
        "trade.a_trade_is_with_exactly_one_of_several_seats",
        "trade.crowding_in_on_a_full_action_counts_as_placing",
    ),
    "W44": ("trade.vines_and_orders_are_picked_by_their_owner_and_visitors_are_not_traded",),
    "W45": ("trade.taking_without_giving_is_a_trade_and_nothing_for_nothing_is_none",),
    "W46": (
        "trade.lira_for_nothing_is_a_trade_before_the_action",
        "trade.a_refusal_ends_the_chance_and_another_comes_after_the_action",
        "trade.once_agreed_there_is_no_second_trade",
    ),
    "W47": (
        "trade.tokens_arrive_by_the_rules_for_arriving_tokens",
        "trade.a_token_that_would_find_no_slot_is_not_offered",
    ),
    "W48": ("trade.nobody_else_starts_a_trade_and_a_yoke_is_private", "trade.a_trade_on_an_event_card"),
    "W49": ("workers.turns_go_by_the_ring_and_a_pass_is_final",),
    "W50": ("actions.the_letters_of_both_seasons", "workers.summer_and_winter_have_eight_actions_each"),
    "W51": (
        "actions.core_actions_are_at_base_strength",
        "actions.an_action_must_be_possible_at_least_minimally",
    ),
    "W52": ("tiles.action_f_sells_grapes_or_a_field",),
    "W53": (
        "actions.an_exchange_loses_one_thing_and_gains_one",
        "actions.two_cards_for_two_cards_of_one_deck_or_two",
    ),
    "W54": ("tiles.innovating_costs_four_lira_and_a_tile_on_show",),
    "W55": ("tiles.a_rectangle_goes_on_its_letter_for_everybody_and_for_good",),
    "W56": tuple(
        f"tiles.rectangle_{what}"
        for what in (
            "a_gives_two_vines_and_any_card", "b_gives_a_point_with_the_second_visitor",
            "d_builds_two_for_a_lira_less_and_a_point_for_both", "e_plants_two_and_a_point_for_both",
            "g_exchanges_twice_and_gives_a_lira", "i_gives_two_orders_and_any_card",
            "k_harvests_two_fields_and_ages_a_grape", "m_makes_four_wines",
            "o_sells_two_wines_and_a_point_for_both", "p_buys_up_to_two_steps_for_six_lira_each",
        )
    ) + ("workers.the_rectangle_of_training_takes_two_hats_for_one_price",),
    "W57": ("tiles.rectangle_d_builds_two_for_a_lira_less_and_a_point_for_both",),
    "W58": ("tiles.rectangle_f_buys_a_grape_by_the_row",),
    "W59": ("tiles.an_oval_goes_on_any_action_of_either_season_that_has_none",),
    "W60": (
        "tiles.covering_brings_or_costs_what_is_printed_there",
        "tiles.who_cannot_pay_for_covering_puts_the_tile_elsewhere",
    ),
    "W61": ("tiles.workers_there_move_onto_the_oval_and_gain_nothing",),
    "W62": ("workers.an_oval_takes_any_number_and_is_never_full",),
    "W63": ("workers.only_a_trained_worker_gains_the_bonus_of_an_oval_once",),
    "W64": ("tiles.what_each_plain_oval_gives",),
    "W65": ("tiles.every_pair_of_ovals_gives_what_the_plain_version_says",),
    "W66": (
        "tiles.random_boards_of_arrows_give_what_the_plain_version_says",
        "tiles.arrows_cross_the_seasons_and_do_not_wrap",
    ),
    "W67": ("data.neighbours_lie_in_four_rows_that_do_not_wrap",),
    "W68": ("year.one_of_three_benefits_at_the_own_summer_pass",),
    "W69": ("year.nobody_gets_the_essential_fall_visitor_and_cottages_draw_when_all_have_passed",),
    "W70": ("year.nobody_gets_the_essential_fall_visitor_and_cottages_draw_when_all_have_passed",),
    "W71": ("workers.a_winter_pass_ends_the_seats_year_and_frees_its_spaces",),
    "W72": ("actions.the_letters_of_both_seasons", "workers.summer_and_winter_have_eight_actions_each"),
    "W73": (
        "workers.training_takes_the_hat_of_any_own_regular_for_four_lira",
        "workers.the_worker_just_placed_may_lose_its_hat",
    ),
    "W74": ("actions.a_wine_is_sold_for_its_value",),
    "W75": ("actions.influence_costs_eight_lira_a_step_and_not_at_the_end_of_the_track",),
    "W76": (
        "workers.a_winter_pass_ends_the_seats_year_and_frees_its_spaces",
        "workers.the_temporary_worker_returns_at_its_owners_pass",
    ),
    "W77": ("workers.a_winter_pass_ends_the_seats_year_and_frees_its_spaces",),
    "W78": ("year.at_the_own_winter_pass_five_cards_are_kept",),
    "W79": ("workers.who_has_no_usable_worker_passes_with_all_that_a_pass_brings",),
    "W80": ("year.tiles_on_the_board_stay_and_the_year_token_goes_on",),
    "W81": (
        "continents.a_space_must_be_possible_at_least_minimally",
        "continents.other_spaces_belong_to_the_season_they_name_and_have_their_price",
    ),
    "W82": (
        "continents.a_boost_gives_the_taker_once_a_taking",
        "continents.a_boost_for_all_once_a_year_for_each_seat",
        "continents.a_boost_for_trained_workers_alone_and_one_with_a_price",
        "continents.a_discount_is_off_each_structure_of_this_taking",
    ),
    "W83": ("continents.a_tax_is_paid_and_who_cannot_pay_cannot_take_the_action",),
    "W84": ("continents.a_reveal_gives_to_every_seat_in_spring",),
    "W85": (
        "continents.a_goal_of_the_team_is_met_as_soon_as_it_is_true_and_once",
        "continents.a_goal_for_each_seat_is_checked_at_the_years_end",
        "continents.a_goal_of_at_most_so_many",
        "continents.a_goal_for_any_seat",
    ),
    "W86": (
        "continents.another_hand_limit_for_a_year",
        "continents.a_year_in_which_grapes_do_not_age_and_one_of_smaller_payments",
        "continents.a_year_in_which_wine_counts_less_and_brings_money_and_points",
    ),
    "W87": ("continents.counts_start_anew_each_year", "actions.deeds_are_counted"),
    "W88": ("continents.a_penalty_takes_only_what_is_there",),
    "W89": (
        "continents.greengully_gives_influence_when_the_uses_reach_the_number_of_seats",
        "continents.what_the_cards_of_greengully_give",
    ),
    "W90": (
        "continents.asia_rewards_every_so_many_trades_and_three_times_a_game",
        "continents.asia_alone_counts_exchanges",
    ),
    "W91": ("continents.oceania_rewards_good_wines_sold",),
    "W92": ("continents.south_america_rewards_harvests_at_the_years_end",),
    "W93": ("continents.europe_turns_over_aims_and_rewards_them",),
    "W94": ("continents.north_america_may_pay_together_once_a_year_and_three_times_a_game",),
    "W95": (
        "continents.africa_rewards_irrigation_and_three_planted_fields_once_each",
        "continents.africa_asks_a_lira_more_for_a_vine_that_needs_irrigation",
    ),
    "W96": ("continents.every_continent_can_give_three_steps_or_more",),
    "W97": ("alone.one_seat_plays_beside_the_partner_if_nothing_else_is_said",),
    "W98": (
        "alone.a_card_each_season_puts_four_workers_and_three_lira",
        "alone.its_workers_block_free_spaces_and_nothing_else",
        "alone.it_may_innovate_or_buy_a_step_from_its_own_purse",
        "alone.one_trades_with_it_without_its_consent",
        "alone.cards_that_it_gets_are_discarded",
    ),
    "W99": ("setup.fourteen_rectangles_and_twelve_ovals_in_two_stacks",),
    "W100": (
        "setup.alone_visitors_that_act_through_others_are_out",
        "continents.greengully_gives_influence_when_the_uses_reach_the_number_of_seats",
    ),
    "W101": ("setup.seven_continents",),
    "W103": ("setup.numbers_for_study_are_options",),
    "W104": ("data.eight_visitors_are_left_out", "setup.incompatible_visitors_are_in_no_deck"),
    "W105": (
        "alone.trainers_stay_in_the_deck_and_take_off_hats_at_the_cards_price",
        "alone.who_has_four_bare_regulars_cannot_train_by_a_card",
    ),
    "W106": ("tiles.the_manager_takes_an_action_as_it_stands",),
    "W107": (
        "workers.the_producer_takes_workers_back_from_ovals_spaces_the_lira_place_and_events",
        "workers.the_motivator_gives_the_grande_back_wherever_it_stands",
    ),
}

# Rules without a test of their own here, and why.
NONE: dict[str, str] = {
    "W10": "structure cards, Moor and Rhine visitors are not in the project: there is no option to refuse",
    "W27": "open and closed hands are the option `open_hands`, which all rulesets share; tests/engine/test_hidden.py",
    "W28": "talk is no part of the game's rules; each decision is one seat's own, as everywhere",
    "W29": "a reading of the word on cards, which are the others'; tests/cards has them",
    "W102": "nothing is carried from one game to the next: there is nothing to test",
    "W108": "cards for opponents are the others'; tests/cards has them",
    "W109": "an option of competitive games, which the project does not offer",
    "W110": "left out on purpose",
}

# Rules that are not done yet, and why.
NOT_YET: dict[str, str] = {}

# Open points that are decided by a test.
OPEN: dict[str, tuple[str, ...]] = {
    "O1": ("data.prices_of_board_and_rectangles",),
    "O2": ("actions.an_exchange_loses_one_thing_and_gains_one",),
    "O3": ("setup.the_token_starts_by_the_number_of_seats",),
    "O8": ("data.the_other_reading_of_the_letters_is_data",),
    "O13": ("setup.no_seat_has_a_token_of_the_first_player_beyond_being_asked_first",),
    "O14": ("setup.a_continents_set_up_comes_after_the_red_cards_and_before_the_blue_cards_gifts",),
    "O15": ("continents.a_reveal_gives_to_every_seat_in_spring",),
    "O17": ("trade.a_refusal_ends_the_chance_and_another_comes_after_the_action",),
    "O18": ("trade.amounts_are_reached_in_one_way",),
    "O23": (
        "workers.the_bonus_of_lira_may_pay_for_the_action_and_must_then_be_taken",
        "workers.ageing_is_asked_before_the_action_and_once_more_after_it",
    ),
    "O24": ("tiles.an_arrow_is_read_when_the_worker_is_placed",),
    "O26": ("workers.a_worker_that_takes_off_its_own_hat_gains_no_oval_bonus",),
    "O28": ("year.ageing_is_offered_only_if_a_grape_can_age",),
    "O31": ("workers.marks_of_the_year_are_cleared_when_it_ends_for_all",),
    "O37": ("continents.lira_of_a_boost_may_pay_for_the_action",),
    "O39": ("actions.no_point_is_lost_at_the_floor_and_no_grape_gained_without_a_slot",),
    "O41": ("year.the_margin_is_by_what_is_missing",),
    "O42": ("setup.wrong_options_are_told_in_one_line",),
}

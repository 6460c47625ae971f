"""What a seat may know: observations, masks and deals of Viticulture (docs/layouts.md; Essential, hands are secret)."""

HOME = "vitienv/viticulture/"
OBS, DEAL = "observation.py", "hidden.py"
SEEN = "cards/known_cards"
# Rule, file, what stands there, what takes its place, tests.
BREAKS = (
    ("Others' vines are not shown", OBS, "known = held if open_hands else int(g.shown[seat, kind])", "known = held", SEEN),
    ("Others' cards are not shown", OBS, "known = open_hands or g.shown[seat, FIRST_ORDER + i] & bit != 0", "known = True", SEEN),
    ("A card is known to who gave it only", OBS, "place, bit = PLACES[k], SEAT_BITS[viewer]", "place, bit = PLACES[k], SEAT_BITS[0]", SEEN),
    ("Open hands show all", OBS, "    open_hands = g.rules[Rule.OPEN_HANDS] == 1\n    place, bit", "    open_hands = False\n    place, bit", "engine/hidden open_hands_show"),
    ("Unseen: decks and others' hands", OBS, "out[At.UNSEEN + kind] += held - known", "out[At.SEEN + kind] += 0 * known", SEEN),
    ("Unseen: what is known is seen", OBS, "out[At.UNSEEN + FIRST_ORDER + i] += 0 if known else held", "out[At.SEEN + FIRST_ORDER + i] += held", SEEN),
    ("Unseen: cards held aside", OBS, "                    out[At.UNSEEN + held % N_KINDS] += 1\n", "                    pass\n", f"{SEEN}"),
    ("Own hand only", OBS, "out[At.HAND + kind] = g.hand[viewer, kind]", "out[At.HAND + kind] = g.hand[0, kind]", SEEN),
    ("A pending vine is its owner's", "ops/vineyard.py", "    shows=(Frame.A, Frame.P0),\n    private=(Frame.P0,),\n", "    shows=(Frame.A, Frame.P0),\n", SEEN),
    ("A card picked to discard is its owner's", "ops/cards.py", "    private=(Frame.B,),\n", "", SEEN),
    ("A card offered to the Importer is its owner's", "ops/importer.py", "    private=(Frame.B,),\n", "", SEEN),
    ("What others see of a question", OBS, "SHOWN_TO_ACTOR[op, column] if seat == viewer else SHOWN_TO_OTHERS[op, column]", "SHOWN_TO_ACTOR[op, column]", SEEN),
    ("A revealed order is in play", OBS, "if op == FrameOp.FILL and stage == 1:", "if False:", SEEN),
    ("A visitor under way is in play", OBS, "            out[At.IN_PLAY + int(g.frames[i, Frame.CARD])] = 1\n", "            pass\n", SEEN),
    ("Public fields only are copied", "state.py", '"i1", 0, 6, Sees.OWNER, "cards in hand, by kind"', '"i1", 0, 6, Sees.ALL, "cards in hand, by kind"', "engine/hidden hidden_fields"),
    ("The key is nobody's", "state.py", 'Sees.NOBODY, "the game\'s 64-bit chance key"', 'Sees.ALL, "the game\'s 64-bit chance key"', "engine/hidden hidden_fields"),
    ("The deck is nobody's", "state.py", 'Sees.NOBODY, "cards left in the decks, by kind"', 'Sees.ALL, "cards left in the decks, by kind"', "engine/hidden hidden_fields"),
    ("Seats are turned", OBS, "return seat - viewer if seat >= viewer else seat - viewer + int(g.rules[Rule.NUM_PLAYERS])", "return seat", "cards/known_cards; engine/golden played_as_written players_2]"),
    ("Fields are turned", OBS, "copy_seat(octets, shorts, viewer + k if viewer + k < n else viewer + k - n, k, out)", "copy_seat(octets, shorts, k, k, out)", "engine/golden played_as_written players_2]"),
    ("Crowds are turned", OBS, "turned = ((crowd >> viewer) | (crowd << (n - viewer))) & ((1 << n) - 1)", "turned = crowd", "engine/golden played_as_written players_2]"),
    ("A deal takes a new hand", DEAL, "                g.hand[seat, draw_hidden(g, deck)] += 1\n", "                g.hand[seat, int(FIRST_OF_DECK[deck])] += 1\n", SEEN),
    ("A deal leaves the own hand", DEAL, "            if seat != viewer:\n                counts +=", "            if True:\n                counts +=", SEEN),
    ("A deal leaves known vines", DEAL, "return max(int(g.shown[seat, kind]), chosen_vine(g, seat, kind))", "return chosen_vine(g, seat, kind)", SEEN),
    ("A deal leaves known cards", DEAL, "return (int(g.shown[seat, kind]) >> viewer) & 1", "return 0", SEEN),
    ("A deal leaves a vine chosen to plant", DEAL, "return max(int(g.shown[seat, kind]), chosen_vine(g, seat, kind))", "return int(g.shown[seat, kind])", SEEN),
    ("A deal forgets what others know", DEAL, "            if kind >= FIRST_ORDER:\n                g.shown[seat, kind] = 0\n            g.deck", "            g.deck", SEEN),
    ("A deal takes new chance", "../core/kernel.py", "    g.key[0] = key0\n    g.key[1] = key1\n    for stream", "    for stream", "engine/hidden hidden_fields; engine/hidden not_dealt_anew 4}]"),
    ("A deal begins chance anew", "../core/kernel.py", "        g.chance[stream] = 0\n", "        pass\n", SEEN),
    ("A deal frees draws that a position fixed", DEAL, "        g.n_forced[deck] = 0\n", "        pass\n", "cards/known_cards fixed",
     "equal program: the draws are wiped too, and one that is wiped is drawn by chance"),
    ("A deal deals cards held aside", DEAL, "        deal_held_aside_anew(g, viewer)\n", "", SEEN),
    ("A deal leaves open hands", DEAL, "    if g.rules[Rule.OPEN_HANDS] == 0:\n", "    if True:\n", "engine/hidden open_hands_are_not 4}]"),
    ("An uprooted vine is known to all", "ops/fields.py", "into_hand(g, seat, vine, KNOWN_TO_ALL)", "into_hand(g, seat, vine, 0)", SEEN),
    ("A card of a pile is known to all", "ops/cards.py", "into_hand(g, get(g, t, Frame.SEAT), take_top(g, deck), KNOWN_TO_ALL)", "into_hand(g, get(g, t, Frame.SEAT), take_top(g, deck), 0)", SEEN),
    ("A card turned up is known to all", "ops/cards.py", "into_hand(g, get(g, t, Frame.SEAT), kind, KNOWN_TO_ALL)", "into_hand(g, get(g, t, Frame.SEAT), kind, 0)", SEEN),
    ("A card handed over is known to the giver", "ops/draw.py", "into_hand(g, receiver, kind, 1 << giver)", "into_hand(g, receiver, kind, 0)", SEEN),
    ("A card handed over is hidden from others", "ops/draw.py", "into_hand(g, receiver, kind, 1 << giver)", "into_hand(g, receiver, kind, KNOWN_TO_ALL)", SEEN),
    ("A drawn card is known to nobody", "ops/draw.py", "        into_hand(g, seat, kind, 0)\n", "        into_hand(g, seat, kind, KNOWN_TO_ALL)\n", f"{SEEN}; rules/cases [Setup"),
    ("What leaves a hand is no longer known", "ops/draw.py", "        g.shown[seat, kind] -= 1\n", "        pass\n", SEEN),
    ("Imported cards are known to the giver", "ops/importer.py", "            into_hand(g, seat, kind, 1 << giver)\n", "            into_hand(g, seat, kind, 0)\n", SEEN),
)  # fmt: skip
ROWS = [(rule, (HOME + file).replace("viticulture/../", ""), *rest) for rule, file, *rest in BREAKS]

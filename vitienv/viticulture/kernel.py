"""The compiled loops over games: the only functions that Python calls.

One kernel holds the whole engine, so that it is compiled and cached once; bits say what a call does.
"""

from vitienv.core.jit import cached, jit
from vitienv.core.rng import below, word
from vitienv.viticulture.machine import actor, advance, apply, count_legal, nth_legal
from vitienv.viticulture.observation import decision_number, observe
from vitienv.viticulture.score import rank_of, reward_of
from vitienv.viticulture.setup import new_game
from vitienv.viticulture.state import Chance, Rule, Status

START, STEP, RESTART, OBSERVE, RANDOM, REFRESH, PLAYOUT = 1, 2, 4, 8, 16, 32, 64
LEAVE = -1


@jit
def random_action(g, mask):
    """A legal action, each equally likely, from the game's own stream."""
    used = int(g.chance[Chance.POLICY])
    g.chance[Chance.POLICY] = used + 1
    at = below(word(int(g.key[0]), int(g.key[1]), Chance.POLICY, used), count_legal(mask))
    return nth_legal(mask, at)


@jit
def next_key(key, i):
    """The key of a game's successor: the same whatever the other games do."""
    first, second = int(key[i, 0]), int(key[i, 1])
    key[i, 0] = word(first, second, Chance.POLICY, 2**31)
    key[i, 1] = word(first, second, Chance.POLICY, 2**31 + 1)


@cached
def run(
    what, reward_kind, games, octets, shorts, actions, keys, rules, masks, seats, decisions, obs, rewards, ended,
    scores, ranks,
):  # fmt: skip
    """For each game, in this order and as the bits of `what` say:

    START a new game under keys[i] and rules; choose a RANDOM legal action into actions[i]; STEP by actions[i];
    PLAYOUT at random to the end; RESTART a game that ended; OBSERVE for the seat to act.

    games (n,) records, octets and shorts (n, bytes) views of them; keys (n, 2) uint32; masks (n, N_ACTIONS) int8;
    obs (n, N_OBSERVATION); seats, decisions, ended (n,) int8; rewards (n, 6) float32; scores, ranks (n, 6) int16.
    A game whose action is LEAVE is left alone, with all that is written of it. Returns the number of decisions taken.
    """
    taken = 0
    for i in range(len(games)):
        if what & STEP and what & RANDOM == 0 and actions[i] == LEAVE:
            continue
        g, mask = games[i], masks[i]
        fresh = what & START != 0
        if not fresh and what & (STEP | RANDOM | PLAYOUT):
            while g.status == Status.PLAYING:
                if what & RANDOM:
                    actions[i] = random_action(g, mask)
                apply(g, int(actions[i]))
                advance(g, mask)
                taken += 1
                if what & PLAYOUT == 0:
                    break
        if not fresh and what & REFRESH:
            advance(g, mask)
        if what & START == 0:
            ended[i] = g.status
            if g.status != Status.PLAYING:
                for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
                    scores[i, seat] = g.vp[seat]
                    ranks[i, seat] = rank_of(g, seat)
                    rewards[i, seat] = reward_of(g, seat, reward_kind) if g.status == 1 else 0.0
                if what & RESTART:
                    next_key(keys, i)
                    fresh = True
            else:
                for seat in range(rewards.shape[1]):
                    rewards[i, seat] = 0.0
        if fresh:
            new_game(g, int(keys[i, 0]), int(keys[i, 1]), rules)
            advance(g, mask)
        seats[i] = actor(g)
        decisions[i] = decision_number(g)
        if what & OBSERVE and g.status == Status.PLAYING:
            observe(g, octets[i], shorts[i], int(seats[i]), obs[i])
    return taken


@cached
def observe_seat(games, octets, shorts, viewers, obs):
    """What seat viewers[i] sees of games[i], written into obs[i]."""
    for i in range(len(games)):
        observe(games[i], octets[i], shorts[i], int(viewers[i]), obs[i])


@cached
def rank_seats(games, ranks):
    """The rank of every seat as things stand, written into ranks (n, seats)."""
    for i in range(len(games)):
        for seat in range(int(games[i].rules[Rule.NUM_PLAYERS])):
            ranks[i, seat] = rank_of(games[i], seat)

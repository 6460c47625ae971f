"""Errors of commands: one line on stderr, status 2, and no file written."""

import json
import shlex
import shutil

import pytest

import vitienv
from tests.command import refused, run
from vitienv.agents.champions import path_of
from vitienv.training.evaluation.ladder import Champion, Ladder
from vitienv.training.viticulture.campaign import Campaign

# Command line and expected part of the error; the files are those of `work_dir`.
ERRORS = """
tournament | at least 2 bots
tournament random | at least 2 bots
tournament random randon | unknown agent 'randon'
tournament random random | agents must be distinct
tournament random random:sead=1 | unknown parameter 'sead'
tournament random policy:nowhere.zip | file 'nowhere.zip' does not exist
tournament random random:seed=1 --players 7 | from 2 to 6
tournament random random:seed=1 --players 1 | from 2 to 6
tournament random random:seed=1 --games 0 | games must be from 1 to
tournament random random:seed=1 --processes -1 | processes
tournament random random:seed=1 --option max_years=² | got '²'
tournament random random:seed=1 --option max_years=--5 | got '--5'
tournament random random:seed=1 --games 2 --run text.txt/run | text.txt
tournament random random:seed=1 --run . | is not a tournament
tournament --resume nowhere | does not exist
tournament --games many | '--games'
tournamint | tournamint
cards --frobnicate | --frobnicate
cards brokr | did you mean broker
cards nosuch | unknown card 'nosuch'<end>
cards --deck autumn | unknown deck
bot new mine --game world | Viticulture World has no bot template; see docs/custom-bots.md
train --resume | --resume requires --run
train --players 9 | from 2 to 6
train --method ppo --policy-prior none | --policy-prior is for --method selfplay
train --method selfplay --mix 2:nan | got '2:nan'
train --method selfplay --mix 2:1e999 | got '2:1e999'
bench --only lunch | unknown part
bench --ruleset nosuch | unknown ruleset 'nosuch'; expected one of: 'essential'
bench --seconds inf | --seconds must be a finite number, got inf
bench --signature --seed 3 | leave out --seed
bench --signature --runs 3 | leave out --runs
bench --signature --game world --option years=2 | does not support --option years
ladder show --file nosuch.json | file 'nosuch.json' does not exist<end>
ladder show --file deep.json | nested too deeply
ladder challenge random --table 9 | unknown table '9'
ladder challenge random --effect-size 0.6 | effect_size must be below 0.5 for 2 seats, got 0.6
ladder challenge random --effect-size 2 | effect_size must be between 0 and 1, got 2.0
ladder challenge nobody | unknown agent 'nobody'
ladder challenge random --file ladder.json | random is already the champion of table 2<end>
ladder challenge random --file /proc/ladder.json --processes 1 | '/proc/ladder.json'<end>
tournament --merge folder folder --games 4 | leave out --games
tournament --resume folder --games 4 | leave out --games
replay nowhere.json | does not exist
replay --html page.html | leave out --html
replay log.json --text --json | leave out --json
replay log.json --text --move 3 | leave out --move
play --ruleset essential --option ruleset=original | ruleset must be set once, got 'original' and 'essential'
play --ruleset solo --difficulty easy --option difficulty=hard | difficulty must be set once, got 'hard' and 'easy'
tournament random random:seed=1 --option max_years=2 --option max_years=3 | max_years must be set once, got 2 and 3
replay log.json --html page.html --text | leave out --text
replay log.json --delete --move 3 | leave out --move
analyse log.json --processes 2 | leave out --processes
analyse folder --simulations 5 | leave out --simulations
replay deep.json | nested too deeply
replay cut.json.gz | is not a log
analyse folder | folder
analyse nowhere | nowhere
analyse key.json | unknown key 'weather'
analyse | Missing argument
data info folder | folder
evaluate | Missing argument
evaluate --frobnicate | --frobnicate
evaluate random | --opponents must name the bots in the other seats, or --players 1
evaluate random --game toscana | --opponents must name the bots in the other seats<end>
evaluate random --ruleset original | --opponents must name the bots in the other seats<end>
evaluate random --opponents nobody | unknown agent 'nobody'
evaluate random --opponents random --players 9 | from 2 to 6 for ruleset 'essential', got 9
evaluate random --opponents random --players two | players must be numbers of seats such as 2 or 2,4, got 'two'
evaluate random --opponents random --automa-replacement rival | --automa-replacement is for a bot alone, not for
evaluate random --opponents random --levels | --opponents is for a bot among others or a bot alone, not for a bot's
evaluate os.getcwd --opponents random | 'os.getcwd' must be a class with a method 'act'
evaluate 'subprocess.getoutput:cmd=touch proof' --opponents random | must be a class with a method 'act'
evaluate vitienv.game.Game --opponents random | must be a class with a method 'act'
evaluate ismcts:c_puct=1e400 --opponents random | c_puct must be finite
evaluate ismcts:milliseconds=nan --opponents random | milliseconds must be finite
evaluate ismcts:simulations=1000000000000 --opponents random | at most 1,000,000
evaluate ismcts:batch_size=1000000000000 --opponents random | at most 4,096
evaluate nobody --players 1 | unknown agent 'nobody'
evaluate random random --players 1 | bots must be distinct
evaluate random --players 1 --opponents automat | unknown agent 'automat'
evaluate random --players 1 --option max_years=3 | unknown --option max_years for a bot alone
evaluate random --players 1 --games 0 | games must be from 1 to
evaluate random --players 1 --game toscana | toscana has no evaluation of alone; expected one of: a bot among others (
evaluate random --players 1 --difficulty brutal | unknown difficulty 'brutal'
evaluate random --players 3 --difficulty easy | --players must be 1 for a bot alone, got 3
evaluate random --difficulty hard --ruleset original | ruleset must be 'solo' for a bot alone, got 'original'
evaluate random --players 1 --option ruleset=essential | ruleset must be 'solo' for a bot alone, got 'essential'
evaluate random --players 1 --option friendly=true | unknown --option friendly for a bot alone; expected one of: rul
evaluate random --players 1 --option aggressive=true --option challenge=6 | challenge must not be 6
evaluate random --players 1 --option aggressive=true --difficulty very_hard | aggressive requires one of the diff
evaluate random --players 1 --option challenge=9 | challenge must be None or an integer from 1 to 8, got 9
evaluate random --players 1 --automa-replacement rival | --automa-replacement
evaluate random --players 1 --opponents random --automa-replacement friend | unknown automa_replacement 'friend'
evaluate random --players 1 --opponents random --option aggressive=true | automa_replacement must not be 'rival'
evaluate random --players 1 --opponents random --option challenge=2 | automa_replacement must not be 'rival'
evaluate nobody --campaign 2 | unknown agent 'nobody'
evaluate random --campaign 20 --players 4 | --players must be 1 for a campaign, got 4
evaluate random --campaign 9 --ruleset original | ruleset must be 'solo' for a campaign, got 'original'
evaluate random --campaign 2 --difficulty all | unknown difficulty 'all'
evaluate random --campaign 2 --max-games 0 | max_games must be from 1 to
evaluate random --campaign 2 --games 3 | --games is for a bot among others or a bot alone
evaluate random --levels --processes 2 | leave out --processes
play --web --seed 3 | leave out --seed
play --port 9 | leave out --port
play --campaign old.json --seed 3 | --seed must be
play --bots random --seat 3 | --seat must be from 1 to 2, got 3
play --bots random --seat 0 | --seat must be from 1 to 2, got 0
play --bots random,,random | separated by commas
play --bots random,random,random --players 2 | at most 1 bots for 2 players, got 3
play --load nowhere.json | does not exist
play --load deep.json | nested too deeply
play --load cut.json | is not a log
play --load log.json --seat 3 | --seat must be from 1 to 2, got 3
play --load log.json --game world | --game must be viticulture for the game in 'log.json', got world
play --load log.json --bots random,random | --bots must name at most 1 bots for 2 players, got 2
play --load log.json --players 2 | --load restores the settings of the game; leave out --players
play --load log.json --seed 1 | leave out --seed
play --load log.json --ruleset essential | leave out --ruleset
play --load log.json --difficulty hard | leave out --difficulty
play --load log.json --option draft_parents=true | leave out --option
play --load log.json --save other.json | 'other.json' already exists
play --load log.json --save nowhere/other.json | directory 'nowhere' does not exist
play --load agents.json | agents must be a list of 2 names, got ['you', 3]
play --load hostile.json | has the bot 'hostile.Bot'
play --load network.json | hostile.zip
play --seed 4 --save text.txt | 'text.txt' already exists
play --ruleset toscana | unknown ruleset 'toscana'; expected one of: 'essential'
play --game world --ruleset solo | unknown ruleset 'solo'; expected one of: 'world'
play --ruleset solo --bots random | leave out --bots
play --ruleset solo --players 2 | num_players must be 1 for ruleset 'solo', got 2
play --ruleset solo --seat 2 | --seat must be from 1 to 1, got 2
play --difficulty hard | belongs to ruleset 'solo'
play --option aggressive=true | belongs to ruleset 'solo'
play --campaign new.json --option challenge=3 | leave out --option challenge
play --campaign new.json --ruleset original | --ruleset must be 'solo'
play --campaign new.json --difficulty brutal | unknown difficulty
play --campaign old.json --difficulty hard | --difficulty must be 'easy'
play --campaign old.json --option aggressive=true | does not use the aggressive variant
play --campaign cut.json | is damaged
ladder levels --game world --table 2 | must be competitive
ladder levels --game world --table world | must be competitive
tournament random heuristic --schedule swiss | swiss requires more bots than seats, got 2 for 2
tournament random heuristic --schedule knockout | schedule must be one of round-robin, gauntlet, swiss, got 'knockout'
tournament random heuristic --on-failure ignore | on_failure must be one of forfeit, void, replace, got 'ignore'
tournament random heuristic --multipv -1 | greater than or equal to 0
tournament random heuristic --multipv 21 | multipv must be from 0 to 20, got 21
tournament random heuristic --no-logs --multipv 3 | saved in the logs
tournament random heuristic --no-logs --replays 1 | --replays requires the logs
tournament --merge folder folder --replays 1 | --replays requires the logs
tournament random heuristic --game tuscany | unknown game 'tuscany'; expected one of: 'toscana'
tournament random heuristic --game toscana --option friendly=true | unknown option 'friendly' of toscana
tournament random heuristic --game toscana --players 6 | players must be from 2 to 5, got 6
tournament random heuristic --game toscana --option map=island | expected one of: 'printed', 'pieces'
tournament random heuristic --game toscana --option components=cut.json | 'cut.json' is not TOML
tournament random heuristic --game toscana --option components=map.toml | 4 rows of 8 squares
tournament random visitors --game toscana | 'visitors' plays 'viticulture'
tournament random policy:solo.safetensors --game toscana | is for viticulture, not toscana
play --game world --option components=none.toml | components: cannot read 'none.toml'
play --game world --option friendly=true | unknown option 'friendly'
replay other.json | the log is damaged: unknown option 'components'
replay unknown.json | unknown game 'chess'
data generate new --bots nobody | unknown agent 'nobody'
data generate new --players 9 | for ruleset 'essential', got 9
data generate . --games 1 | exists and is not a data set
data generate new --games 0 | games must be from 1 to 1,000,000, got 0
data generate new --option reward=gold | unknown reward 'gold'
data generate new --game chess | unknown game 'chess'
evaluate random --levels --game world | world has no evaluation of level
evaluate random --levels --game toscana --option map=pieces | --option map is not for a bot's level
evaluate random --levels --players 9 | unknown table '9'
evaluate random --levels --players 4 --difficulty normal | --players must be 1 for a bot alone, got 4
evaluate random --levels --players 2 --ruleset solo | --players must be 1 for a bot alone, got 2
evaluate random --levels --ruleset original | ruleset must be 'solo' or unset for a bot's level, got 'original'
evaluate random --levels --difficulty all | difficulty must be one of normal, very_easy
bench tasks --out b.csv --only 'nothing like it' | matches no row; the tasks are two, four, six
bench tasks --out b.csv --only '(' | must be a regular expression
bench tasks --out b.csv --train dqn | unknown baseline 'dqn'; expected one of: ppo, selfplay, imitation
bench tasks --out b.csv random nosuch --only ^two | unknown agent 'nosuch'
bench tasks --out b.csv random --backend foo | backend must be 'local', 'ray' or 'ray:ADDRESS', got 'foo'
evaluate random --game world --option continent=atlantis | atlantis
evaluate random --game world --players two | got 'two'
evaluate random --game world --players 7 | 7
evaluate random cellar --game world | agent 'cellar' plays 'viticulture', not 'world'
evaluate random random --game world | bots must be distinct
evaluate random --game world --cross-play --players 1,2 | num_players must be at least 2 for cross-play, got 1
evaluate random --game world --cross-play --opponents random | not for cross-play in world
evaluate random --cross-play | viticulture has no evaluation of cross-play
bench verify | exactly one of --quick
bench verify --quick --full | exactly one of --quick
bench verify --quick --update | requires --full
bench verify --quick --only [ | --only must be a regular expression, got '['
bench verify --quick --only gone | matches no result; vitienv bench verify --list
bot new random | 'random' is the name of a module of the standard library
bot new json | 'json' is the name of a module of the standard library
bot new numpy | 'numpy' is the name of an installed package
bot new vitienv | 'vitienv' is the name of an installed package
bot new heuristic | 'heuristic' is the name of an existing bot
bot new pieces | 'pieces' is the name of an existing bot
bot new My-Bot | lower-case letters
bot new class | lower-case letters
bot new 1bot | lower-case letters
play --web --bots random | set up in the browser; leave out --bots
evaluate random --opponents random --games HUGE | 1,000,000
evaluate random --players 1 --games HUGE | 1,000,000
evaluate random --campaign HUGE | 10,000
evaluate random --campaign 2 --max-games HUGE | 1,000
evaluate random --opponents random --processes HUGE | 1024
tournament random random:seed=1 --games HUGE | 1,000,000
tournament random random:seed=1 --chunk-size HUGE | 10,000
tournament random random:seed=1 --processes HUGE | 1024
ladder challenge random --max-pairs HUGE | 1,000,000
ladder recipe three | unknown network 'three'; expected one of: solo, two
"""
HUGE = ("9999999999", "99999999999999999999", "9" * 400)  # amounts beyond memory
ROWS = [
    (command.replace("HUGE", amount), expected)
    for command, expected in (line.split(" | ") for line in ERRORS.strip().splitlines())
    for amount in (HUGE if "HUGE" in command else ("",))
]


@pytest.fixture
def work_dir(tmp_path, monkeypatch):
    """A working directory with files of several kinds."""
    monkeypatch.chdir(tmp_path)
    texts = {"deep.json": "[" * 100_000, "cut.json": "{", "text.txt": "", "key.json": '{"weather": "fine"}',
             "map.toml": '[premade]\nrows = ["RRRR"]\n', "hostile.py": "raise SystemExit('run')"}  # fmt: skip
    log = vitienv.Game.new(seed=1, max_years=9).log | {"agents": ["heuristic", "you"], "seat": 1}
    toscana = vitienv.Game.new(game="toscana", seed=1).log
    logs = {
        "log": log, "agents": log | {"agents": ["you", 3]}, "hostile": log | {"agents": ["hostile.Bot", "you"]},
        "network": log | {"agents": ["policy:hostile.zip", "you"]}, "other": toscana | {"game": "viticulture"},
        "unknown": toscana | {"game": "chess"},
    }  # fmt: skip
    texts |= {f"{name}.json": json.dumps(content) for name, content in logs.items()}
    shutil.copy(path_of("solo", vitienv.game_spec()), tmp_path / "solo.safetensors")
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "cut.json.gz").write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")
    (tmp_path / "folder").mkdir()
    Ladder([Champion("2", "random", beaten="heuristic")]).save(tmp_path / "ladder.json")
    campaign = Campaign("easy", seed=0)
    for outcome in ("loss", "win"):
        campaign.add(outcome, 10)
    campaign.save(tmp_path / "old.json")
    return tmp_path


@pytest.mark.parametrize(("command", "expected"), ROWS, ids=[command[:99] for command, _ in ROWS])
def test_errors_are_one_line_and_write_no_file(work_dir, capsys, command, expected):
    before = sorted(work_dir.rglob("*"))
    assert expected.replace("<end>", "\n") in refused(capsys, *shlex.split(command))
    assert [path for path in sorted(work_dir.rglob("*")) if path.suffix != ".lock"] == before


def test_unknown_bots_are_reported_before_compilation(capsys, monkeypatch):
    monkeypatch.setattr(vitienv.Game, "new", lambda **_: pytest.fail("the game was created first"))
    assert "unknown agent 'nobody'" in refused(capsys, "play", "--bots", "nobody")


def test_an_error_that_quotes_a_large_value_is_truncated(work_dir, capsys):
    huge = f"max_years={'9' * 5000}"
    assert "got '999" in refused(capsys, "tournament", "random", "random:seed=1", "--option", huge)
    (work_dir / "card.json").write_text(json.dumps({"kind": "data set", "format": "x" * 1_000_000}))
    status, out, error = run(capsys, "data", "info", ".")
    assert (status, out) == (2, "") and error.startswith("vitienv: ") and error.endswith("x …\n")
    assert len(error) < 21_000


# Exceptions of a command.


@pytest.mark.parametrize(("error", "expected"), [
    (MemoryError("unable to allocate 64 GiB"), "vitienv: out of memory: unable to allocate 64 GiB\n"),
    (EOFError("the stream ended in a block"), "ended too early: the stream ended in a block"),
    (ZeroDivisionError(), None),  # an error in the program
])  # fmt: skip
def test_exceptions_are_reported_by_kind(capsys, monkeypatch, error, expected):
    def fail(*_):
        raise error

    monkeypatch.setattr("vitienv.commands.viticulture.cards.show", fail)
    if expected is None:
        with pytest.raises(type(error)):
            run(capsys, "cards")
    else:
        status, _, text = run(capsys, "cards")
        assert status == 2 and expected in text

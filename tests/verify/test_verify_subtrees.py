"""Certificates with subtrees: their counts match the definition, and no false file passes."""

import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from functools import cache

import pytest

from slidewise import Limits, Puzzle, parse_board, parse_puzzle, scramble, verify
from slidewise.research import proof
from slidewise.research.prove import certificate, prove
from slidewise.solver.engines import pattern_deepening
from slidewise.solver.tables.patterns import partition
from slidewise.solver.tables.patterns.partition import Partition
from tests.each import each, some
from tests.solver.patterns import fewest_moves

BLANK_IN_THE_CENTRE = parse_board("1.2.3-4.0.5-6.7.8")
MIRRORED = parse_puzzle("8.5.6-7.4.1-2.3.0_0.1.2-3.4.5-6.7.8")
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
WALK = 12


WEAK = (
    Partition(".ab bcc dda", 0),
    Partition("aab b.c ddc", 0),
    Partition(".abc abcc", 0),
    Partition("aab bcc d.d", 0),
)
"""Groups of two or three tiles, which make searches of small boards long."""


@pytest.fixture(scope="module")
def split():
    """Have small boards searched for long, and short iterations split into many subtrees."""
    with pytest.MonkeyPatch.context() as patch:
        sizes = {weak.size for weak in WEAK}
        others = [known for known in partition.PARTITIONS if known.size not in sizes]
        patch.setattr(partition, "PARTITIONS", (*WEAK, *others))
        partition.partitions.cache_clear()
        patch.setattr(pattern_deepening, "LONG_ITERATION_EXPANSIONS", 100)
        patch.setattr(pattern_deepening, "EXPANSIONS_A_BRANCH", 10)
        yield
    partition.partitions.cache_clear()


def proved(puzzle, **options):
    *_, last = prove(puzzle, **options)
    return last.result


@pytest.fixture(scope="module")
def claims(split):
    """Return a certificate with some subtrees."""
    claims = certificate(proved(parse_puzzle("8.6.7-2.5.4-3.0.1")))
    assert len(claims["subtrees"]) > 20
    return claims


def step(cols, cells, blank, side):
    """Return the next cell of the blank, or None."""
    row, col = blank // cols + SIDES[side][0], blank % cols + SIDES[side][1]
    return row * cols + col if 0 <= row < cells // cols and 0 <= col < cols else None


@cache
def best_walks(cols, cells, start):
    """Return the best walk of the blank to each board within a few moves."""
    board = tuple(range(cells))
    best, layer = {board: ()}, [(board, start, ())]
    for _ in range(WALK):
        reached = []
        for board, blank, walk in layer:
            for side in range(4):
                cell = step(cols, cells, blank, side)
                if cell is None:
                    continue
                after = list(board)
                after[blank], after[cell] = after[cell], after[blank]
                if tuple(after) not in best:
                    best[tuple(after)] = (*walk, side)
                    reached.append((tuple(after), cell, (*walk, side)))
        layer = reached
    return set(best.values())


def tree(claims):
    """Return the subtrees by the definition: the roots in order, and the counts."""
    rows, cols, goal = claims["rows"], claims["cols"], claims["goal"]
    cells = rows * cols
    homes = [[goal.index(tile) for tile in group] for group in claims["groups"]]
    tables = [fewest_moves(rows, cols, tuple(group), goal.index(0)) for group in homes]

    def h(board):
        at = {goal.index(tile): cell for cell, tile in enumerate(board)}
        return max(
            sum(
                table[tuple(view[at[view.index(home)]] for home in group)]
                for table, group in zip(tables, homes, strict=True)
            )
            for view in claims["views"]
        )

    def image(board, view):
        image = [0] * cells
        for cell, tile in enumerate(board):
            image[view[cell]] = goal[view[goal.index(tile)]]
        return image

    start = claims["start"]
    symmetries = [view for view in claims["views"] if image(start, view) == start]
    found = {}

    def visit(board, path, sides, root):
        if len(sides) == claims["level"]:
            root = "".join("DURL"[side] for side in sides)
            found[root] = [0, 0]
        counts = found.get(root, [0, 0])
        counts[0] += 1
        tried = []
        for side in range(4):
            cell = step(cols, cells, path[-1], side)
            walk = (*sides, side)
            if cell is None or any(
                walk[first:] not in best_walks(cols, cells, path[first])
                for first in range(max(0, len(walk) - WALK), len(walk))
            ):
                continue
            after = list(board)
            after[path[-1]], after[cell] = after[cell], 0
            if not sides and any(image(after, view) in tried for view in symmetries):
                continue
            tried.append(after)
            counts[1] += 1
            if len(walk) + h(after) < claims["lower_bound"]:
                visit(after, (*path, cell), walk, root)

    visit(start, (start.index(0),), (), None)
    return [[root, *counts] for root, counts in found.items()]


PUZZLES = [
    scramble(3, 3, "7"),
    scramble(3, 3, "5", BLANK_IN_THE_CENTRE),
    scramble(2, 4, "23"),
    scramble(4, 2, "46"),
    parse_puzzle("8.6.7-2.5.4-3.0.1"),
    MIRRORED,
]


@pytest.mark.parametrize("puzzle", some(PUZZLES, 1, 3, 5), ids=str)
def test_counts_are_those_of_the_definition(puzzle, split, check):
    claims = certificate(proved(puzzle))
    assert claims["subtrees"] == tree(claims)
    assert claims["level"] > 0
    answer = check(claims)
    assert (answer.code, answer.error) == (verify.CHECKED, "")
    assert "subtrees recomputed" in answer.findings[-1].text


def test_goal_elsewhere_has_two_views(split):
    goal = parse_board("1.2.0-3.4.5-6.7.8")
    assert len(certificate(proved(scramble(3, 3, "2", goal)))["views"]) == 2


def test_resumed_proof_has_the_same_certificate(split, tmp_path, monkeypatch):
    monkeypatch.setattr(proof, "PATH_FROM_EXPANSIONS", 10**9)
    puzzle = parse_puzzle("8.6.7-2.5.4-3.0.1")
    whole = certificate(proved(puzzle))
    for expansions in range(250, 10_000, 250):
        part = proved(puzzle, limits=Limits(expansions=expansions), state=tmp_path)
        if part.length == part.lower_bound:
            break
    assert expansions > 1_000
    assert certificate(part) == whole


def changed(number, place, change):
    """Return a function that changes a subtree of a certificate."""

    def change_it(claims):
        subtrees = [list(subtree) for subtree in claims["subtrees"]]
        subtrees[number][place] = change(subtrees[number][place])
        return claims | {"subtrees": subtrees}

    return change_it


def dropped(claims):
    return claims | {"subtrees": claims["subtrees"][:7] + claims["subtrees"][8:]}


def last_dropped(claims):
    return claims | {"subtrees": claims["subtrees"][:-1]}


def swapped(claims):
    first, second, *rest = claims["subtrees"]
    return claims | {"subtrees": [second, first, *rest]}


def one_too_many(claims):
    return claims | {"subtrees": [*claims["subtrees"], claims["subtrees"][0]]}


def other_partition(claims):
    (first, *one), (second, *other), *rest = claims["groups"]
    return claims | {"groups": [[second, *one], [first, *other], *rest]}


def there_and_back(claims):
    back = {"U": "D", "D": "U", "L": "R", "R": "L"}
    first = claims["moves"][0]
    moves = first + back[first] + claims["moves"]
    return claims | {"moves": moves, "length": len(moves)}


def higher_bound(claims):
    return there_and_back(claims) | {"lower_bound": claims["length"] + 2}


def solution_hidden(claims):
    return higher_bound(claims) | {"level": 0, "subtrees": [["", 2**61, 2**61]]}


def solution_above(claims):
    return higher_bound(claims) | {"level": claims["length"] + 1, "subtrees": []}


FALSE = [
    (changed(3, 1, lambda count: count + 1), r"the subtree [UDLR]+ has \d+ boards with \d+ succ"),
    (changed(3, 1, lambda count: count - 1), r"the subtree [UDLR]+ has more than \d+ boards"),
    (changed(3, 2, lambda count: count + 1), r"the subtree [UDLR]+ has \d+ boards with \d+ succ"),
    (changed(5, 0, lambda root: root[1:] + root[0]), "subtree 6 must be "),
    (changed(5, 0, lambda root: root[1:]), "is not [0-9]+ moves from the start"),
    (dropped, "subtree 8 must be "),
    (last_dropped, "it is missing"),
    (swapped, "subtree 1 must be "),
    (one_too_many, "is not in the search tree"),
    (other_partition, "subtree"),
    (higher_bound, "subtree"),
    (solution_hidden, "there is a solution of 31 moves"),
    (solution_above, "there is a solution of 31 moves"),
    (lambda claims: there_and_back(claims) | {"length": claims["length"]}, "there are 33 moves"),
    (lambda claims: claims | {"walk": 2}, "subtree"),
    (lambda claims: claims | {"views": claims["views"][:1]}, "subtree"),
    (lambda claims: claims | {"level": 0, "subtrees": []}, "the start must be the only subtree"),
]


@pytest.mark.parametrize(("change", "sentence"), FALSE)
def test_false_certificates_are_refuted(change, sentence, claims, check):
    assert claims["length"] == 31
    answer = check(change(claims))
    assert answer.code == verify.REFUTED
    assert re.search(sentence, answer.error), answer.error


def test_longer_path_with_the_true_bound_passes(claims, check):
    assert check(there_and_back(claims)).code == verify.CHECKED


UNREADABLE = {
    "subtrees": [
        *(None, {}, [[]], [["U", 1]], [["U", 1, True]], [["U", 1, -1]], [["U", 1, 2**62]]),
        *([["U", 1, 1e300]], [["X", 1, 1]], [[["U"], 1, 1]]),
    ],
    "level": [2**31, -1, 31],
    "walk": [1, 13, 2**40],
    "views": [[], [[0] * 9], [list(range(9))] * 9, [[8, 7, 6, 5, 4, 3, 2, 1, 0]]],
    "groups": [[[1, 2]], [[1, 2, 3, 4, 5, 6, 7, 8, 9]]],
}


@each("name", UNREADABLE)
def test_unreadable_subtrees_are_refused(name, claims, check):
    for value in UNREADABLE[name]:
        assert check(claims | {name: value}).code == verify.UNREADABLE, value


def test_too_many_subtrees_are_refused(claims, check, monkeypatch):
    monkeypatch.setattr(verify, "MAX_SUBTREES", 20)
    answer = check(claims)
    assert (answer.code, answer.error) == (
        verify.UNREADABLE,
        "'subtrees' must be a list of at most 20",
    )


def test_bounds_without_end_are_not_searched(claims, check):
    moves = claims["moves"] + "UDDU" * 500
    answer = check(claims | {"moves": moves, "length": 2031, "lower_bound": 2031})
    assert answer.code in (verify.ON_TRUST, verify.REFUTED)


def test_groups_of_too_many_tiles_are_refused(check):
    goal = list(range(25))
    claims = {"format": "slidewise certificate 3", "rows": 5, "cols": 5, "start": goal}
    claims |= {"goal": goal, "moves": "", "length": 0, "lower_bound": 0, "level": 0, "walk": 12}
    claims |= {"groups": [goal[1:9], goal[9:]], "views": [goal], "subtrees": []}
    answer = check(claims)
    assert (answer.code, answer.error) == (
        verify.UNREADABLE,
        "a group of 'groups' has too many tiles",
    )


def test_sample_reports_its_coverage(claims, check):
    answer = check(claims, sample=5)
    assert answer.code == verify.ON_TRUST
    assert "5 of " in answer.findings[-1].text
    assert (
        "drawn at random: a file with more than 60 % false subtrees passes with probability below "
        "2 %" in answer.findings[-1].text
    )
    assert check(claims, sample=10**6).code == verify.CHECKED


def test_sample_finds_false_files_at_the_reported_rate(claims, check, monkeypatch):
    draws, sample, trials = random.Random(1), 5, 60
    monkeypatch.setattr(verify.random, "SystemRandom", lambda: random.Random(draws.random()))
    build = cache(lambda: own_build(*arguments))
    arguments, own_build = [], verify.Tables.build
    monkeypatch.setattr(verify.Tables, "build", lambda *given: arguments.extend(given) or build())
    total = len(claims["subtrees"])
    number_false = total // 4
    false = claims
    for number in draws.sample(range(total), number_false):
        false = changed(number, 2, lambda count: count + 1)(false)
    passed = sum(check(false, sample=sample).code == verify.ON_TRUST for _ in range(trials))
    expected = 1.0
    for drawn in range(sample):
        expected *= (total - number_false - drawn) / (total - drawn)
    assert abs(passed / trials - expected) < 4 * (expected * (1 - expected) / trials) ** 0.5


def test_share_of_false_subtrees_is_that_of_the_chance():
    assert [verify.false_share(sample) for sample in (1, 200, 2_000)] == [1.0, 0.02, 0.002]
    for sample in range(2, 5_000, 7):
        share = verify.false_share(sample)
        assert (1 - share) ** sample < verify.CHANCE < (1 - share / 2) ** sample


def test_sample_is_drawn_by_the_system(claims, check, tmp_path):
    drawn = []
    for number in range(5):
        random.seed(0)
        check(claims, sample=5, state=tmp_path / str(number))
        progress = json.loads(
            next((tmp_path / str(number)).glob("*.progress")).read_text().partition("\n")[2]
        )
        drawn.append(tuple(progress["sample"]))
    assert len(set(drawn)) > 1


def test_stopped_check_resumes(claims, check, tmp_path, monkeypatch):
    state = tmp_path / "state"
    recompute, done = verify.SubtreeCheck.recompute_one, []

    def until_ten(proof, subtree, stop):
        if len(done) == 10:
            raise verify.OutOfTimeError
        done.append(subtree.root)
        return recompute(proof, subtree, stop)

    monkeypatch.setattr(verify.SubtreeCheck, "recompute_one", until_ten)
    answer = check(claims, state=state)
    assert answer.code == verify.ON_TRUST
    assert "the time is over; 10 of " in answer.findings[-1].text
    first, done[:] = done[:], []
    monkeypatch.setattr(verify, "fewest_moves", None)  # the tables are in the folder
    answer = check(claims, state=state)
    assert "the time is over; 20 of " in answer.findings[-1].text
    assert not set(first) & set(done)
    done[:] = [""]
    assert "the time is over" in check(claims | {"expanded": 0}, state=state).findings[-1].text
    assert len(done) == 10  # another certificate starts from the beginning
    monkeypatch.setattr(verify.SubtreeCheck, "recompute_one", recompute)
    assert check(claims, state=state).code == verify.CHECKED


def test_stopped_sample_resumes_with_the_same_draw(claims, check, tmp_path):
    digest = hashlib.sha256(json.dumps(claims).encode()).hexdigest()
    total, draws = len(claims["subtrees"]), []
    for size in (5, 5, 6):
        check(claims, sample=size, state=tmp_path)
        draws.append(verify.Folder(tmp_path, digest).drawn(total, size))
    assert draws[0] == draws[1]
    assert len(draws[2]) == 6
    assert verify.Folder(tmp_path, "of another file").drawn(total, 5) != draws[0]


def test_sample_counts_only_drawn_subtrees(claims, check, tmp_path):
    digest = hashlib.sha256(json.dumps(claims).encode()).hexdigest()
    folder = verify.Folder(tmp_path, digest)
    folder.save({0, 1, 2, 3, 4, 5}, now=True)
    assert "5 of 80 subtrees" in check(claims, sample=5, state=tmp_path).findings[-1].text
    progress = json.loads(next(tmp_path.glob("*.progress")).read_text().partition("\n")[2])
    assert set(progress["done"]) == {0, 1, 2, 3, 4, 5, *progress["sample"]}


@pytest.mark.parametrize("damage", [b"", b"[]", b"{", b'{"certificate": "", "done": [[]]}', None])
def test_damaged_state_is_rebuilt(damage, claims, check, tmp_path):
    assert check(claims, state=tmp_path / "state").code == verify.CHECKED
    for file in (tmp_path / "state").iterdir():
        if file.suffix == ".table":
            file.write_bytes(file.read_bytes()[1:])
        else:
            text = file.read_bytes().replace(b'"done": [0', b'"done": [-1, 0')
            file.write_bytes(text if damage is None else damage)
    assert check(claims, state=tmp_path / "state").code == verify.CHECKED


def test_file_alone_is_a_program(claims, tmp_path):
    (tmp_path / "proof.json").write_text(json.dumps(claims))
    shutil.copy(verify.__file__, tmp_path / "check.py")
    command = [sys.executable, "-I", "check.py", "proof.json", "--cores", "2", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["result"] == "checked"


def test_folder_that_cannot_be_written_is_a_usage_error(claims, tmp_path, capsys):
    (tmp_path / "proof.json").write_text(json.dumps(claims))
    with pytest.raises(SystemExit) as end:
        verify.main([str(tmp_path / "proof.json"), "--state", "/dev/null/x"])
    assert end.value.code == 2
    assert "cannot use /dev/null/x" in capsys.readouterr().err


@pytest.mark.soak
def test_24_puzzle_is_checked(check, monkeypatch):
    """The goal has the blank beside a corner, so there are only tables of five tiles."""
    monkeypatch.setattr(pattern_deepening, "LONG_ITERATION_EXPANSIONS", 1_000)
    monkeypatch.setattr(pattern_deepening, "EXPANSIONS_A_BRANCH", 100)
    goal = board = parse_board("1.0.2.3.4-5.6.7.8.9-10.11.12.13.14-15.16.17.18.19-20.21.22.23.24")
    draw = random.Random(3)
    for _ in range(240):
        board = board.slide(draw.choice(sorted(board.movable)))
    claims = certificate(proved(Puzzle(board, goal)))
    assert len(claims["subtrees"]) > 20
    answer = check(claims, cores=2)
    assert (answer.code, answer.error) == (verify.CHECKED, "")
    assert check(changed(9, 1, lambda count: count + 1)(claims)).code == verify.REFUTED
    assert check(dropped(claims)).code == verify.REFUTED

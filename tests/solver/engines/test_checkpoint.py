"""Damaged checkpoints are refused and left unchanged, whichever byte differs."""

import random

import pytest

from slidewise import Limits, parse_puzzle, prove
from slidewise.research import proof
from slidewise.research.proof import BEGIN_AGAIN, FILE_NAME, CheckpointError, read, write
from slidewise.solver.tables.patterns.database import PatternDatabase
from tests.boards import korf
from tests.each import each

PUZZLE = parse_puzzle(korf(15)[58][0])


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return the bytes of the checkpoint of a proof that was stopped after its beams."""
    folder = tmp_path_factory.mktemp("proof")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "PATH_FROM_EXPANSIONS", 20_000)
        patch.setattr(proof, "PATH_EXPANSIONS", 3_000)
        *_, last = prove(PUZZLE, Limits(expansions=500_000), state=folder)
    assert last.result.length > last.result.lower_bound
    return (folder / FILE_NAME).read_bytes()


def damages():
    """Yield each way to damage a file as (name, function)."""
    draw = random.Random(25)
    for number in range(60):
        share, size, bit = draw.random(), draw.randrange(1, 400), draw.randrange(8)
        yield (
            f"bit {number}",
            lambda data, s=share, b=bit: put(data, s, [data[at(data, s)] ^ 1 << b]),
        )
        yield f"zeros {number}", lambda data, s=share, n=size: put(data, s, bytes(n))
        yield f"cut {number}", lambda data, s=share: data[: at(data, s)]
        yield (
            f"gone {number}",
            lambda data, s=share, n=size: data[: at(data, s)] + data[at(data, s) + n :],
        )
    for size in 1, 2, 100, 4096:
        yield f"{size} zeros behind", lambda data, n=size: data + bytes(n)
        yield f"{size} letters behind", lambda data, n=size: data + b"x" * n
        yield f"{size} zeros before", lambda data, n=size: bytes(n) + data
    yield "empty", lambda data: b""
    yield "twice", lambda data: data * 2
    yield "a line behind", lambda data: data + b"\n"
    yield (
        "an earlier version",
        lambda data: data.replace(b"slidewise proof, 2", b"slidewise proof, 1"),
    )
    yield "no first line", lambda data: data.partition(b"\n")[2]
    yield "other line ends", lambda data: data.replace(b"\n", b"\r\n", 1)


def at(data, share):
    return int(share * len(data))


def put(data, share, changed):
    """Return `data` with the bytes `changed` at that share of its length."""
    start = at(data, share)
    return (data[:start] + bytes(changed) + data[start + len(changed) :])[: len(data)]


def test_damaged_checkpoint_is_refused_and_unchanged(written, tmp_path):
    file, refused = tmp_path / FILE_NAME, 0
    for name, damage in damages():
        damaged = damage(written)
        if damaged == written:  # zeros replaced by zeros
            continue
        file.write_bytes(damaged)
        with pytest.raises(CheckpointError) as raised:
            pytest.fail(f"{name} was read: {read(tmp_path, PUZZLE)}")
        assert str(raised.value).endswith(f"no checkpoint of this version: {BEGIN_AGAIN}"), name
        assert file.read_bytes() == damaged
        refused += 1
    assert refused >= 200


def forged(folder, written, **changed):
    """Write a checkpoint with other facts and a matching digest."""
    (folder / FILE_NAME).write_bytes(written)
    write(folder, read(folder, PUZZLE)._replace(**changed))


def test_checkpoint_round_trips(written, tmp_path):
    forged(tmp_path, written)
    assert (tmp_path / FILE_NAME).read_bytes() == written
    assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path[:40],
        lambda path: path[:-1],
        lambda path: path[2:],
        lambda path: path[:10] + path[20:],
        lambda path: path[::-1],
        lambda path: [],
        lambda path: ["0"] * 5,
        lambda path: [*path[:-1], 99],
    ],
)
def test_path_away_from_the_goal_is_refused(spoil, written, tmp_path):
    (tmp_path / FILE_NAME).write_bytes(written)
    path = read(tmp_path, PUZZLE).path
    forged(tmp_path, written, path=spoil(path))
    with pytest.raises(CheckpointError, match=r"does not lead from the start to the goal"):
        read(tmp_path, PUZZLE)


NUMBERS = ["limit", "last", "expanded", "_level", "_next", "_found", "path", "paused", "before"]


@each("name", [*NUMBERS, "subtrees"])
@each("text", ["ten", ["ten"], {"expanded": "ten", "seconds": 0}])
def test_text_for_a_number_of_the_search_is_refused(name, text, written, tmp_path):
    (tmp_path / FILE_NAME).write_bytes(written)
    search = read(tmp_path, PUZZLE).search
    forged(tmp_path, written, search=search._replace(facts={**search.facts, name: text}))
    with pytest.raises(CheckpointError, match="remove it to begin the proof again"):
        list(prove(PUZZLE, state=tmp_path))


@pytest.mark.parametrize("name", ["growth", "seconds", "beams"])
def test_text_for_a_number_of_the_proof_is_refused(name, written, tmp_path):
    forged(tmp_path, written, **{name: "ten"})
    with pytest.raises(CheckpointError, match="is damaged, or no checkpoint"):
        read(tmp_path, PUZZLE)


def test_checkpoint_of_other_tables_is_refused(written, tmp_path, monkeypatch):
    (tmp_path / FILE_NAME).write_bytes(written)
    make = PatternDatabase.__init__

    def other(self, goal, frame, partition, tables):
        make(self, goal, frame, partition, tables._replace(checksum=tables.checksum ^ 1))

    monkeypatch.setattr(PatternDatabase, "__init__", other)
    with pytest.raises(CheckpointError, match=r"written with other pattern tables: remove it"):
        list(prove(PUZZLE, state=tmp_path))


def test_other_file_with_a_digest_is_refused(tmp_path):
    for rest in b"", b"notes", b"[]":
        (tmp_path / FILE_NAME).write_bytes(proof._first_line(rest) + rest)
        with pytest.raises(CheckpointError, match="is damaged, or no checkpoint"):
            read(tmp_path, PUZZLE)

"""The file from which a proof goes on after its process has ended, however that came.

It is written under another name and renamed when it is complete, so there is always a whole one. It
begins with a line that names the format and the SHA-256 of all that follows. That guards against
accidents; somebody who means to deceive can compute the digest again, and then only a certificate
helps (`docs/certificates.md`).

Importing this module loads numpy.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import zipfile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.moves import play
from slidewise.solver import places
from slidewise.solver.engines.resuming import Snapshot
from slidewise.solver.task import follow
from slidewise.solver.validation import ContradictionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from slidewise.puzzle import Puzzle

try:
    import fcntl
except ImportError:  # Windows, where nobody notices a second proof in a folder
    fcntl = None  # type: ignore[assignment]

FILE_NAME = "proof.checkpoint"
"""The file in the folder of a proof."""

FORMAT = "slidewise proof, 2"

_FACTS = "facts"


class CheckpointError(PuzzleError):
    """A checkpoint that cannot be read, written or used for this puzzle."""


class Checkpoint(NamedTuple):
    """A proof under way: of which puzzle, with which pattern database, and how far it is.

    `partition` names the database and `tables` is the checksum of its tables.
    `path` is the best one known, as cells of the blank, None while beams look for one, as they then
    begin anew; `beams` is what finding it has cost, None before they have looked; `growth` is that
    of the last iteration, and `seconds` the time that the proof has taken.
    """

    puzzle: str
    partition: str
    tables: int
    path: list[int] | None
    beams: dict[str, float] | None
    growth: float
    seconds: float
    search: Snapshot


@contextlib.contextmanager
def held(folder: Path | None) -> Iterator[None]:
    """Keep other proofs out of a folder: each would replace the checkpoints of the other.

    Where the file system cannot tell, as some over networks, nobody is kept out.

    Raises `CheckpointError` if another one has it.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            if folder and fcntl:
                directory = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, directory)
                try:
                    fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise CheckpointError(
                        f"another proof is under way in {folder}: wait for its end, or name "
                        "another folder"
                    ) from None
        yield


def read(folder: Path, puzzle: Puzzle) -> Checkpoint | None:
    """Return the checkpoint of a puzzle in a folder, None if there is none.

    Raises `CheckpointError`, also for a path that does not lead from the start to the goal.
    """
    file = folder / FILE_NAME
    try:
        found = _unpack(file.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CheckpointError(f"cannot read {file}: {error.strerror or error}") from None
    if found is None:
        raise CheckpointError(f"{file} is damaged, or no checkpoint of this version: {BEGIN_AGAIN}")
    if found.puzzle != str(puzzle):
        raise CheckpointError(
            f"{file} is the checkpoint of another puzzle, {found.puzzle}: name another folder"
        )
    if not _leads_to_goal(found, puzzle):
        raise CheckpointError(
            f"the path in {file} does not lead from the start to the goal: {BEGIN_AGAIN}"
        )
    return found


BEGIN_AGAIN = "remove it to begin the proof again, or name another folder"


def _leads_to_goal(found: Checkpoint, puzzle: Puzzle) -> bool:
    """Return whether the path, if there is one yet, can be made and ends at the goal."""
    if found.path is None:
        return True
    try:
        moves, _ = follow(puzzle.start, found.path)
        return found.path[:1] == [puzzle.start.blank] and play(puzzle.start, moves) == puzzle.goal
    except (ContradictionError, PuzzleError, TypeError):
        return False


def write(folder: Path, checkpoint: Checkpoint) -> None:
    """Write the checkpoint in a folder, which is made if need be.

    Raises `CheckpointError`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        places.write_whole(folder / FILE_NAME, _pack(checkpoint))
    except OSError as error:
        raise CheckpointError(
            f"cannot write a checkpoint in {folder}: {error.strerror or error}"
        ) from None


def _pack(checkpoint: Checkpoint) -> bytes:
    """Return the file: a line with the format and the digest of the rest, then the rest."""
    facts: dict[str, Any] = checkpoint._asdict()
    facts["search"] = checkpoint.search.facts
    text = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    packed = io.BytesIO()
    np.savez(packed, allow_pickle=False, **{_FACTS: text}, **checkpoint.search.arrays)
    return _first_line(packed.getvalue()) + packed.getvalue()


def _unpack(data: bytes) -> Checkpoint | None:
    """Return the checkpoint in a file, None if a byte of it is not as it was written."""
    rest = data.partition(b"\n")[2]
    if data != _first_line(rest) + rest:
        return None
    try:
        with np.load(io.BytesIO(rest), allow_pickle=False) as stored:
            arrays = dict(stored)
        facts = json.loads(arrays.pop(_FACTS).tobytes())
        return Checkpoint(search=Snapshot(facts.pop("search"), arrays), **facts)
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        return None  # somebody else wrote it, with a digest


def _first_line(rest: bytes) -> bytes:
    return f"{FORMAT}, {hashlib.sha256(FORMAT.encode() + rest).hexdigest()}\n".encode()

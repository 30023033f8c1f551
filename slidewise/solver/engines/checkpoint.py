"""The file from which a proof goes on after its process has ended, however that came.

It is written under another name and renamed when it is complete, so there is always a whole one.
Importing this module loads numpy.
"""

from __future__ import annotations

import contextlib
import json
import os
import zipfile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slidewise.puzzle import PuzzleError
from slidewise.solver.engines.resuming import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from slidewise.puzzle import Puzzle

try:
    import fcntl
except ImportError:  # Windows, where nobody notices a second proof in a folder
    fcntl = None  # type: ignore[assignment]

FILE_NAME, PART_NAME = "proof.checkpoint", "proof.checkpoint.part"
"""The file in the folder of a proof, and its name while it is written."""

FORMAT = "slidewise proof, 1"

_FACTS = "facts"


class CheckpointError(PuzzleError):
    """A checkpoint that cannot be read, written or used for this puzzle."""


class OtherPuzzleError(CheckpointError):
    """A checkpoint of another puzzle."""


class Checkpoint(NamedTuple):
    """A proof under way: of which puzzle, with which pattern database, and how far it is.

    `path` is the best one known, as cells of the blank, None while beams look for one, as they then
    begin anew; `beams` is what finding it has cost, None before they have looked; `growth` is that
    of the last iteration, and `seconds` the time that the proof has taken.
    """

    puzzle: str
    partition: str
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

    Raises `CheckpointError`.
    """
    file = folder / FILE_NAME
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as stored:
            arrays = dict(stored)
        facts = json.loads(arrays.pop(_FACTS).tobytes())
        if facts.pop("format") == FORMAT:
            found = Checkpoint(search=Snapshot(facts.pop("search"), arrays), **facts)
            return _checked(found, puzzle, file)
    except FileNotFoundError:
        return None
    except OtherPuzzleError:
        raise
    except OSError as error:
        raise CheckpointError(f"cannot read {file}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        pass
    raise CheckpointError(
        f"{file} is torn, or no checkpoint of this version: remove it to begin the proof anew, "
        "or name another folder"
    )


def _checked(found: Checkpoint, puzzle: Puzzle, file: Path) -> Checkpoint:
    """Return the checkpoint if it is of `puzzle`."""
    if found.puzzle != str(puzzle):
        raise OtherPuzzleError(
            f"{file} is the checkpoint of another puzzle, {found.puzzle}: name another folder"
        )
    return found


def write(folder: Path, checkpoint: Checkpoint) -> None:
    """Write the checkpoint in a folder, which is made if need be.

    Raises `CheckpointError`.
    """
    facts: dict[str, Any] = {**checkpoint._asdict(), "format": FORMAT}
    facts["search"] = checkpoint.search.facts
    part = folder / PART_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            text = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
            np.savez(file, allow_pickle=False, **{_FACTS: text}, **checkpoint.search.arrays)
            file.flush()
            os.fsync(file.fileno())
        part.replace(folder / FILE_NAME)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise CheckpointError(
            f"cannot write a checkpoint in {folder}: {error.strerror or error}"
        ) from None

"""Files to grade: files, folders, and the zips of submissions that Moodle and Canvas give."""

import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from slidewise.cli.arguments import UsageError, cannot_read
from slidewise.course.judge.class_files import (
    MAX_ENTRIES,
    MAX_FILES,
    MAX_IN_ZIP,
    MAX_KILOBYTES,
    MAX_TOTAL_KILOBYTES,
    MAX_ZIP_KILOBYTES,
    Submitted,
    read_file_name,
)
from slidewise.course.judge.sources import imported_modules
from slidewise.text import message

MOST_FILES = 50
"""Maximum helper modules of a submission."""

SUFFIXES = (".py", ".ipynb")
ZIP = ".zip"

UTF8_NAME = 0x800
"""Flag of a zip's file whose name is surely UTF-8; Canvas writes UTF-8 without it."""

DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError),
    ValueError,
)
"""Errors of files in zips that are damaged, encrypted or compressed in another way."""


class UnfitError(ValueError):
    """A file of a zip is too large, or is a zip of too many programs or none."""


class FileToGrade(NamedTuple):
    """A file to grade, its name in reports, and the modules next to it.

    `error` is the reason for a file of a zip that cannot be read.
    """

    name: str
    path: Path
    beside: Mapping[str, Path] = MappingProxyType({})
    sent: Submitted | None = None
    error: str = ""

    @property
    def submitted(self) -> Submitted:
        """The student's name and ID, as far as the names of files show them."""
        return self.sent or read_file_name(self.name)


def files_to_grade(names: Iterable[str], unpacked: Path) -> Iterator[FileToGrade]:
    """Yield the submissions: files, the files and subfolders of folders, and the files of zips.

    `unpacked` is an empty folder for the files of zips. Raises `UsageError`.
    """
    for number, name in enumerate(names):
        path = Path(name)
        if path.suffix.lower() == ".zip" and path.is_file():
            yield from _zipped(path, unpacked / str(number))
        elif path.is_dir():
            yield from _in_folder(path, name)
        else:
            yield FileToGrade(name, path, _beside(path))


def _in_folder(path: Path, name: str) -> Iterator[FileToGrade]:
    found = [one for one in sorted(path.iterdir()) if not _is_hidden(one.relative_to(path))]
    shown = [one for one in found if one.suffix in SUFFIXES or (one.is_dir() and _code_in(one))]
    if not shown:
        raise UsageError(message("%(name)s has no .py or .ipynb file", name=name))
    for one in shown:
        yield from _submissions(one, str(one.relative_to(path)))


def _beside(path: Path) -> dict[str, Path]:
    """Return the modules next to a file that it imports, directly or through other modules."""
    found: dict[str, Path] = {}
    todo = [path]
    while todo and len(found) < MOST_FILES:
        for name in imported_modules(todo.pop()):
            module = path.with_name(f"{name}.py")
            if module.name not in found and module != path and module.is_file():
                found[module.name] = module
                todo.append(module)
    return found


def _submissions(path: Path, name: str) -> Iterator[FileToGrade]:
    """Yield a file, or the files of a folder, each with the other modules of its folder."""
    if path.is_file():
        yield FileToGrade(name, path, _beside(path))
        return
    files = _code_in(path)
    sources = {str(one.relative_to(path)): one for one in files if one.suffix == ".py"}
    imported = {
        word for one in sources.values() for word in imported_modules(one) if one.stat().st_size
    }
    # Imported modules are helpers; they are not graded by themselves.
    main = [one for one in files if one.stem not in imported] or files
    for one in main:
        more = {key: path for key, path in sources.items() if path != one}
        yield FileToGrade(f"{name}/{one.relative_to(path)}", one, more)


def _code_in(folder: Path) -> list[Path]:
    found = [one for one in sorted(folder.rglob("*")) if one.suffix in SUFFIXES and one.is_file()]
    return [one for one in found if not _is_hidden(one.relative_to(folder))]


def _is_hidden(file: Path) -> bool:
    """Return whether any part of a path is hidden or a cache such as `__pycache__`."""
    return any(part.startswith((".", "__")) for part in file.parts)


class _Entry(NamedTuple):
    """A file of a zip, by the name that its student gave it."""

    file: str
    info: zipfile.ZipInfo


def _zipped(path: Path, folder: Path) -> Iterator[FileToGrade]:
    """Unpack the programs of a zip into a folder, a subfolder for each student, and yield them."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [one for one in archive.infolist() if not one.is_dir()]
            groups = _by_student(entries[: MAX_ENTRIES + 1])
            programs = sum(map(len, groups.values()))
            if len(entries) > MAX_ENTRIES or programs > MAX_FILES:
                raise UsageError(
                    message(
                        "%(name)s has %(files)s files, %(programs)s of them programs; at most "
                        "%(most)s and %(most_programs)s can be graded at once: make two zips of it",
                        name=str(path),
                        files=len(entries),
                        programs=programs,
                        most=MAX_ENTRIES,
                        most_programs=MAX_FILES,
                    )
                )
            if not groups:
                raise UsageError(message("%(name)s has no .py or .ipynb file", name=str(path)))
            limits = [1000 * MAX_TOTAL_KILOBYTES]
            for number, (sent, files) in enumerate(groups.items()):
                yield from _student_files(archive, sent, files, folder / str(number), limits)
    except UsageError:
        raise
    except DAMAGED as error:
        if isinstance(error, OSError) and error.strerror:
            raise UsageError(cannot_read(str(path), error)) from None
        words = message(
            "%(name)s cannot be unpacked (%(why)s): download it again",
            name=str(path),
            why=str(error),
        )
        raise UsageError(words) from None


def _by_student(entries: Iterable[zipfile.ZipInfo]) -> dict[Submitted, list[_Entry]]:
    """Return the programs and zips by student; a zip without students is a single group.

    A student of an LMS without a program has an empty list.
    """
    groups: dict[Submitted, list[_Entry]] = {}
    for info in entries:
        path = PurePosixPath(_name_of(info).replace("\\", "/"))
        sent = read_file_name(str(path))
        if _is_hidden(Path(path)):
            continue
        if path.suffix.lower() in (*SUFFIXES, ZIP):
            group = groups.setdefault(sent._replace(file=""), [])
            group.append(_Entry(sent.file, info))
        elif sent.student or sent.id:
            groups.setdefault(sent._replace(file=""), [])
    return groups


def _name_of(info: zipfile.ZipInfo) -> str:
    """Return a file's name; `zipfile` decodes names without the UTF-8 flag as cp437."""
    if info.flag_bits & UTF8_NAME:
        return info.filename
    try:
        return info.filename.encode("cp437").decode()
    except UnicodeError:
        return info.filename


def _student_files(
    archive: zipfile.ZipFile,
    sent: Submitted,
    entries: list[_Entry],
    folder: Path,
    limits: list[int],
) -> Iterator[FileToGrade]:
    """Unpack the files of a student and yield those to grade; `limits` are the bytes left."""
    label = "_".join(filter(None, (sent.student, sent.id)))
    if not entries:
        yield FileToGrade(label, folder, sent=sent, error=message("it has no .py or .ipynb file"))
        return
    folder.mkdir(parents=True)
    for file, data in _contents(archive, entries):
        if isinstance(data, str):
            name = f"{label}/{file}" if label else file
            yield FileToGrade(name, folder, sent=sent, error=data)
            continue
        limits[0] -= len(data)
        target = _free_path(folder, file)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        if limits[0] < 0:
            raise UsageError(
                message(
                    "the programs of %(name)s have more than %(kilobytes)s kB unpacked: remove the "
                    "output of notebooks",
                    name=str(archive.filename),
                    kilobytes=MAX_TOTAL_KILOBYTES,
                )
            )
    if not label and _code_in(folder):
        yield from _in_folder(folder, str(archive.filename))
    elif label:
        yield from (one._replace(sent=sent) for one in _submissions(folder, label))


def _contents(
    archive: zipfile.ZipFile, entries: Sequence[_Entry]
) -> Iterator[tuple[str, bytes | str]]:
    """Yield the programs of a zip and of the zips in it: names with contents or errors."""
    for file, info in entries:
        try:
            if not file.lower().endswith(ZIP):
                yield file, _read(archive, info, MAX_KILOBYTES)
                continue
            with zipfile.ZipFile(BytesIO(_read(archive, info, MAX_ZIP_KILOBYTES))) as inner:
                yield from _contents(inner, _programs_in(inner))
        except DAMAGED as error:
            yield file, error.args[0] if isinstance(error, UnfitError) else str(error)


def _programs_in(archive: zipfile.ZipFile) -> list[_Entry]:
    """Return the programs in the zip of a student. Raises `UnfitError`."""
    entries = [_Entry(_name_of(one).replace("\\", "/"), one) for one in archive.infolist()]
    programs = [
        one
        for one in entries
        if one.file.lower().endswith(SUFFIXES) and not _is_hidden(Path(one.file))
    ]
    if not programs:
        raise UnfitError(message("it has no .py or .ipynb file"))
    if len(programs) > MAX_IN_ZIP:
        raise UnfitError(
            message(
                "the zip has %(programs)s programs, at most %(most)s can be graded: remove the "
                "libraries",
                programs=len(programs),
                most=MAX_IN_ZIP,
            )
        )
    return programs


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, kilobytes: int) -> bytes:
    most = 1000 * kilobytes
    with archive.open(info) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise UnfitError(
            message(
                "the file has more than %(kilobytes)s kB; remove its output",
                kilobytes=kilobytes,
            )
        )
    return data


def _free_path(folder: Path, file: str) -> Path:
    """Return a path within a folder for a file, whatever the zip names it."""
    parts = [part.replace(":", "_") for part in PurePosixPath(file).parts]
    path = folder.joinpath(*(part for part in parts if part not in ("/", "..")))
    path = path.with_suffix(path.suffix.lower())
    number = 2
    while path.exists():
        path = path.with_name(f"{number}-{path.name}")
        number += 1
    return path

"""Fills the points of a class into the CSV file of a gradebook, and changes nothing else in it.

Such a file is Moodle's grading worksheet or Canvas's export of grades
(`mod/assign/gradingtable.php` of Moodle, `lib/gradebook_exporter.rb` of Canvas), or any table with
a column of e-mail addresses, IDs or names. Its words are in the language of its site, so columns
are recognised by their cells if possible.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from slidewise.course.judge.exercise import Exercise
from slidewise.puzzle import PuzzleError
from slidewise.text import message

MAX_BYTES: Final = 2_000_000
"""Largest file, 10,000 students with long comments."""

NAMES: Final = {
    *("student", "name", "full name", "first name", "firstname", "lastname", "last name"),
    *("surname", "vollständiger name", "vorname", "nachname", "nombre", "nombre completo"),
    *("apellido", "apellidos", "apellido(s)"),
}
"""Titles of columns with names, in English, German and Spanish."""

IDS: Final = {
    *("id", "identifier", "id number", "idnumber", "sis user id", "sis login id", "username"),
    *("id-nummer", "anmeldename", "matrikelnummer", "identificador", "número de id"),
    *("nombre de usuario", "integration id", "student id", "matriculation number"),
}
"""Titles of columns with IDs."""

GRADES: Final = {"grade", "bewertung", "calificación", "points", "punkte", "puntos"}
"""Titles of the column for grades in worksheets of Moodle and in other tables."""

_CELLS = {
    ",": re.compile(r'"((?:[^"]++|"")*+)"[^,\r\n]*|([^",\r\n][^,\r\n]*|)'),
    ";": re.compile(r'"((?:[^"]++|"")*+)"[^;\r\n]*|([^";\r\n][^;\r\n]*|)'),
    "\t": re.compile(r'"((?:[^"]++|"")*+)"[^\t\r\n]*|([^"\t\r\n][^\t\r\n]*|)'),
}
"""A cell by the separator: groups for a quoted and for a plain value."""
_END = re.compile(r"\r\n|\r|\n|$")
_PARTICIPANT = re.compile(r"\D+([0-9]+)")
"""Moodle's identifier, "Participant 12", "Teilnehmer/in12"; the number is in its file names."""

_ASSIGNMENT = re.compile(r".*\([0-9]+\)\s*", re.DOTALL)
"""Title of an assignment of Canvas: its name and its ID."""

_MAIL = re.compile(r"[^@\s]+@[^@\s]+")
_NUMBER = re.compile(r"\s*([0-9]+)(?:([.,])([0-9]+))?\s*")
_POSSIBLE = "points possible"
"""Row of Canvas with the maximum of each assignment; in English in all languages."""


class UnreadableGradebookError(PuzzleError):
    """A gradebook is no table of students, or has no column for the grades."""


class CsvCell(NamedTuple):
    """A cell, from `start` to `end` of the text, with its quotes."""

    start: int
    end: int
    value: str


class Grade(NamedTuple):
    """The points of a file, None if it was not graded. `names` are a name, an ID or an e-mail."""

    id: str
    names: Sequence[str]
    points: int | None
    possible: int


class Row(NamedTuple):
    """A student of the gradebook; `label` is any of its texts, for messages."""

    line: int
    name: str
    email: str
    id: str
    label: str


class Filled(NamedTuple):
    """A gradebook with the points of a class.

    `students` has the row of each grade, None for a file of nobody in the gradebook or of several
    students. `missing` are the students without a grade. `maximum` is the column's, 0 if unknown.
    """

    data: bytes
    column: str
    maximum: float
    students: list[Row | None]
    missing: list[Row]


class Gradebook:
    """A table of students. Raises `UnreadableGradebookError`."""

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_BYTES:
            raise UnreadableGradebookError(
                message("a gradebook has at most %(most)s bytes", most=MAX_BYTES)
            )
        self.text, self.encoding = _decoded(data)
        rows = list(_rows(self.text))
        self.titles = [cell.value.strip().removeprefix("\ufeff") for cell in rows[0]]
        known = [title.casefold() for title in self.titles]
        width = len(known)
        self.rows = [row for row in rows[1:] if len(row) == width > 1]
        self.possible = next((row for row in self.rows if _is_possible(row)), None)
        self.students = [row for row in self.rows if row != self.possible and _has_student(row)]
        columns = range(width)
        self.emails = [i for i in columns if any(_is_mail(row[i]) for row in self.students)]
        first = [row[0].value.strip() for row in self.students]
        self.identifiers = [0] if first and all(map(_PARTICIPANT.fullmatch, first)) else []
        self.ids = [i for i in columns if known[i] in IDS and i not in self.identifiers]
        self.names = [i for i in columns if known[i] in NAMES]
        if not self.students or not (self.emails or self.identifiers or self.ids or self.names):
            raise UnreadableGradebookError(
                message(
                    "the CSV file has no column of names, IDs or e-mail addresses; use the "
                    "grading worksheet of Moodle, or the exported gradebook of Canvas"
                )
            )

    @property
    def columns(self) -> list[str]:
        """The titles of the columns that can have the grades."""
        used = {*self.emails, *self.identifiers, *self.ids, *self.names}
        free = [title for i, title in enumerate(self.titles) if i not in used and title]
        assignments = [title for title in free if _ASSIGNMENT.fullmatch(title)]
        grades = [title for title in free if title.casefold() in GRADES]
        return assignments or grades or free

    def column_for(self, words: Iterable[str]) -> str:
        """Return the only column for grades or with a word of the exercise, or ""."""
        columns = self.columns
        if len(columns) > 1:
            wanted = [word.casefold() for word in words]
            columns = [one for one in columns if any(word in one.casefold() for word in wanted)]
        return columns[0] if len(columns) == 1 else ""

    def filled(self, grades: Sequence[Grade], column: str) -> Filled:
        """Return the file with each student's best grade, in proportion to the column's maximum."""
        if column not in self.titles:
            raise UnreadableGradebookError(
                message(
                    "the gradebook has no column %(column)s; choose one of these: %(columns)s",
                    column=repr(column[:60]),
                    columns=", ".join(self.columns),
                )
            )
        index = self.titles.index(column)
        students = self._matched(grades)
        best: dict[int, tuple[int, int]] = {}
        for grade, student in zip(grades, students, strict=True):
            if student and grade.points is not None:
                earned = grade.points, grade.possible
                best[student.line] = max(best.get(student.line, (0, 0)), earned)
        maximum, mark = self._maximum(index)
        text = self.text
        for line in sorted(best, reverse=True):
            points, possible = best[line]
            value = _number(points * maximum / possible if maximum and possible else points, mark)
            cell = self.students[line][index]
            if text[cell.start : cell.start + 1] == '"' or (mark == "," and "," in value):
                value = f'"{value}"'
            text = text[: cell.start] + value + text[cell.end :]
        missing = [self._student(line) for line in range(len(self.students)) if line not in best]
        return Filled(text.encode(self.encoding), column, maximum, students, missing)

    def _student(self, line: int) -> Row:
        row = self.students[line]
        names, ids, others = (
            [row[i].value.strip() for i in columns if row[i].value.strip()]
            for columns in (self.names, self.ids, self.identifiers)
        )
        email = next((row[i].value.strip() for i in self.emails if _is_mail(row[i])), "")
        name = " ".join(names)
        label = next(filter(None, (name, email, *ids, *others)), f"row {line + 1}")
        return Row(line, name, email, "".join(ids[:1]), label)

    def _matched(self, grades: Sequence[Grade]) -> list[Row | None]:
        """Return each file's student. A name that contradicts the ID leaves it without one."""
        keys: list[dict[str, list[int]]] = []
        for column in (*self.identifiers, *self.ids, *self.emails):
            keys.append(defaultdict(list))
            for line, row in enumerate(self.students):
                value = row[column].value.strip().casefold()
                number = _PARTICIPANT.fullmatch(value) if column in self.identifiers else None
                keys[-1][number[1] if number else value].append(line)
        names: dict[str, list[int]] = defaultdict(list)
        for line in range(len(self.students)):
            for key in _name_keys(self._student(line).name):
                names[key].append(line)

        def student(grade: Grade) -> Row | None:
            texts = [text.strip().casefold() for text in (grade.id, *grade.names) if text.strip()]
            found = next((table[text] for text in texts for table in keys if text in table), [])
            named = [line for name in grade.names for line in _lines_of(name, names)]
            lines = found or named
            agrees = not found or not named or found[0] in named
            return self._student(lines[0]) if len(set(lines)) == 1 and agrees else None

        return [student(grade) for grade in grades]

    def _maximum(self, column: int) -> tuple[float, str]:
        """Return the maximum of a column, 0 if unknown, and the decimal mark of the file."""
        if self.possible:
            cells = [self.possible[column].value]
        else:  # in a worksheet of Moodle, the column after the grades
            after = column + 1 < len(self.titles) and self.identifiers
            cells = [row[column + 1].value for row in self.students] if after else []
        found = {cell.strip() for cell in cells if cell.strip()}
        number = _NUMBER.fullmatch(found.pop()) if len(found) == 1 else None
        if not number:
            return 0, "."
        whole, mark, part = number.groups()
        return float(f"{whole}.{part or 0}"), mark or "."


def _decoded(data: bytes) -> tuple[str, str]:
    """Return the text and its encoding, with which it has the same bytes."""
    # Python's core has this UTF-16; modules for others are missing in browsers.
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return data.decode(encoding), encoding
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"  # as older spreadsheets save it


def _rows(text: str) -> Iterator[list[CsvCell]]:
    """Yield the rows of a CSV file, whose separator is the most frequent in its first row."""
    first = re.sub(r'"[^"]*"', "", _END.split(text.lstrip("\r\n"), maxsplit=1)[0])
    separator = max(_CELLS, key=first.count)
    pattern = _CELLS[separator]
    at, row = int(text[:1] == "\ufeff"), list[CsvCell]()
    while True:
        found = pattern.match(text, at)
        assert found
        if text[found.end() : found.end() + 1] == '"':  # an opening quote without an end
            raise UnreadableGradebookError(
                message("the CSV file ends within quotes; download it again")
            )
        quoted, plain = found.groups()
        value = plain if quoted is None else quoted.replace('""', '"')
        row.append(CsvCell(at, found.end(), value))
        at = found.end()
        if text[at : at + 1] == separator:
            at += 1
            continue
        yield row
        row = []
        end = _END.match(text, at)
        at = end.end() if end else len(text)
        if at >= len(text):
            return


def _is_possible(row: Sequence[CsvCell]) -> bool:
    return row[0].value.strip().casefold() == _POSSIBLE


def _is_mail(cell: CsvCell) -> bool:
    return _MAIL.fullmatch(cell.value.strip()) is not None


def _has_student(row: Sequence[CsvCell]) -> bool:
    """Return whether a row is of a student; Canvas has notes above the students."""
    return any(cell.value.strip() for cell in row[:4])


def _name_keys(name: str) -> set[str]:
    """Return a name's letters in the orders of words that a gradebook and a file name have.

    >>> sorted(_name_keys("Müller, Ann")), _name_keys("mullerann") <= _name_keys("Ann Müller")
    (['annmuller', 'mullerann'], True)
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    words = [word for word in re.split(r"[\W_]+", plain) if word]
    orders = words, sorted(words), words[-1:] + words[:-1]
    return {"".join(order) for order in orders} - {""}


def _lines_of(name: str, names: dict[str, list[int]]) -> set[int]:
    return {line for key in _name_keys(name) for line in names.get(key, ())}


def _number(value: float, mark: str) -> str:
    """Return a number with at most two decimals.

    >>> _number(8, "."), _number(22 / 3, ","), _number(80.5, ".")
    ('8', '7,33', '80.5')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".").replace(".", mark)


def titles_of(exercise: Exercise) -> list[str]:
    """Return the words in a column's title that show its exercise."""
    return [exercise.key, exercise.title]

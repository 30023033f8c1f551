"""The points of a class in the CSV files of Moodle and Canvas."""

import csv
from io import StringIO

import pytest

from slidewise.course.judge import exercises
from slidewise.course.judge.gradebook import (
    MAX_BYTES,
    Grade,
    Gradebook,
    UnreadableGradebookError,
    titles_of,
)

MOODLE = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade",'
    '"Last modified (grade)"\r\n'
    'Participant 12,"Anna Berg",a.berg@uni.example,"Submitted, late",,10.00,-\r\n'
    'Participant 13,"Ben ""B"" Fischer",b.fischer@uni.example,Submitted,"4.00",10.00,-\r\n'
    'Participant 14,"Cleo Conti",c.conti@uni.example,No submission,,10.00,"Monday, 3 May"\r\n'
)
GERMAN = (
    "ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Höchstwertung;Zuletzt geändert\n"
    "Teilnehmer/in12;Anna Berg;a.berg@uni.example;;;20,00;-\n"
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,BFS (991),A* search (992),Current Score\n"
    ",,,,,Manual Posting,,\n"
    "    Points Possible,,,,,20,10,(read only)\n"
    '"Müller, Zoë",55,s055,z.mueller@uni.example,S1,,N/A,93.5\n'
    '"Berg, Anna Maria",56,s056,a.berg@uni.example,S1,,,\n'
    '"Student, Test",99,,99f3,S1,,,\n'
)


def grade(points: int | None, *names: str, number: str = "") -> Grade:
    return Grade(number, names, points, 10)


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf"], ids=["plain", "BOM"])
@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r"], ids=["CRLF", "LF", "CR"])
def test_only_the_cells_of_grades_change(before, ending):
    data = before + MOODLE.replace("\r\n", ending).encode()
    filled = Gradebook(data).filled([grade(8, number="12"), grade(7, number="13")], "Grade")
    expected = data.replace(b'late",,', b'late",8,').replace(b'"4.00"', b'"7"')
    assert filled.data == expected


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_bytes_of_each_encoding_are_preserved(encoding):
    data = GERMAN.encode(encoding)
    filled = Gradebook(data).filled([grade(7, "anna berg")], "Bewertung")
    assert filled.data.decode(encoding) == GERMAN.replace(";;;20", ";;14;20")


def test_decimal_comma_of_the_file_is_used_and_quoted():
    table = GERMAN.replace("20,00", "1,50")
    filled = Gradebook(table.encode()).filled([grade(7, "Anna Berg")], "Bewertung")
    ((_, row),) = [list(csv.reader(StringIO(filled.data.decode()), delimiter=";"))]
    assert row[4] == "1,05"


def test_grades_of_canvas_are_in_proportion_to_points_possible():
    book = Gradebook(CANVAS.encode())
    filled = book.filled([grade(7, number="55"), grade(10, "bergannamaria")], "BFS (991)")
    assert [row["BFS (991)"] for row in csv.DictReader(StringIO(filled.data.decode()))][2:] == [
        "14",
        "20",
        "",
    ]
    assert [row.name for row in filled.missing] == ["Student, Test"]


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("12", "Anna Berg"),
        ("12", ""),
        ("12", "Participant"),
        ("", "anna berg"),
        ("", "Berg, Anna"),
        ("", "berganna"),
        ("", "A.Berg@uni.example"),
        ("", "participant 12"),
    ],
)
def test_student_is_found_by_id_email_or_name(number, name):
    one = grade(8, *filter(None, [name]), number=number)
    (student,) = Gradebook(MOODLE.encode()).filled([one], "Grade").students
    # Moodle's "Participant 12" is matched by its number alone
    assert (student and student.name) == (None if name == "participant 12" else "Anna Berg")


@pytest.mark.parametrize(
    ("number", "names"),
    [("99", ("Dora",)), ("13", ("Anna Berg",)), ("", ()), ("", ("",))],
    ids=["nobody", "name of another student", "no name", "empty name"],
)
def test_file_of_no_certain_student_changes_nothing(number, names):
    filled = Gradebook(MOODLE.encode()).filled([grade(8, *names, number=number)], "Grade")
    assert (filled.students, filled.data) == ([None], MOODLE.encode())


def test_name_of_two_students_matches_neither():
    twice = MOODLE.replace("Cleo Conti", "Anna Berg").encode()
    filled = Gradebook(twice).filled([grade(8, "Anna Berg")], "Grade")
    assert (filled.students, filled.data) == ([None], twice)


def test_ungraded_file_leaves_its_cell():
    filled = Gradebook(MOODLE.encode()).filled([grade(None, number="13")], "Grade")
    assert filled.data == MOODLE.encode()
    assert filled.students[0].name == 'Ben "B" Fischer'


def test_best_file_of_a_student_counts():
    grades = [grade(points, number="12") for points in (3, 8, None, 5)]
    filled = Gradebook(MOODLE.encode()).filled(grades, "Grade")
    assert b'late",8,' in filled.data


@pytest.mark.parametrize(
    ("text", "key", "column"),
    [
        (MOODLE, "bfs", "Grade"),
        (GERMAN, "bfs", "Bewertung"),
        (CANVAS, "bfs", "BFS (991)"),
        (CANVAS, "ucs", ""),
        ("Name,Quiz\nAnna,\n", "bfs", "Quiz"),
    ],
)
def test_column_for_the_grades_is_found(text, key, column):
    book = Gradebook(text.encode())
    assert book.column_for(titles_of(exercises()[key])) == column
    assert not column or column in book.columns


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no column of names"),
        (b"\x00\xff\x00", "no column of names"),
        (b"Name,Grade\n", "no column of names"),
        (b"a,b\n1,2\n", "no column of names"),
        (b'Name,Grade\n"Anna,\n', "ends within quotes"),
        (b"x" * (MAX_BYTES + 1), "at most"),
    ],
)
def test_other_files_are_refused(data, words):
    with pytest.raises(UnreadableGradebookError, match=words):
        Gradebook(data)


def test_number_of_a_participant_is_no_id_of_a_student():
    blind = "Identifier,Grade,Maximum Grade\nParticipant 12,,10\n"
    (row,) = Gradebook(blind.encode()).filled([grade(8, number="12")], "Grade").students
    assert (row.id, row.label) == ("", "Participant 12")


def test_unknown_column_is_named_with_the_others():
    with pytest.raises(UnreadableGradebookError, match="choose one of these: BFS"):
        Gradebook(CANVAS.encode()).filled([], "Points")

"""`slidewise grade` on a class: zips of Moodle and Canvas, gradebooks, programs that are alike."""

import csv
import io
import zipfile
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest

from slidewise.course.cli import submissions
from slidewise.course.judge import exercises
from slidewise.course.judge.class_files import read_file_name
from tests.course.judge.submitted import NAMES

ZERO = exercises()["find_zero"].solution
WRONG = next(one for one in exercises()["find_zero"].mistakes if one.key == "width-3").programs[0]
BFS = exercises()["bfs"].solution
SHEET = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (grade)
Participant 12,Anna Berg,a@uni.example,Submitted,,100.00,-
Participant 13,Ben Fischer,b@uni.example,Submitted,,100.00,-
Participant 14,Cleo Conti,c@uni.example,Submitted,5.00,100.00,-
Participant 15,Dora Demir,d@uni.example,No submission,,100.00,-
"""


def zip_of(files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


@pytest.fixture
def grade(tmp_path, cli, monkeypatch):
    """Return a function that grades a zip."""
    monkeypatch.chdir(tmp_path)

    def grade_zip(data: bytes, *options: str):
        Path("class.zip").write_bytes(data)
        return cli("grade", "class.zip", *options)

    return grade_zip


@pytest.mark.parametrize(("name", "parts"), NAMES.items(), ids=range(len(NAMES)))
def test_names_in_zips_have_student_id_and_file(name, parts):
    assert read_file_name(name) == parts


MOODLE = {
    "Anna Berg_12_assignsubmission_file/zero.py": ZERO,
    "Ben Fischer_13_assignsubmission_file_zero.py": WRONG,
    "Cleo Conti_14_assignsubmission_file/zero.py": "x = 1",
    "Emil_99_assignsubmission_file/notes.pdf": "pdf",
}


def test_zip_and_worksheet_of_moodle_give_the_filled_worksheet(grade):
    Path("sheet.csv").write_text(SHEET)
    done = grade(zip_of(MOODLE), "--gradebook", "sheet.csv", "--exercise", "find_zero")
    assert Path("sheet.csv").read_text() == SHEET
    expected = SHEET.replace("Submitted,,", "Submitted,100,", 1)
    points = done.out.partition("Ben Fischer_13/zero.py: ")[2][:1]
    expected = expected.replace("Submitted,,", f"Submitted,{points}0,", 1)
    assert Path("sheet-filled.csv").read_text() == expected
    assert "sheet-filled.csv: 2 grades in Grade" in done.err
    assert "in proportion to its maximum, 100" in done.err
    assert "Cleo Conti_14/zero.py was not graded" in done.err
    assert "Emil_99 is of nobody" in done.err
    assert "Dora Demir has no file" in done.err
    assert "Emil_99: cannot be graded: it has no .py or .ipynb file" in done.out


def test_files_of_a_student_in_a_zip_are_one_submission(grade):
    helper = "def width_of(board):\n    return int(len(board) ** 0.5)\n"
    main = "from helper import width_of\n" + ZERO.replace("isqrt(len(board))", "width_of(board)")
    files = {"berganna_55_1_zero.py": main, "berganna_55_2_helper.py": helper}
    rows = list(csv.DictReader(StringIO(grade(zip_of(files), "--csv").out)))
    found = [(row["file"], row["points"], row["name"], row["id"]) for row in rows]
    assert found == [("berganna_55/zero.py", "10", "berganna", "55")]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"hw/zero.py": ZERO, "__MACOSX/._zero.py": "x"}, "ben_1/hw/zero.py: 10 of 10 points"),
        ({"notes.txt": "x"}, "ben_1/hw.zip: cannot be graded: it has no .py or .ipynb file"),
        ({f"{n}.py": ZERO for n in range(51)}, "the zip has 51 programs, at most 50"),
        ({"inner.zip": "x"}, "it has no .py or .ipynb file"),
    ],
    ids=["programs", "none", "library", "zip"],
)
def test_zip_of_a_student_is_opened(grade, files, words):
    assert words in grade(zip_of({"ben_1_2_hw.zip": zip_of(files)})).out


def test_damaged_zip_of_a_student_leaves_the_others(grade):
    done = grade(zip_of({"ann_1_2_hw.zip": "no zip", "ben_2_3_zero.py": ZERO}))
    assert "ann_1/hw.zip: cannot be graded" in done.out
    assert "ben_2/zero.py: 10 of 10 points" in done.out


def test_zips_in_a_zip_are_opened_by_their_own_names(grade):
    name = "Anna Berg_12_assignsubmission_file/zero.py"
    (row,) = csv.DictReader(StringIO(grade(zip_of({"all.zip": zip_of({name: ZERO})}), "--csv").out))
    assert (row["name"], row["id"], row["points"]) == ("Anna Berg", "12", "10")


def test_other_zips_are_graded_as_folders(grade):
    files = {"anna/a.py": ZERO, "ben.py": ZERO, "__MACOSX/._ben.py": "x", "notes.txt": "x"}
    done = grade(zip_of(files))
    assert done.code == 0
    assert [line for line in done.out.splitlines() if "of 10 points" in line] == [
        "anna/a.py: 10 of 10 points",
        "ben.py: 10 of 10 points",
    ]


def test_name_without_a_flag_is_read_as_utf8():
    info = zipfile.ZipInfo("müllerzoë_1_2_a.py")
    info.flag_bits = 0
    info.filename = "müllerzoë_1_2_a.py".encode().decode("cp437")
    (student,) = submissions._by_student([info])
    assert student.student == "müllerzoë"


def test_names_cannot_leave_the_folder(tmp_path, grade):
    names = ["../../out.py", "/etc/out.py", "C:\\out.py", "a_1_assignsubmission_file/../../out.py"]
    done = grade(zip_of(dict.fromkeys(names, ZERO)))
    assert done.out.count("10 of 10 points") == 2
    assert sorted(one.name for one in tmp_path.rglob("*")) == ["class.zip"]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"notes.txt": "x"}, "has no .py or .ipynb file"),
        ({f"{n}.py": "" for n in range(301)}, "make two zips"),
    ],
)
def test_zip_without_programs_or_with_too_many_is_refused(grade, files, words):
    done = grade(zip_of(files))
    assert (done.code, words in done.err) == (2, True)


def test_zip_larger_than_its_bounds_is_refused(grade, monkeypatch):
    monkeypatch.setattr(submissions, "MAX_TOTAL_KILOBYTES", 1)
    done = grade(zip_of({"a.py": "#" * 900, "b.py": "#" * 900}))
    assert (done.code, "more than 1 kB unpacked" in done.err) == (2, True)


def test_large_file_of_a_zip_is_reported_and_the_others_graded(grade):
    done = grade(zip_of({"a_1_2_big.py": "#" * 600_000, "b_2_3_zero.py": ZERO}))
    assert "a_1/big.py: cannot be graded: the file has more than 500 kB" in done.out
    assert "b_2/zero.py: 10 of 10 points" in done.out


@pytest.mark.parametrize("damage", ["text", "cut", "method", "encrypted"])
def test_damaged_zip_has_a_clear_error(grade, damage):
    data = bytearray(zip_of({"a.py": ZERO}))
    directory = data.rindex(b"PK\x01\x02")
    if damage == "text":
        data = bytearray(b"no zip")
    elif damage == "cut":
        del data[-10:]
    elif damage == "method":
        data[directory + 10] = data[8] = 99
    else:
        data[directory + 8] |= 1
        data[6] |= 1
    done = grade(bytes(data))
    assert done.code == 2
    assert "cannot be" in done.err + done.out
    assert "Traceback" not in done.err


def test_alike_programs_are_listed_and_in_the_csv(grade):
    files = {"a.py": BFS, "b.py": BFS.replace("queue", "frontier"), "c.py": ZERO, "d.py": ZERO}
    done = grade(zip_of(files))
    assert "a reason to ask, not proof:\n      a.py, b.py" in done.out
    rows = list(csv.DictReader(StringIO(grade(zip_of(files), "--csv").out)))
    assert [row["alike"] for row in rows] == ["b.py", "a.py", "", ""]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--gradebook", "no.csv"], "no.csv"),
        (["--gradebook", "class.zip"], "no column of names"),
        (["--gradebook", "sheet.csv", "--column", "Points"], "choose one of these: Grade"),
        (["--column", "Grade"], "--gradebook"),
    ],
)
def test_unusable_gradebook_is_refused_before_grading(grade, options, words):
    Path("sheet.csv").write_text(SHEET)
    done = grade(zip_of(MOODLE), *options)
    assert (done.code, done.out, words in done.err) == (2, "", True)


def test_named_exercises_need_a_choice_before_grading(grade):
    Path("sheet.csv").write_text(SHEET)
    named = {f"{key}.py": f"# Slidewise exercise: {key}\n" for key in ("bfs", "find_zero")}
    done = grade(zip_of(named), "--gradebook", "sheet.csv")
    assert (done.code, done.out) == (2, "")
    assert "the exercises bfs, find_zero" in done.err


def test_gradebook_of_another_course_is_not_filled(grade):
    Path("sheet.csv").write_text(SHEET)
    done = grade(zip_of({"Emil_99_assignsubmission_file/a.py": ZERO}), "--gradebook", "sheet.csv")
    assert (done.code, "is it of this course?" in done.err) == (2, True)
    assert not Path("sheet-filled.csv").exists()


def test_exercise_of_a_header_is_judged_as_with_its_option(grade):
    code = "# Slidewise exercise: bfs\n" + BFS.replace("(came_from, goal)", "(came_from, goal)[1:]")
    with_option = grade(zip_of({"a.py": code}), "--exercise", "bfs").out
    assert "the path begins at" in with_option
    assert grade(zip_of({"a.py": code})).out == with_option


def test_several_exercises_or_columns_need_a_choice(grade):
    Path("sheet.csv").write_text(SHEET)
    Path("many.csv").write_text("Name,Quiz,Essay\nAnna,,\n")
    both = zip_of({"a_1_2_a.py": ZERO, "b_2_3_b.py": BFS})
    assert "--exercise" in grade(both, "--gradebook", "sheet.csv").err
    one = zip_of({"Anna_1_assignsubmission_file/a.py": ZERO})
    assert "with --column: Quiz, Essay" in grade(one, "--gradebook", "many.csv").err
    assert grade(one, "--gradebook", "many.csv", "--column", "Essay").code == 0
    assert Path("many-filled.csv").read_text() == "Name,Quiz,Essay\nAnna,,10\n"

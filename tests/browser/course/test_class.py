"""A class's files are graded in the teacher's browser; nothing is sent."""

import csv
import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from io import BytesIO, StringIO
from itertools import cycle
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest
from playwright.sync_api import FilePayload, Page, Request, expect

from slidewise.course.judge import exercises, judge
from slidewise.course.judge.class_files import header, read_seed
from slidewise.course.judge.report import Rules
from tests.browser.steps import block_python, expect_to_fit_without_axe_violations, wait_for_module
from tests.conftest import SOAK
from tests.course.cli.test_grade_class import zip_of
from tests.course.judge.hostile import ATTACKS, FILES, WRONG, hostile_program
from tests.course.judge.submitted import NAMES
from tests.each import some

MINUTES = 60_000
ENDLESS = "def bfs(start, goal):\n    sum(iter(int, 1))\n"
ENDLESS_ZERO = b"import inspect\ndef find_zero(board):\n sum(iter(int, 1))"
KEYS = ("find_zero", "neighbors", "manhattan", "idastar", "bfs", "astar", "path", "ucs")


ANN_IS_SLOW = """
  const { text } = Blob.prototype;
  Blob.prototype.text = function () {
    if (this.name !== "bfs-ann.py") return text.call(this);
    return new Promise((resolve) => {
      window.readAnn = async () => {
        resolve(await text.call(this));
        await new Promise((later) => { setTimeout(later); }); // the page has it by then
      };
    });
  };
"""


def handed_in(key: str, code: str, student: str, seed: int = 1) -> FilePayload:
    head = header(key, seed, Rules()) + f"# Name: {student}\n\n"
    name = f"{key}-{student.lower().replace(' ', '-')}.py"
    return {"name": name, "mimeType": "text/x-python", "buffer": (head + code).encode()}


def class_of(
    wrong: Sequence[str], right: Sequence[str]
) -> tuple[list[FilePayload], dict[str, str]]:
    """Return files of students for these exercises, and the planted mistakes of the wrong ones."""
    files, planted = [], {}
    for number, key in enumerate(wrong):
        mistake = exercises()[key].mistakes[0]
        planted[f"Wrong {number}"] = mistake.title
        files.append(handed_in(key, mistake.programs[0], f"Wrong {number}"))
    for number, key in enumerate(right):
        files.append(handed_in(key, exercises()[key].solution, f"Right {number}"))
    return files, planted


@pytest.fixture
def class_page(staying_page: Page) -> Page:
    """Return the page of a class; it stays open, so that its runs load Python but once."""
    page = staying_page
    page.set_viewport_size({"width": 1280, "height": 720})
    if not page.url.endswith("/learn/class"):
        page.goto("/learn/class")
    choose_exercise(page, "")
    return page


def choose_exercise(page: Page, key: str) -> None:
    page.locator("#exercise").evaluate("(one, key) => { one.value = key; }", key)


def grade(page: Page, files: list[FilePayload]) -> None:
    page.locator("#files").set_input_files(files)
    expect(page.locator("#state")).to_contain_text("ready")  # these files, not those before
    page.locator("#run").click()


def row(page: Page, student: str) -> str:
    return page.locator("#rows tr", has=page.locator("th", has_text=student)).inner_text()


@pytest.mark.parametrize(
    ("wrong", "right"), some([(KEYS[:1], ["annealing"]), (KEYS, KEYS + KEYS[:4])], 0)
)
def test_each_planted_mistake_of_a_class_is_named(
    class_page: Page, wrong: Sequence[str], right: Sequence[str]
) -> None:
    page = class_page
    files, planted = class_of(wrong, right)
    requests: list[Request] = []

    def note(request: Request) -> None:
        requests.append(request)

    page.on("request", note)
    grade(page, files)
    all_graded = f"{len(files)} of {len(files)} files graded"
    expect(page.locator("#state")).to_contain_text(all_graded, timeout=5 * MINUTES)
    page.remove_listener("request", note)
    for student, title in planted.items():
        assert title in row(page, student)
    assert "10 of 10" in row(page, "Right 0")
    expect(page.locator("#rows .points", has_text="10 of 10")).to_have_count(len(right))
    expect(page.locator("#mistakes li")).to_have_count(len(wrong))
    expect(page.locator("#rows")).not_to_contain_text("Read its code")
    page.locator("#mistakes button").first.click()
    expect(page.locator("#mistake .mini").first).to_be_visible()
    expect(page.locator("#rows tr:visible")).to_have_count(1)
    page.locator("#mistakes button").first.click()
    expect(page.locator("#rows tr:visible")).to_have_count(len(files))
    sent = [request for request in requests if not request.url.startswith("blob:")]
    assert {request.method for request in sent} <= {"GET"}
    assert all("/learn/write/files/" in request.url for request in sent)
    assert not any(request.post_data for request in sent)
    expect_to_fit_without_axe_violations(page)


def test_stopped_file_and_unreadable_ones_leave_the_rest(class_page: Page) -> None:
    page = class_page
    choose_exercise(page, "find_zero")
    right = exercises()["find_zero"].solution
    grade(
        page,
        [
            {"name": "a.py", "mimeType": "", "buffer": ENDLESS_ZERO},
            {"name": "b.py", "mimeType": "", "buffer": b"def find_zero(board)\n  x"},
            {"name": "c.ipynb", "mimeType": "", "buffer": b"{}"},
            {"name": "d.py", "mimeType": "", "buffer": b"x" * 600_000},
            handed_in("bfs", right, "=HYPERLINK(1)"),
            {"name": "e.ipynb", "mimeType": "", "buffer": page.request.get(
                "/learn/write/find_zero.ipynb").body()},
            {"name": "f.py", "mimeType": "", "buffer": b"\n"},
        ],
    )  # fmt: skip
    expect(page.locator("#state")).to_contain_text("Running 2 of 7: a.py")
    page.locator("#skip").click()
    expect(page.locator("#state")).to_contain_text("of 7 files graded", timeout=MINUTES)
    assert "Skipped" in row(page, "a.py")
    assert "SyntaxError in line 1: expected ':'" in row(page, "b.py")
    assert "?" in row(page, "c.ipynb")
    assert "no notebook" in row(page, "c.ipynb")
    assert "more than 500 kB" in row(page, "d.py")
    assert "10 of 10" in row(page, "=HYPERLINK(1)")
    assert "0 of 10" in row(page, "e.ipynb")
    assert "The file is empty" in row(page, "f.py")
    with page.expect_download() as download:
        page.locator("#csv").click()
    table = list(csv.DictReader(StringIO(download.value.path().read_text())))
    assert [result["points"] for result in table] == ["10", "", "0", "", "", "0", ""]
    assert "'=HYPERLINK(1)" in [result["name"] for result in table]


def test_hostile_files_of_a_class_get_no_points(class_page: Page) -> None:
    """One attack on the judge per file, and for each exercise a search for its solution.

    `make soak` makes all of those on the judge and of the exercises, as the tests of the judge do
    without a browser.
    """
    all_attacks = *ATTACKS.values(), FILES
    on_the_judge = [attack for attack in all_attacks if "KEY" not in attack]
    in_search = [attack for attack in all_attacks if "KEY" in attack]
    keys = [*WRONG]
    if not SOAK:
        on_the_judge, keys = on_the_judge[::8], keys[::8]
    programs = [
        *((key, hostile_program(key, *in_search)) for key in keys),
        *(
            (key, hostile_program(key, attack))
            for key, attack in zip(cycle(keys), on_the_judge, strict=False)
        ),
    ]
    files = [
        handed_in(key, program, f"Hostile {number:02}")
        for number, (key, program) in enumerate(programs)
    ]
    page = class_page
    grade(page, files)
    state = page.locator("#state")
    expect(state).to_contain_text(f"of {len(files)} files graded", timeout=10 * MINUTES)
    expect(state).to_contain_text("0 with all points")
    fair = {key: judge(key, WRONG[key]).points for key in keys}
    for number, (key, _) in enumerate(programs):
        assert points(page, f"Hostile {number:02}") <= fair[key] < 10, (number, key)
    expect(page.locator("#rows")).to_contain_text("Read its code")


def points(page: Page, student: str) -> int:
    row = page.locator("#rows tr", has=page.locator("th", has_text=student))
    read = row.locator(".points .visually-hidden")
    return int((read.text_content() or "").split()[0]) if read.count() else 0


def test_stop_leaves_the_other_files_out(class_page: Page) -> None:
    page = class_page
    grade(page, [handed_in("bfs", ENDLESS, "Endless"), handed_in("bfs", ENDLESS, "Other")])
    expect(page.locator("#state")).to_contain_text("Running 1 of 2")
    page.locator("#stop").press("Enter")
    expect(page.locator("#state")).to_contain_text("Stopped. 0 of 2 files graded")
    assert "Not run" in row(page, "Other")
    expect(page.locator("#run")).to_be_focused()


def test_name_as_seed_has_the_number_of_the_library(class_page: Page) -> None:
    page = class_page
    seeds = ["anna", "7", "Zoë B.", "", "日本"]
    found = page.evaluate(
        """async (seeds) => {
          const { src } = document.querySelector("script[src*='course/learn/class.js']");
          const { seedOf } = await import(src);
          return seeds.map((seed) => seedOf(seed) ?? 1);
        }""",
        seeds,
    )
    assert found == [read_seed(seed) for seed in seeds]


@pytest.mark.own_page
def test_files_chosen_last_are_graded_even_if_read_first(page: Page) -> None:
    page.add_init_script(ANN_IS_SLOW)
    page.goto("/learn/class")
    wait_for_module(page, "course/learn/class")
    for students in ("Ann",), ("Bob", "Cid"):
        page.locator("#files").set_input_files([handed_in("bfs", "", name) for name in students])
    expect(page.locator("#state")).to_have_text("2 files are ready.")
    page.evaluate("readAnn()")
    expect(page.locator("#state")).to_have_text("2 files are ready.")


def test_names_in_zips_are_read_as_by_the_library(class_page: Page) -> None:
    found = class_page.evaluate(
        """async (names) => {
          const { src } = document.querySelector("script[src*='course/learn/class.js']");
          const { submittedAs } = await import(src.replace("class.js", "class_files.js"));
          return names.map(submittedAs);
        }""",
        list(NAMES),
    )
    assert [tuple(one.values()) for one in found] == list(NAMES.values())


def streamed(files: dict[str, str]) -> bytes:
    """Return a zip that is written as it is sent, with sizes of 64 bits behind each file."""

    class Stream(BytesIO):
        def seekable(self) -> bool:
            return False

    stream = Stream()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(text.encode())
    return stream.getvalue()


ONE = {"anna_1_2_bfs.py": "x = 1\n" * 100}
STORED = zip_of(ONE, ZIP_STORED)
LIBRARY = {f"{n}.py": "" for n in range(51)}
OF_UNKNOWN = "# Slidewise exercise: rows-out\nx = 1\n"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (streamed(ONE), "1 file is ready."),
        (zip_of({"anna_1_2_hw.zip": zip_of({"a/bfs.py": "x", "b/x.png": ""})}), "1 file is ready."),
        (STORED + b"PK", "is no zip"),
        (b"no zip", "is no zip"),
        (STORED.replace(b"PK\1\2", b"PK\1\3"), "is damaged"),
        (zip_of({}), "It has no .py"),
        (zip_of({f"{n}.txt": "" for n in range(5_001)}), "at most 5,000|at most 5000"),
    ],
    ids=["streamed", "nested", "cut", "text", "damaged", "empty", "many"],
)
def test_zip_is_read_or_refused_with_a_reason(class_page: Page, data: bytes, words: str) -> None:
    file: FilePayload = {"name": "class.zip", "mimeType": "", "buffer": data}
    class_page.locator("#files").set_input_files(file)
    shown = class_page.locator("#state" if "ready" in words else "#refused")
    expect(shown).to_contain_text(re.compile(words))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.replace(b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1"), "password"),
        (lambda data: data[:51] + b"\xff" * 4 + data[55:], "damaged"),
        (lambda _: zip_of({"anna_1_2_bfs.py": "#" * 600_000}), "more than 500 kB"),
        (lambda _: zip_of({"anna_1_2_x.py": OF_UNKNOWN}), "rows-out is not here"),
        (lambda _: zip_of({"anna_1_2_x.zip": zip_of({"x.txt": ""})}), "no .py or .ipynb file"),
        (lambda _: zip_of({"anna_1_2_x.zip": zip_of(LIBRARY)}), "has 51 programs"),
    ],
    ids=["encrypted", "damaged", "large", "unknown", "no-program", "library"],
)
def test_unreadable_program_of_a_zip_is_a_row(
    class_page: Page, change: Callable[[bytes], bytes], words: str
) -> None:
    data = change(zip_of(ONE))
    file: FilePayload = {"name": "class.zip", "mimeType": "", "buffer": data}
    grade(class_page, [file])
    expect(class_page.locator("#state")).to_contain_text("0 of 1 files graded", timeout=MINUTES)
    assert words in row(class_page, "anna")
    assert "?" in row(class_page, "anna")


def test_too_many_files_are_refused(class_page: Page) -> None:
    page = class_page
    content = {"mimeType": "", "buffer": b"x"}
    page.locator("#files").set_input_files([{"name": f"{n}.py", **content} for n in range(301)])
    expect(page.locator("#refused")).to_contain_text("at most 300")
    expect(page.locator("#run")).to_be_disabled()


SHEET = (
    "\ufeffIdentifier;Vollständiger Name;E-Mail-Adresse;Bewertung;Höchstwertung\r\n"
    'Teilnehmer/in12;"Berg, Anna";a@uni.example;;20,00\r\n'
    'Teilnehmer/in13;"von Fischer, Ben";b@uni.example;"3,00";20,00\r\n'
    "Teilnehmer/in14;Cleo Conti;c@uni.example;;20,00\r\n"
)
"""A worksheet of a German Moodle."""
DROP = """async (files) => {
  const [zip, sheet] = files.map((file) => Uint8Array.from(atob(file), (one) => one.charCodeAt(0)));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([zip], "class.zip"));
  dataTransfer.items.add(new File([sheet], "sheet.csv"));
  const event = new DragEvent("drop", { bubbles: true, dataTransfer });
  document.getElementById("drop").dispatchEvent(event);
}"""


def dropped(page: Page, data: bytes, encoding: str = "utf-8") -> None:
    page.evaluate(DROP, [b64encode(one).decode() for one in (data, SHEET.encode(encoding))])


def test_dropped_zip_and_worksheet_give_the_filled_worksheet(class_page: Page) -> None:
    """The last on its page, which has the worksheet from then on."""
    page = class_page
    choose_exercise(page, "neighbors")
    solution = exercises()["neighbors"].solution
    files = {
        "Anna Berg_12_assignsubmission_file/neighbors.py": "from helper import isqrt\n" + solution,
        "Anna Berg_12_assignsubmission_file/helper.py": "from math import isqrt\n",
        "Ben von Fischer_13_assignsubmission_file/n.py": solution.replace("found", "boards"),
        "Dora_99_assignsubmission_file/empty.py": "x = 1\n",
        "Emil_98_assignsubmission_file/essay.pdf": "",
    }
    wait_for_module(page, "course/learn/class")
    dropped(page, zip_of(files))
    expect(page.locator("#state")).to_have_text("4 files are ready. sheet.csv will be filled in.")
    page.locator("#run").click()
    expect(page.locator("#fill")).to_be_visible(timeout=5 * MINUTES)
    expect(page.locator(".btn.primary:visible")).to_have_text("Download it")
    with page.expect_download() as download:
        page.locator("#fill").click()
    expected = SHEET.replace("a@uni.example;;", "a@uni.example;20;").replace('"3,00"', '"20"')
    assert download.value.path().read_bytes() == expected.encode()
    assert download.value.suggested_filename == "sheet.csv"
    expect(page.locator("#unmatched-list li")).to_contain_text(["Dora", "Emil", "Cleo Conti"])
    expect(page.locator("#right")).to_have_text("2")
    expect(page.locator("#unread")).to_have_text("2")
    assert "a@uni.example" in row(page, "Berg, Anna")
    for system, kind, words in (
        ("moodle", "email", 'a@uni.example,"Berg, Anna",10'),
        ("canvas", "email", '"von Fischer, Ben",,,b@uni.example,,10'),
    ):
        page.locator(f"[name=known-by][value={kind}]").check()
        with page.expect_download() as download:
            page.locator(f"#{system}").click()
        assert words in download.value.path().read_text()
    expect(page.locator(".same")).to_have_text(["Ben v.", "Anna B."])
    page.locator("#rows tr", has_text="Fischer").locator(".same").click()
    expect(page.locator(".programs pre")).to_have_count(2)
    page.locator("#find").fill("dora")
    expect(page.locator("#rows tr:visible")).to_have_count(1)
    page.locator("#rows tr:visible .see").click()
    page.locator(".class-tell [name=function]").fill("x")
    expect_to_fit_without_axe_violations(page)
    page.locator(".class-tell button").click()
    expect(page.locator("#state")).to_contain_text("was not read again", timeout=MINUTES)


@pytest.mark.own_page
def test_gradebook_of_another_course_is_not_filled(page: Page) -> None:
    page.goto("/learn/class")
    wait_for_module(page, "course/learn/class")
    files = {f"Participant_{n}_assignsubmission_file/x.py": "" for n in (98, 99)}
    dropped(page, zip_of(files), "utf-16")
    choose_exercise(page, "bfs")
    page.locator("#run").click()
    expect(page.locator("#gradebook-state")).to_contain_text("of this course", timeout=MINUTES)
    expect(page.locator("#fill")).to_be_hidden()
    expect(page.locator("#rows th")).to_contain_text(["Participant 98", "Participant 99"])


def test_file_to_hand_in_has_code_seed_rules_and_name(page: Page) -> None:
    block_python(page)
    page.goto("/learn/write/find_zero?seed=7&rules=strict")
    page.locator("#code").fill("# Seed: 9\ndef find_zero(board): return 0, 0")
    page.locator(".give summary").click()
    page.locator("#name").fill("Anna B.")
    with page.expect_download() as download:
        page.locator("#give-download").click()
    assert download.value.suggested_filename == "find_zero-anna-b.py"
    assert download.value.path().read_text() == (
        header("find_zero", 7, Rules(strict=True))
        + "# Name: Anna B.\n\ndef find_zero(board): return 0, 0\n"
    )
    expect_to_fit_without_axe_violations(page)

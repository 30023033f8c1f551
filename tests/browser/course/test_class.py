"""A class's files are graded in the teacher's browser; nothing is sent."""

import csv
from collections.abc import Sequence
from io import StringIO
from itertools import cycle

import pytest
from playwright.sync_api import FilePayload, Page, Request, expect

from slidewise.course.judge import exercises, judge
from slidewise.course.judge.class_files import header, read_seed
from slidewise.course.judge.report import Rules
from tests.browser.steps import block_python, expect_to_fit_without_axe_violations, wait_for_module
from tests.conftest import SOAK
from tests.course.judge.hostile import ATTACKS, FILES, WRONG, hostile_program
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
    return page


def grade(page: Page, files: list[FilePayload]) -> None:
    page.locator("#files").set_input_files(files)
    expect(page.locator("#state")).to_contain_text("ready")  # these files, not those before
    page.locator("#run").click()


def row(page: Page, student: str) -> str:
    return page.locator("#rows tr", has=page.locator("th", has_text=student)).inner_text()


@pytest.mark.parametrize(
    ("wrong", "right"), some([(KEYS[:3], KEYS[3:4]), (KEYS, KEYS + KEYS[:4])], 0)
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
    expect(page.locator("#mistakes li .mini").first).to_be_visible()
    sent = [request for request in requests if not request.url.startswith("blob:")]
    assert {request.method for request in sent} <= {"GET"}
    assert all("/learn/write/files/" in request.url for request in sent)
    assert not any(request.post_data for request in sent)
    expect_to_fit_without_axe_violations(page)


def test_stopped_file_and_unreadable_ones_leave_the_rest(page: Page) -> None:
    page.goto("/learn/class?exercise=find_zero")
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
        ],
    )  # fmt: skip
    expect(page.locator("#state")).to_contain_text("Running 1 of 6: a.py")
    page.locator("#skip").click()
    expect(page.locator("#state")).to_contain_text("of 6 files graded", timeout=MINUTES)
    assert "Skipped" in row(page, "a.py")
    assert "SyntaxError" in row(page, "b.py")
    assert "no notebook" in row(page, "c.ipynb")
    assert "more than 500 kB" in row(page, "d.py")
    assert "10 of 10" in row(page, "=HYPERLINK(1)")
    assert "0 of 10" in row(page, "e.ipynb")
    with page.expect_download() as download:
        page.locator("#csv").click()
    table = list(csv.DictReader(StringIO(download.value.path().read_text())))
    assert [result["points"] for result in table] == ["", "0", "10", "", "", "0"]
    assert "'=HYPERLINK(1)" in [result["name"] for result in table]


def test_hostile_files_of_a_class_get_no_points(class_page: Page) -> None:
    """One attack on the judge per file, and for each exercise a search for its solution.

    `make soak` makes all of those on the judge, as the tests of the judge do without a browser.
    """
    all_attacks = *ATTACKS.values(), FILES
    on_the_judge = [attack for attack in all_attacks if "KEY" not in attack]
    in_search = [attack for attack in all_attacks if "KEY" in attack]
    if not SOAK:
        on_the_judge = on_the_judge[::4]
    programs = [
        *((key, hostile_program(key, *in_search)) for key in WRONG),
        *(
            (key, hostile_program(key, attack))
            for key, attack in zip(cycle(WRONG), on_the_judge, strict=False)
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
    fair = {key: judge(key, code).points for key, code in WRONG.items()}
    for number, (key, _) in enumerate(programs):
        assert points(page, f"Hostile {number:02}") <= fair[key] < 10, (number, key)
    expect(page.locator("#rows")).to_contain_text("Read its code")


def points(page: Page, student: str) -> int:
    text = page.locator("#rows tr", has=page.locator("th", has_text=student)).locator(".points")
    shown = text.inner_text()
    return 0 if shown == "–" else int(shown.split()[0])


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


def test_too_many_files_are_refused(class_page: Page) -> None:
    page = class_page
    content = {"mimeType": "", "buffer": b"x"}
    page.locator("#files").set_input_files([{"name": f"{n}.py", **content} for n in range(101)])
    expect(page.locator("#refused")).to_contain_text("at most 100")
    expect(page.locator("#run")).to_be_disabled()


def test_link_with_rules_hides_hints_and_expected_results(page: Page) -> None:
    page.goto("/learn/write/find_zero?seed=anna&rules=no-hints,no-reference")
    expect(page.locator(".rules")).to_contain_text("no hints, expected results are hidden")
    expect(page.locator("#hints")).to_have_count(0)
    page.locator("#code").fill("def find_zero(board): return 1, 1")
    page.locator("#run").click()
    expect(page.locator("#says")).to_contain_text("Yours")
    expect(page.locator("#says")).not_to_contain_text("Expected")
    expect(page.locator("#checks")).not_to_contain_text("instead of")


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

"""The web process stays small: calls that need numpy, Pillow or tables run in other processes."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import webapp.share.sheet
from webapp import create_app, serve
from webapp.workers.shared import services_of

LARGE_MODULES = {{"numpy", "numba", "PIL", "segno"}}
SMALL, LARGE = "7.2.4-5.0.6-8.3.1", "{large}"
PAGES = [
    "/", "/new?size=3x3", "/new?size=3x3&moves=5", "/custom", "/daily", "/gallery", "/api",
    "/convert?start=7.2.4-5.0.6-8.3.1&moves=6",
    "/learn/write", "/learn/write/bfs", "/learn/class", "/worker.js",
    "/learn", "/learn/challenge", "/learn/predict", "/learn/space", "/learn/teachers",
    "/learn/worksheet", "/learn/by-hand", "/learn/by-hand/corner", "/levels",
    "/learn/astar", "/learn/local-search",
    f"/api/v1/puzzles/{{SMALL}}", f"/api/v1/puzzles/{{LARGE}}",
    *(
        path.format(code)
        for code in (SMALL, LARGE)
        for path in (
            "/play/{{0}}", "/play/{{0}}/share", "/play/{{0}}/review",
            "/play/{{0}}/to-go?board={{0}}",
            "/qr/play/{{0}}.svg", "/board/{{0}}.svg", "/board/{{0}}.png", "/board/{{0}}/card.png",
            "/lab/{{0}}", "/lab/{{0}}/heuristics",
            "/lab/{{0}}/heuristics?h=linear-conflict",
            "/lab/{{0}}/many", "/replay/{{0}}", "/replay/{{0}}?moves=",
        )
    ),
    f"/api/v1/puzzles/{{SMALL}}/hint", f"/api/v1/puzzles/{{SMALL}}/slides",
    f"/lab/{{SMALL}}/heuristics?h=pdb", f"/lab/{{SMALL}}/heuristics?own=2*misplaced",
    f"/play/{{SMALL}}", f"/board/{{SMALL}}.png", f"/lab/{{LARGE}}/heuristics",
    f"/replay/{{SMALL}}?moves=UDLR", f"/api/v1/puzzles/{{LARGE}}",
]


def main():
    assert serve.serve
    app = create_app({{"SECRET_KEY": "for tests only" * 3, "SOLVERS": 1}})
    try:
        client = app.test_client()
        for path in PAGES if {soak} else PAGES[-7:]:
            with client.get(path, headers={{"HX-Request": "false"}}) as response:
                print(response.status_code, path)
            assert not LARGE_MODULES & sys.modules.keys(), path
        for what in {soak} * ("slide", "hint", "undo", "redo"):
            client.post(f"/play/{{SMALL}}/{{what}}", data={{"tile": 2}})
        form = {{"algorithm": "astar", "heuristic": "exact"}}
        htmx = {{"HX-Request": "true", "Accept": "text/event-stream"}}
        if {soak}:
            client.post(f"/play/{{SMALL}}/solve", data=form, headers=htmx).get_data()
        assert not LARGE_MODULES & sys.modules.keys(), "clicks and solving"
    finally:
        services_of(app).solvers.close()
    with open("/proc/self/status") as status:
        print(*(line for line in status if line.startswith("VmHWM")))


if __name__ == "__main__":
    main()
"""

MAX_MEGABYTES = 80


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("soak", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_web_process_stays_small_without_numpy_and_pillow(tmp_path, soak):
    """Request some quick pages, or in a soak run all of them with moves and a solve."""
    numbers = [[str(10 * row + col + 1) for col in range(10)] for row in range(10)]
    large = "-".join(map(".".join, numbers)).replace("99.100", "0.99")
    program = tmp_path / "ask.py"  # a file, because workers import it
    program.write_text(PROGRAM.format(large=large, soak=soak), encoding="utf-8")
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    *pages, memory = ran.stdout.strip().splitlines()
    assert not [page for page in pages if page.startswith("5") and not page.startswith("503")]
    assert int(memory.split()[1]) < MAX_MEGABYTES * 1024, memory

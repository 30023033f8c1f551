"""Build the manual: the documents, README and CONTRIBUTING as one site with search.

`python docs/build.py` writes it to build/site, which opens from a folder or any web server. It
fails at a broken link.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import griffe

ROOT = Path(__file__).parents[1]
PAGES, SITE = ROOT / "build" / "manual", ROOT / "build" / "site"

SHIM = "vendor/iframe-worker-1.0.4.js"
"""Local copy of the shim that lets search work in a folder, as browsers start no workers there. The
generator links to a copy on another server."""

BESIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
}
"""Documents outside this folder, with their names in the manual."""

REFERENCE = """# Library reference

All that `import slidewise` has, in the order of the alphabet.

"""

_DOCTEST = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


class Doctests(griffe.Extension):
    """Fences the examples of docstrings, which Markdown would read as quotations."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Fence the examples of one docstring."""
        if obj.docstring:
            fenced = _DOCTEST.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)
            obj.docstring.value = fenced


def assemble() -> None:
    """Write the pages of the manual to build/manual, with links between them."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("README.md", "*.py"))
    for name, page in BESIDE.items():
        shutil.copy(ROOT / name, PAGES / page)
    shutil.copy(ROOT / "LICENSE", PAGES)
    for page in PAGES.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(_LINK.sub(lambda link: f"]({_target(link[1])}", text), encoding="utf-8")
    (PAGES / "reference.md").write_text(REFERENCE + "\n".join(_reference()), encoding="utf-8")


def _target(link: str) -> str:
    """Return the link between pages for a link of a document."""
    path = link.removeprefix("../").removeprefix("docs/")
    return BESIDE.get(path, path)


def _reference() -> list[str]:
    import slidewise

    return [f"::: slidewise.public.{name}\n" for name in sorted(slidewise.__all__, key=str.lower)]


def main() -> int:
    """Build the manual; return the exit code."""
    assemble()
    zensical = Path(sys.executable).with_name("zensical")
    done = subprocess.run([zensical, "build", "--clean", "--strict"], cwd=ROOT, check=False)
    for page in SITE.glob("*.html"):
        html = page.read_text(encoding="utf-8")
        page.write_text(html.replace("https://unpkg.com/iframe-worker/shim", SHIM), "utf-8")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())

"""Update the translation files from the code.

Messages of templates, Python and scripts are written to `webapp/translations/<language>/<area>.po`,
for translators. Obsolete messages are removed; Git has them.

    python -m tests.languages
"""

import functools
import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from slidewise.course.judge import exercises
from slidewise.course.judge.catalogue import catalogue
from slidewise.course.judge.checks import OF_REFERENCE
from slidewise.course.judge.printed.mistakes import table
from tests.course.judge.readers import of_programs
from webapp.http.language import LANGUAGES, SOURCE
from webapp.http.texts import po_files

PROJECT = Path(__file__).parents[1]
TRANSLATED = [code for code in LANGUAGES if code != SOURCE]

CALL = re.compile(
    r"(?<![\w.$])(_|ngettext)\(\s*({0})(?:\s*,\s*({0}))?".format(
        r'"(?:[^"\\]|\\.)*"(?:\s*\+\s*"(?:[^"\\]|\\.)*")*'
    )
)
"""A call with one or two strings."""


def javascript(
    file: BinaryIO, _keywords: object, _tags: object, **_options: object
) -> Iterator[tuple[int, str, str | tuple[str, ...], list[str]]]:
    """Yield the messages of a script, including those in template literals.

    Babel's own extractor misses calls with values there.
    """
    source = re.sub(r"(?m)^\s*//.*$", "", file.read().decode())
    for call in CALL.finditer(source):
        texts = [
            "".join(json.loads(part) for part in re.findall(r'"(?:[^"\\]|\\.)*"', text))
            for text in call.groups()[1:]
            if text
        ]
        line = source.count("\n", 0, call.start()) + 1
        yield line, call[1], texts[0] if call[1] == "_" else tuple(texts), []


METHODS = {
    "webapp": [("**.py", "python")],
    "slidewise": [("**.py", "python")],
    "templates": [("**.html", "jinja2")],
    "static/js": [("**.js", javascript)],
}
OPTIONS = {"**.html": {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}}
KEYWORDS = {
    "_": None,
    "noop": None,
    "message": None,
    "gettext": None,
    "ngettext": (1, 2),
    "noops": (1, 2),
}
IN_LIBRARY = {"message": None, "noop": None}  # the library's own functions

EXERCISES = "slidewise/course/judge/"
AREAS = {
    "library": ("slidewise/",),
    "site": ("/site/", "/share/", "webapp/http/", "webapp/app.py"),
}
"""Message files of the game by the folder of a message's first place; the default is "play"."""

WEB = PROJECT / "webapp"
FILES = [
    *(Path("translations", "{code}", f"{name}.po") for name in [*AREAS, "play"]),
    *(
        Path(one.parent.name, "translations", "{code}", f"{one.parent.name}.po")
        for one in sorted(WEB.glob("*/part.py"))
    ),
]
"""Message files below `webapp`: those of the game, and one of each part."""

PO_HEAD = """\
msgid ""
msgstr ""
"Language: {code}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {forms}\\n"

"""


@functools.cache
def extracted() -> dict[tuple[str, ...], list[str]]:
    """Return the places of each message in the code, in order."""
    found: dict[tuple[str, ...], list[str]] = {}
    for folder, methods in METHODS.items():
        for name, _line, message, _comments, _context in extract_from_dir(
            PROJECT / folder,
            methods,
            {pattern: OPTIONS.get(pattern, {}) for pattern, _ in methods},
            IN_LIBRARY if folder == "slidewise" else KEYWORDS,
        ):
            key = (message,) if isinstance(message, str) else tuple(message)
            place = f"{folder}/{Path(name).as_posix()}"
            places = found.setdefault(key, [])
            if place not in places:
                places.append(place)
    for text, place in in_data():
        places = found.setdefault((text,), [])
        if place not in places:
            places.append(place)
    for key, places in [*found.items()]:
        if {f"{EXERCISES}checks.py", f"{EXERCISES}local.py"} & {*places}:
            found.setdefault((OF_REFERENCE.split(key[0])[0],), places)
    return dict(sorted(found.items(), key=lambda item: (min(item[1]), item[0])))


def in_data() -> Iterator[tuple[str, str]]:
    """Yield the messages of the library's data files, with their places."""
    unlimited = (one.unlimited for one in exercises().values() if one.unlimited)
    for one in (*exercises().values(), *unlimited):
        texts = [one.title, one.task, *one.hints, *(check.text for check in one.checks)]
        yield from ((text.template, f"{EXERCISES}exercise.toml") for text in texts)
    for row in table()["habits"]:
        for one in row["each"]:
            yield " ".join(one["words"].split()), f"{EXERCISES}printed/mistakes.toml"
    of_judge = of_programs()
    for key, mistake in catalogue().items():
        place = f"{EXERCISES}{'catalogue' if key in of_judge else 'printed/mistakes'}.toml"
        yield from ((one.template, place) for one in (mistake.title, mistake.text, mistake.mend))


def file_of(places: list[str]) -> Path:
    """Return the file of a message: that of a part if all its places are in the part."""
    for file in FILES[len(AREAS) + 1 :]:
        if all(f"/{file.stem}/" in place for place in places):
            return file
    first = min(places)
    names = (name for name, parts in AREAS.items() if any(part in first for part in parts))
    return Path("translations", "{code}", f"{next(names, 'play')}.po")


def translations(code: str) -> dict[tuple[str, ...], Message]:
    """Return all messages of a language's files."""
    found: dict[tuple[str, ...], Message] = {}
    for path in po_files(WEB):
        if path.parent.name != code:
            continue
        with path.open("rb") as file:
            catalog = read_po(file, locale=LANGUAGES[code].locale)
        for message in catalog:
            if message.id:
                key = (message.id,) if isinstance(message.id, str) else tuple(message.id)
                found[key] = message
    return found


def texts_of(message: Message) -> tuple[str, ...]:
    """Return the translation of a message, one string per plural form, or ""."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def files(code: str) -> Iterator[tuple[Path, str]]:
    """Yield the files of a language, with their contents."""
    old = translations(code)
    messages = extracted()
    for file in FILES:
        catalog = Catalog(locale=LANGUAGES[code].locale, fuzzy=False)
        for key, places in messages.items():
            if file_of(places) == file:
                string = old[key].string if key in old else ""
                catalog.add(
                    key[0] if len(key) == 1 else key, string, [(place, None) for place in places]
                )
        if not len(catalog):
            continue
        written = BytesIO()
        write_po(written, catalog, width=100, omit_header=True, include_lineno=False)
        head = PO_HEAD.format(code=code, forms=catalog.plural_forms)
        path = Path(str(WEB / file).format(code=code))
        yield path, head + written.getvalue().decode()


def main() -> None:
    """Write all files."""
    for code in TRANSLATED:
        for path, text in files(code):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        missing = sum(not all(texts_of(one)) for one in translations(code).values())
        print(f"{code}: {len(translations(code))} messages, {missing} to translate")


if __name__ == "__main__":
    main()

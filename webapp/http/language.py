"""Languages of the pages: messages, numbers, dates and counts in the language of a request.

Messages are in English in templates, code and scripts, marked by `_` and `ngettext`. Their
translations are gettext's files, `translations/<language>/*.po`, which this module compiles when
the first visitor needs them. `python -m tests.languages` updates them from the code.

Only Babel is used, without Flask-Babel, which looks its request up for each message.
"""

import gettext as gnu
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel import Locale, dates, lists, negotiate_locale, numbers
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import Flask, Response, current_app, request
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from slidewise import text as english

from .requests import EMBEDS, from_htmx, in_api
from .routes import LANGUAGE_IN_ADDRESS

COOKIE = "slidewise_language"
"""The cookie with the language that a visitor has chosen, such as "de"."""

FOLDERS = [Path(__file__).parents[1] / "translations"]
"""Folders with a folder of .po files for each language: of the app and of its parts."""

SOURCE = "en"
"""The language of the messages in the code."""

PLURAL_NUMBERS = 200
"""Numbers from 0 that have all plural forms of a language among them."""

MAX_ACCEPTED = 200
"""Maximum of characters read from the header Accept-Language."""


class Language:
    """A language: its translations and its formats of numbers and dates."""

    def __init__(self, code: str, locale: str = "") -> None:
        self.code = code
        self.locale = Locale.parse(locale or code, sep="-")

    @property
    def name(self) -> str:
        """Return the name of the language in the language itself: "Deutsch"."""
        return (self.locale.get_language_name() or self.code).capitalize()

    @property
    def in_address(self) -> str | None:
        """Return the code for `lang` in an address, None for English."""
        return None if self.code == SOURCE else self.code

    @property
    def direction(self) -> str:
        """Return "ltr" or "rtl"."""
        return self.locale.text_direction

    @cached_property
    def translations(self) -> gnu.NullTranslations:
        """The messages of all files of this language, compiled at the first use."""
        found: gnu.NullTranslations = gnu.NullTranslations()
        for path in (path for one in FOLDERS for path in sorted((one / self.code).glob("*.po"))):
            compiled = BytesIO()
            with path.open("rb") as file:
                write_mo(compiled, read_po(file, locale=self.locale))
            compiled.seek(0)
            part = gnu.GNUTranslations(compiled)
            # later files fall back on earlier files: the app's and each part's messages
            part.add_fallback(found)
            found = part
        return found

    def plural_forms(self, one: str, many: str) -> list[str]:
        """Return the translations of a message that depends on a number, by their plural index."""
        index = getattr(self.translations, "plural", lambda number: int(number != 1))
        numbers = {index(number): number for number in reversed(range(PLURAL_NUMBERS))}
        return [self.translations.ngettext(one, many, numbers[i]) for i in sorted(numbers)]


LANGUAGES = {SOURCE: Language(SOURCE, "en-GB"), "de": Language("de"), "es": Language("es")}
"""The languages of the pages by their code (BCP 47). English dates are "1 August 2026"."""


def add_translations(folder: Path) -> None:
    """Add the translations of a part, for all apps of this process."""
    if folder not in FOLDERS:
        FOLDERS.append(folder)
        for language in LANGUAGES.values():
            vars(language).pop("translations", None)  # the cached property


_current: ContextVar[Language] = ContextVar("language", default=LANGUAGES[SOURCE])


def current() -> Language:
    """Return the language of this request, English outside of requests."""
    return _current.get()


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Use a language outside of requests, such as in the worker of a search."""
    token = _current.set(LANGUAGES[code])
    try:
        yield
    finally:
        _current.reset(token)


def gettext(message: str, **values: object) -> str:
    """Translate a message and fill in its values.

    >>> gettext("Level %(number)s", number=3)
    'Level 3'
    """
    return _current.get().translations.gettext(message) % values


def ngettext(one: str, many: str, count: float, **values: object) -> str:
    """Translate a message that depends on a number, its value `num`.

    >>> ngettext("%(num)s tile", "%(num)s tiles", 1200)
    '1,200 tiles'
    """
    text = _current.get().translations.ngettext(one, many, count)  # type: ignore[arg-type]
    return text % {"num": number(count), **values}


noop = english.noop
"""Marks a message that is translated where it is used."""


def noops(one: str, many: str) -> tuple[str, str]:
    """Mark a message that depends on a number, for `ngettext`."""
    return one, many


def translated(message: object) -> str:
    """Translate a text of the library or its error; other texts stay in English."""
    text = message.args[0] if isinstance(message, Exception) and message.args else message
    text = text if isinstance(text, str) else str(text)
    if isinstance(text, english.Quantity):
        return plural(text.number, text.noun)
    if not isinstance(text, english.Message):
        return text
    return gettext(text.template, **{name: _shown(one) for name, one in text.values.items()})


def _shown(value: object) -> object:
    """Return a value of a message, formatted in the language."""
    if isinstance(value, (english.Message, english.Quantity)):
        return translated(value)
    return number(value) if isinstance(value, int) else value


def number(value: float) -> str:
    """Format a number with the separators of the language.

    >>> number(1200), number(2.5)
    ('1,200', '2.5')
    """
    if isinstance(value, int) and -1000 < value < 1000:
        return str(value)  # the same in each language, and a hundred times faster
    return str(numbers.format_decimal(value, locale=_current.get().locale))


def day(value: date, length: str = "long") -> str:
    """Format a date.

    `length` is "full", "long", "medium" or "short", a single field such as "cccc" (the weekday), or
    a skeleton such as "MMMd".

    >>> from datetime import date
    >>> day(date(2026, 8, 1)), day(date(2026, 8, 1), "MMMd"), day(date(2026, 8, 1), "cccc")
    ('1 August 2026', '1 Aug', 'Saturday')
    """
    locale = _current.get().locale
    if length in ("full", "long", "medium", "short") or len(set(length)) == 1:
        return dates.format_date(value, length, locale)
    return dates.format_skeleton(length, value, locale=locale)


def capitalized(text: str) -> str:
    """Return a text with an upper-case first letter; some languages write months in lower case."""
    return text[:1].upper() + text[1:]


def listed(items: Sequence[object], style: str = "standard") -> str:
    """Join items by commas and "and", or "or" in the `style` "or".

    >>> listed([1, 2, 3])
    '1, 2 and 3'
    """
    return lists.format_list([str(item) for item in items], style, _current.get().locale)  # type: ignore[arg-type]


_COUNTED = {
    "board": noops("%(num)s board", "%(num)s boards"),
    "cell": noops("%(num)s cell", "%(num)s cells"),
    "count": noops("%(num)s count", "%(num)s counts"),
    "expansion": noops("%(num)s expansion", "%(num)s expansions"),
    "line": noops("%(num)s line", "%(num)s lines"),
    "move": noops("%(num)s move", "%(num)s moves"),
    "node": noops("%(num)s node", "%(num)s nodes"),
    "player": noops("%(num)s player", "%(num)s players"),
    "point": noops("%(num)s point", "%(num)s points"),
    "search": noops("%(num)s search", "%(num)s searches"),
    "shortest solution": noops("%(num)s shortest solution", "%(num)s shortest solutions"),
}
"""The nouns that pages count, except on pages in English."""


def plural(count: int, noun: str) -> str:
    """Format a number with its noun from `_COUNTED`.

    >>> plural(1, "move"), plural(1200, "node")
    ('1 move', '1,200 nodes')
    """
    counted = _COUNTED.get(noun)
    return ngettext(*counted, count) if counted else english.plural(count, noun)


def sentence(message: object) -> str:
    """Translate a text or an error, capitalise it and end it with a full stop."""
    return english.sentence(translated(message))


def duration(seconds: float) -> str:
    """Format a time in ms or s.

    >>> duration(0.0123), duration(12.34)
    ('12.3 ms', '12.3 s')
    """
    if seconds < 1:
        return gettext("%(number)s ms", number=decimal(seconds * 1000, 1))
    return gettext("%(number)s s", number=decimal(seconds, 1))


def long_time(seconds: float) -> str:
    """Format a time in s, min, h or days.

    >>> long_time(8), long_time(200), long_time(9000), long_time(500_000)
    ('8 s', '3 min', '2.5 h', '5.8 days')
    """
    if seconds < 120:
        return gettext("%(number)s s", number=decimal(seconds, 0))
    if seconds < 7200:
        return gettext("%(number)s min", number=decimal(seconds / 60, 0))
    if seconds < 172_800:
        return gettext("%(number)s h", number=decimal(seconds / 3600, 1))
    return gettext("%(number)s days", number=decimal(seconds / 86_400, 1))


def decimal(value: float, places: int) -> str:
    """Format a number with `places` decimals.

    >>> decimal(1234.5, 2)
    '1,234.50'
    """
    rounded = Decimal(f"{value:.{places}f}")
    pattern = "#,##0." + "0" * places if places else "#,##0"
    return str(numbers.format_decimal(rounded, pattern, _current.get().locale))


def init_language(app: Flask) -> None:
    """Choose the language of each request, and give it to templates."""
    add_to_environment(app.jinja_env)
    app.jinja_env.globals.update(
        language=current, chosen_language=chosen, languages=LANGUAGES, english_note=english_note
    )
    app.url_value_preprocessor(_choose)  # before the others, for the language of their errors
    app.after_request(_mark)


def add_to_environment(environment: Environment) -> None:
    """Let templates translate texts, numbers and dates into the current language."""
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(  # type: ignore[attr-defined]  # by the extension
        lambda message: _current.get().translations.gettext(message),
        lambda one, many, count: _current.get().translations.ngettext(one, many, count),
        newstyle=True,
    )
    environment.filters.update(
        (function.__name__, _at_request(function))
        for function in (
            *(number, decimal, plural, duration, long_time, day),
            *(capitalized, listed, translated, sentence),
        )
    )


def _at_request(function: Callable[..., object]) -> Callable[..., object]:
    """Return the function as a filter that is called for each request.

    Jinja calls other filters of constants once, in the language of a template's first visitor.
    """

    @pass_context
    def called(_context: Context, *args: Any, **options: Any) -> object:
        return function(*args, **options)

    return called


def chosen() -> Language:
    """Return the language that the visitor chose, or else the best that the browser accepts."""
    return LANGUAGES.get(request.cookies.get(COOKIE, "")) or _accepted()


def english_note() -> str:
    """Return the note, in the visitor's language, that this page is in English; otherwise ""."""
    if not in_api() or chosen().code == SOURCE:
        return ""
    return chosen().translations.gettext(noop("This page is in English."))


def _choose(_endpoint: str | None, _values: object) -> None:
    _current.set(_of_request())


def _of_request() -> Language:
    if in_api():
        return LANGUAGES[SOURCE]
    if request.endpoint in current_app.extensions[LANGUAGE_IN_ADDRESS]:
        return _named() or LANGUAGES[SOURCE]
    if request.path.startswith(EMBEDS):
        return _named() or _accepted()
    return chosen()


def _named() -> Language | None:
    """Return the language that `lang` in the address names, such as "de" or "de-AT"."""
    return LANGUAGES.get(request.args.get("lang", "").partition("-")[0].lower())


def _accepted() -> Language:
    return LANGUAGES[_best_code(request.headers.get("Accept-Language", "")[:MAX_ACCEPTED])]


@lru_cache(maxsize=256)
def _best_code(accepted: str) -> str:
    wanted = parse_accept_header(accepted, LanguageAccept)
    return negotiate_locale([*wanted.values()], [*LANGUAGES], sep="-") or SOURCE


def _mark(response: Response) -> Response:
    """Name the language of a page and the headers that choose it."""
    if response.mimetype == "text/html" and not from_htmx():
        response.content_language.add(_current.get().code)
        response.vary.update(("Accept-Language", "Cookie"))
    return response

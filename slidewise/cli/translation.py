"""Translations of messages for commands, without Flask."""

from importlib import import_module
from pathlib import Path
from typing import Any, Final

from slidewise.parts import web_package
from slidewise.text import Message, in_data

SOURCE: Final = "en"
LANGUAGES: Final = (SOURCE, "de", "es")
"""Codes of the languages of reports, as of the pages."""

THOUSANDS: Final = {"de": ".", "es": "."}
"""Separator of thousands by language, "," by default."""


class Translator:
    """Messages in a language, from the translators' files of the web app and its parts."""

    def __init__(self, code: str = SOURCE) -> None:
        self.code = code
        self._texts = _texts_in(code) if code != SOURCE else {}

    def __call__(self, text: str) -> str:
        """Return a message in the language; other texts stay as they are.

        >>> from slidewise.text import message
        >>> Translator("de")(
        ...     message(
        ...         "the path has %(moves)s moves, the shortest %(fewest)s", moves=1200, fewest=3
        ...     )
        ... )
        'der Weg hat 1.200 Züge, der kürzeste 3'
        """
        if not self._texts or not isinstance(text, Message):
            return text
        template = self._texts.get(text.template) or text.template
        return template % {name: self._value(one) for name, one in text.values.items()}

    def data(self, value: Any) -> Any:
        """Return data for JSON with its messages in the language."""
        return in_data(value, self)

    def _value(self, value: object) -> object:
        if isinstance(value, int):
            return f"{value:,}".replace(",", THOUSANDS.get(self.code, ","))
        return self(value) if isinstance(value, str) else value


def _texts_in(code: str) -> dict[str, str]:
    package = import_module(web_package())
    # The module needs no Flask; the library itself imports nothing of the web app.
    texts = import_module(f"{package.__name__}.http.texts")
    return {
        one.message: one.forms[0]
        for path in texts.po_files(Path(package.__path__[0]))
        if path.parent.name == code
        for one in texts.read_po(path)
        if one.message
    }

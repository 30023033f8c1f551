"""Parser of a program's printed lines: boards, rows, moves, counts and sentences."""

import re
from dataclasses import replace
from itertools import groupby, pairwise

from slidewise.course.judge.printed.counts import NAMES, counts_in, is_of_search, plain_letters
from slidewise.course.judge.printed.submission import (
    BOARDS,
    CANONICAL,
    IGNORED,
    MAX_NAME,
    MAX_SENTENCE,
    PATHS,
    SLASHED,
    WAY,
    Reader,
    as_letters,
    count_key,
    count_of,
    field_of,
    plain_name,
)
from slidewise.puzzle.layouts import aligned_columns
from slidewise.puzzle.reading import BLANKS

_ARROW = re.compile(r"\s*(?:[↑↓←→⇓⇒⬇➡▼]|[-=]+>|[|v])\s*")
_DRAWN = re.compile(r"[-+=_*#~|\s\u2500-\u257f]+")
_MARKS = str.maketrans("[](){}'\",;<>", " " * 12)
_NUMERIC = re.compile(r"[-0-9\s.,;_()\[\]{}'\"<>|]+")
_LABEL = re.compile(
    r"(?:estado |etat |tablero |tabuleiro |board |plateau )?"
    r"(start|initial|inici|inicio|anfang|depart|goal|final|target|objetivo|meta|ziel|but\b|end\b)"
)
_STEP = re.compile(
    r"\s*(?:(?:step|move|paso|passo|schritt|étape|etape|zug|coup|movimiento|movimento)"
    r"\s{0,3}#?\s{0,3}[0-9]{1,6}\s{0,3}(?:[:.)]|$)|[0-9]{1,6}\s{0,3}[:.)])",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:[0-9]{1,6}\s?[.)]|\[[0-9]{1,6}\]|-{1,2}>?|=?>)\s{1,3}")
"""The mark or the number of an item of a list, before its board."""
_WORDS = re.compile(r"\A[A-Za-z ]+")
_ASIDE = re.compile(r"\([^()]{0,40}\)|\bmove\b|\bblank\b", re.IGNORECASE)
_VALUE = re.compile(
    r"\b([ghf])\s{0,3}(?:\(\w{1,10}\)\s{0,3})?[:=]\s{0,3}(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)",
    re.IGNORECASE,
)
_UNSOLVED = re.compile(
    r"\b(?:no|not|without|sin|sem|pas|kein\w*|nicht|nao|aucun\w*|impossible|imposible)\b"
    r"[a-z ]{0,20}"
    r"\b(?:solution|path|solv\w+|found|reached|solucao|solucion|camin\w+|losung|losbar|gelost"
    r"|gefunden|weg|pfad|chemin|solu\w+|resol\w+|to solve|tiene)\b|un-?solv|unlosbar|insolu[vb]"
    r"|irresolu|insolvable|infeasible|impossible (?:to|de|a)\b|imposible de"
)
_SOLVED = re.compile(
    r"solution found|solved|goal reached|goal found|found at|success|gelost|losung gefunden"
    r"|solucion encontrada|solucao encontrada|solution trouvee|resuelto|resolvido|resolu\b"
)
_ANSWERS = {
    **dict.fromkeys(("True", "true", "yes", "Yes"), True),
    **dict.fromkeys(("False", "false", "None", "Nothing", "no", "No", "null"), False),
}
"""Answers of a single word."""

_BARS = str.maketrans("│┃║", "|||")
_PATH_WORDS = frozenset(
    {"path", "moves", "solution", "actions", "result", "answer", "chemin", "resultat"}
    | {"camino", "solucion", "resultado", "respuesta", "caminho", "solucao", "resposta"}
    | {"losung", "weg", "pfad", "losungsweg", "losungspfad", "ergebnis", "antwort"}
)
"""Words in names of a path, without accents."""

_GOALS = ("goal", "final", "target", "objetivo", "meta", "ziel", "but")
_MOVES_TILE = re.compile(
    r"(?:move|slide|mover?|mueve|desliza|bewege|verschiebe|schiebe|d[eé]place|glisse|tile|blank"
    r"|ficha|pe[çc]a|stein|tuile|vac[ií]o|vazio)",
    re.IGNORECASE,
)
"""Start of a sentence about a single move."""

_BESIDE = re.compile(r"[-=]{1,9}>|[→⇒➡|│]")
"""Marks between boards that are printed side by side."""

_BEHIND = re.compile(r"(\S.{0,100}?)\s{2,}(\S{0,20}[A-Za-z].*)")
"""A row of a board followed by words."""

_SWAPPED = re.compile(
    r"(?:swap|exchang|intercambi|troca|tausch|[ée]chang)[^0-9]{1,40}([0-9]{1,3})\b", re.IGNORECASE
)
"""A tile that is exchanged with the blank."""

_REMARK = re.compile(r"\(\s?[0-9]{1,9}\s[^()0-9]{1,30}\)")
"""A number in parentheses, such as `(14 moves)`."""

_TILES = re.compile(r"[\[(]?[0-9]{1,3}(?:[,\s]+[0-9]{1,3})+[\])]?")
_GROUP = re.compile(r"[\[({]{2}[^A-Za-z]{0,300}[\])}]{2}|[\[(][^\[\]()]{0,200}[\])]")
"""A board in brackets: rows of cells, or cells."""

_COLUMNS = re.compile(r"\s*[|│\t]\s*|\s{2,}")


def without_arrows(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Drop the lines that are a single arrow, if each is between lines of other text."""
    texts = [(place, line) for place, (_, line) in enumerate(lines) if line.strip()]
    arrows = [bool(_ARROW.fullmatch(line)) for _, line in texts]
    stand_alone = not any(one and other for one, other in pairwise(arrows))
    if not any(arrows) or arrows[0] or arrows[-1] or not stand_alone:
        return lines
    left_out = {place for (place, _), is_arrow in zip(texts, arrows, strict=True) if is_arrow}
    return [line for place, line in enumerate(lines) if place not in left_out]


class Printout:
    """Parses lines as boards, rows, moves, counts, sentences or unknown text."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._rows, self._cols = reader.puzzle.start.size
        self._tiles = sorted(map(str, reader.puzzle.goal.cells))
        self._block: list[tuple[int, str, list[str]]] = []
        self._moves: list[tuple[int, str, int]] = []
        self._label = ""
        self._awaits_path: int | None = None
        self._begins_with_label = False
        self._values: dict[str, str] = {}
        self._values_first = False
        self._is_narrated = False
        self._header: list[str] = []

    def read(self, lines: list[tuple[int, str]]) -> None:
        """Read all lines, each with its number."""
        lines = without_arrows(lines)
        for is_text, block in groupby(lines, key=lambda one: bool(one[1].strip())):
            paragraph = list(block)
            if is_text:
                paragraph = self._boards_beside(paragraph) or self._with_blank(paragraph)
                self._find_place_of_values(paragraph)
            for number, line in paragraph:
                self._read_line(number, line)
        self._end_block()
        self._end_moves()
        if self._awaits_path is not None and not self._reader.rows:
            self._reader.read_path("", self._awaits_path)
        if self._begins_with_label and len(self._reader.rows) == 1:
            self._reader.rows.clear()  # only the start is printed, no expansions

    def _with_blank(self, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Replace the blank by `_` in the lines of a board that is printed with a space for it."""
        rows = aligned_columns([line for _, line in lines]) if len(lines) == self._rows else None
        if rows is None or {len(row) for row in rows} != {self._cols}:
            return lines
        return [(number, " ".join(row)) for (number, _), row in zip(lines, rows, strict=True)]

    def _boards_beside(self, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Return boards that are printed side by side, each as a line; [] for other text."""
        drawn = [(n, _BESIDE.sub(" ", line)) for n, line in lines if not _DRAWN.fullmatch(line)]
        if len(drawn) != self._rows or len({len(line.split()) for _, line in drawn}) > 1:
            return []
        rows = [self._cells_beside(line) for _, line in drawn]
        size = len(rows[0])
        # Lines that are whole boards themselves are not rows of several boards.
        if (
            size < 2 * self._cols
            or size % self._cols
            or any(map(self._is_board, dict(drawn).values()))
        ):
            return []
        boards = [
            [cell for row in rows for cell in row[at : at + self._cols]]
            for at in range(0, size, self._cols)
        ]
        if any(sorted(cells) != self._tiles for cells in boards):
            return []
        return [(drawn[0][0], ",".join(cells)) for cells in boards]

    def _cells_beside(self, line: str) -> list[str]:
        words = line.translate(_MARKS).split()
        return ["0" if word.lower() in BLANKS else word for word in words]

    def _find_place_of_values(self, lines: list[tuple[int, str]]) -> None:
        """Detect whether lines such as `g=1 h=9` are printed before their board or after it."""
        for _, line in lines:
            if _VALUE.search(line[:MAX_SENTENCE]):
                ends = line.rstrip().endswith((":", ".", "is", "\u2026"))
                self._values_first = len(lines) > 1 or ends or not self._reader.rows
                return
            if self._cells(line.strip()):
                break
        self._values_first = False

    def _note_values(self, text: str) -> bool:
        """Store g and h for the next board, or add them to the last; return whether found."""
        values = {key.lower(): value for key, value in _VALUE.findall(text[:MAX_SENTENCE])}
        if not values.keys() & {"g", "h"}:
            return False
        if self._values_first or self._block:
            self._values |= values
            self._is_narrated = True
        elif self._reader.rows:
            row = self._reader.rows[-1]
            numbers = {key: float(value) for key, value in values.items()}
            self._reader.rows[-1] = replace(row, values={**row.values, **numbers})
        return True

    def _read_line(self, number: int, line: str) -> None:
        text = line.strip().removeprefix("Just ").translate(_BARS)
        text = text.replace("[|", "[").replace("|]", "]")  # an array of OCaml
        # The number of a list item must not be read as a cell.
        item = _ITEM.match(text)
        if item and (self._is_board(text[item.end() :]) or self._digits_in(text[item.end() :])):
            text = self._digits_in(text[item.end() :]) or text[item.end() :]
        if CANONICAL.fullmatch(text) or SLASHED.fullmatch(text):
            self._add_board(number, text)
            return
        if not text or (_DRAWN.fullmatch(text) and text not in BLANKS and "| " not in text):
            if not text:
                self._end_block()
            return
        cells = self._cells(text)
        behind = _BEHIND.match(text) if cells is None and len(text) <= MAX_SENTENCE else None
        if behind and len(self._cells(behind[1]) or ()) == self._cols:
            text, cells = behind[1], self._cells(behind[1])
            self._values |= {key.lower(): value for key, value in _VALUE.findall(behind[2])}
            self._is_narrated = True
        if cells is not None and len(cells) == self._cols and self._cols > 1:
            self._add_row(number, text, cells)
            return
        if self._block:
            self._end_block_before(text)
        if cells is not None and len(cells) == self._rows * self._cols:
            self._add_board(number, ",".join(cells))
        elif boards := self._boards_in(text):
            for board in boards:
                self._add_board(number, ",".join(board))
        elif text.isdigit() and len(text) < self._rows * self._cols:
            return  # the number of rows, which Princeton's format prints before a board
        elif _NUMERIC.fullmatch(text):
            self._add_board(number, text)
        elif not (
            self._read_table(number, text)
            or self._read_moves(number, text)
            or self._read_words(number, text)
        ):
            self._reader.skipped.append((number, text))

    def _cells(self, text: str) -> list[str] | None:
        """Return the cells of a line without other text, otherwise None."""
        if "|" in text:
            inner = text.removeprefix("|").removesuffix("|").split("|")
            cells = [cell.translate(_MARKS).strip() or "0" for cell in inner]
        else:
            cells = text.removeprefix("array").translate(_MARKS).split()
        if not all(cell.isdecimal() or cell.lower() in BLANKS for cell in cells):
            return None
        cells = ["0" if cell.lower() in BLANKS else cell for cell in cells]
        return cells if cells.count("0") <= 1 else None

    def _add_row(self, number: int, text: str, cells: list[str]) -> None:
        self._block.append((number, text, cells))
        if len(self._block) == self._rows:
            first = self._block[0][0]
            cells = [cell for _, _, row in self._block for cell in row]
            self._block.clear()
            self._add_board(first, ",".join(cells))

    def _end_block_before(self, text: str) -> None:
        """End an incomplete board; raise `UnreadableWorkError` if `text` starts like a row."""
        words = text.translate(_MARKS).split()[: self._cols - 1]
        if any(word.isdecimal() for word in words):
            rows = "\n".join([*(row for _, row, _ in self._block), text])
            self._reader.cells_of(rows, self._block[0][0])
        self._end_block()

    def _end_block(self) -> None:
        """Parse rows of an incomplete board; a single row may be a list of moved tiles."""
        if not self._block:
            return
        number, text, _ = self._block[0]
        rows = "\n".join(row for _, row, _ in self._block)
        is_row_alone = len(self._block) == 1
        self._block.clear()
        if is_row_alone and self._reader.moves is None:
            self._moves.append((number, text, 2))
        else:
            self._reader.cells_of(rows, number)

    def _add_board(self, number: int, text: str, values: dict[str, str] | None = None) -> None:
        label, self._label = self._label, ""
        if label in _GOALS:
            self._reader.cells_of(text, number)
            return
        # A labelled board after the first expansion repeats the start or the end.
        if label and self._reader.rows:
            return
        self._begins_with_label |= bool(label)
        self._reader.add_row(text, number, {**self._values, **(values or {})})
        self._values.clear()
        self._reader.narrated += self._is_narrated
        self._is_narrated = False

    def _read_table(self, number: int, text: str) -> bool:
        """Parse the header or a row of a table of counts; return whether it was recognised."""
        cells = [cell.strip() for cell in _COLUMNS.split(text.strip("|│ \t"))]
        if len(cells) < 2 or len(text) > MAX_SENTENCE:
            self._header = []
            return False
        if not re.search("[0-9]", text) and any(map(count_key, map(plain_name, cells))):
            self._header = [plain_name(cell) for cell in cells]
            return True
        if len(cells) != len(self._header):
            return False
        if not self._reader.is_of_another(cells):
            for name, cell in zip(self._header, cells, strict=True):
                if (key := count_key(name)) and re.fullmatch("[0-9][0-9,]*", cell):
                    self._reader.counts[key] = count_of(name, cell, number)
        return True

    def _read_moves(self, number: int, text: str) -> bool:
        """Parse a line of moves, with an optional step number."""
        step = _STEP.match(text)
        ways = WAY.findall(text) if step or _MOVES_TILE.match(text) else []
        if step:
            text = _ASIDE.sub(" ", text[step.end() :])
        text = ways[0] if len(ways) == 1 else text.rstrip(".")
        swapped = _SWAPPED.search(text) if step and not ways else None
        if swapped and self._reader.moves is None:
            self._moves.append((number, swapped[1], 1))
            return True
        letters = as_letters(text)
        if not self._reader.is_words(text):
            return False
        if self._reader.moves is None:
            self._moves.append((number, text, len(letters.split()) + len(text.split(",")) - 1))
        self._awaits_path = None
        return True

    def _end_moves(self) -> None:
        """Join moves on consecutive lines; the last of several lists is the path."""
        if not self._moves or self._reader.moves is not None:
            return
        number, text, size = self._moves[-1]
        if size == 1:
            single = [one for one in self._moves if one[2] == 1]
            number, text = single[0][0], " ".join(one[1] for one in single)
        self._reader.read_path(text, number)

    def _read_words(self, number: int, text: str) -> bool:
        """Parse a name with its value, a label or a sentence; return whether it was recognised."""
        name, value = field_of(
            _REMARK.sub(" ", text[:MAX_NAME]) + _REMARK.sub(" ", text[MAX_NAME:])
        )
        key = plain_name(name)
        if self._reader.is_of_another([text]):
            return True
        words = plain_letters(name).split()
        is_tiles = bool(_TILES.fullmatch(value)) and (
            "tiles" in words or self._reader.is_path(value)
        )
        if is_tiles:
            key = "path"
        elif self._reader.is_words(value.rstrip(".,;")) and (
            value[0] in "[(" or count_key(key) == "length" or not _PATH_WORDS.isdisjoint(words)
        ):
            key, value = key if key in PATHS else "path", value.rstrip(".,;")
        # The value after the name of a count can also be a board.
        is_count = key in NAMES and (value or "_" in key) and not self._is_board(value)
        is_field = key in PATHS or is_count
        if is_field and (len(text) > MAX_SENTENCE or len(list(counts_in(text))) < 2):
            self._read_field(number, key, value)
            return True
        if len(text) <= MAX_SENTENCE and self._read_labelled_board(number, text):
            return True
        if self._note_values(text):
            return True
        said = self._read_sentence(text[:MAX_SENTENCE])
        label = _LABEL.match(plain_letters(text[:MAX_SENTENCE]))
        if label and (said or not value):
            self._label = label[1]
            return True
        is_known = is_of_search(name) or key in IGNORED or key in BOARDS or bool(_STEP.match(text))
        return said or is_known

    def _read_labelled_board(self, number: int, text: str) -> bool:
        """Parse a whole board after words, or with values such as `g=3`."""
        if any(counts_in(text)):
            return False
        values = {key.lower(): value for key, value in _VALUE.findall(text)}
        rest = _VALUE.sub(" ", text).strip(" ,;:-")
        name, value = field_of(rest)
        board = value or self._digits_in(rest) or _WORDS.sub("", rest)
        groups = [group for group in _GROUP.findall(rest) if self._is_board(group)]
        if not self._is_board(board):
            words = rest.translate(_MARKS).replace("=", " ").split()
            alone = " ".join(word for word in words if word.isdecimal() or word in ("_", "-1"))
            board = next((one for one in (*groups, alone) if self._is_board(one)), board)
        cells = self._cells(board)
        if cells is None or len(cells) != self._rows * self._cols:
            return False
        label = _LABEL.match(plain_letters(name))
        self._label = label[1] if label else self._label
        self._add_board(number, ",".join(cells), values)
        return True

    def _boards_in(self, text: str) -> list[list[str]]:
        """Return the cells of two or more boards on the same line; [] for other text."""
        words = text.translate(_MARKS).split()
        cells = ["0" if word.lower() in BLANKS else word for word in words if word != "="]
        size = self._rows * self._cols
        # A single extra word at the start may be a step number.
        boards = [cells[at : at + size] for at in range(len(cells) % size, len(cells), size)]
        is_all = len(cells) % size < 2 and all(sorted(cells) == self._tiles for cells in boards)
        return boards if len(boards) > 1 and is_all else []

    def _digits_in(self, text: str) -> str:
        """Return a board of digits among words, with its cells separated, or ""."""
        found = [word for word in text.translate(_MARKS).split() if word.isdecimal()]
        return " ".join(found[0]) if len(found) == 1 and self._is_board(" ".join(found[0])) else ""

    def _is_board(self, text: str) -> bool:
        """Return whether a text is a whole board with all tiles, its cells separated."""
        cells = self._cells(text)
        return cells is not None and sorted(cells) == self._tiles

    def _read_field(self, number: int, key: str, value: str) -> None:
        """Parse a count or a path by its name."""
        if key in NAMES:
            self._reader.read_field(key, value.split()[0] if value[:1].isdigit() else value, number)
        elif not value:
            self._awaits_path = number
        elif value in ("None", "none", "[None]", "False"):
            self._reader.solved = False
        elif value.replace(" moves", "").isdigit() and not self._reader.is_path(value):
            self._reader.read_field("length", value.split()[0], number)
        else:
            self._reader.read_field(key, value, number)

    def _read_sentence(self, text: str) -> bool:
        answer = _ANSWERS.get(text.rstrip(".!"))
        if answer is not None:
            self._reader.solved = answer
            return True
        plain = plain_letters(text)
        is_unsolved = bool(_UNSOLVED.search(plain))  # any moves or depth in it are a limit
        words = text.translate(_MARKS).split()
        # A sentence with a board has the cost of this board, not of the path.
        is_of_board = any(map(self._is_board, map(" ".join, words)))
        found = [] if is_unsolved or self._reader.is_of_another([text]) else counts_in(text)
        counts = [(key, number) for key, number in found if key != "length" or not is_of_board]
        self._reader.counts.update(counts)
        if is_unsolved:
            self._reader.solved = False
        elif _SOLVED.search(plain):
            self._reader.solved = True
        else:
            return bool(counts)
        return True

"""Grading of files: judges each function and writes reports, tables and result files."""

import json
import os
import re
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple, TextIO

from slidewise.cli.arguments import UsageError, cannot_read
from slidewise.cli.translation import SOURCE, Translator
from slidewise.course.cli.check import print_rows, write_file, write_results
from slidewise.course.cli.submissions import FileToGrade, files_to_grade
from slidewise.course.judge.alike import ComparedProgram, groups_of_alike
from slidewise.course.judge.class_files import Submitted, read_header
from slidewise.course.judge.confined import judge_confined, run_confined
from slidewise.course.judge.confinement import (
    Confinement,
    Isolation,
    ProcessLimits,
    closed_to_programs,
)
from slidewise.course.judge.driving import Answer, drive
from slidewise.course.judge.evidence import is_incomplete
from slidewise.course.judge.exercise import Exercise, exercises, find_exercise
from slidewise.course.judge.find import KnownForm, claim, find_functions, is_own
from slidewise.course.judge.fitting import (
    UNCLEAR,
    FoundFunction,
    Requests,
    as_any_search,
    find_searches,
    find_values,
)
from slidewise.course.judge.gradebook import Filled, Grade, Gradebook, titles_of
from slidewise.course.judge.own_exercise import as_text, packed, read_file, read_folder
from slidewise.course.judge.report import (
    CaseJson,
    FiguresJson,
    Judgement,
    ReportJson,
    Rules,
    failed_report,
)
from slidewise.course.judge.session import MALFORMED
from slidewise.course.judge.sources import (
    Source,
    UnreadableFileError,
    error_text,
    read_source,
    suspicious_words,
    uses_library,
)
from slidewise.course.programs.calls import SCRIPT, Failure
from slidewise.puzzle import PuzzleError, parse_board
from slidewise.text import either, message, noop, with_commas

RIGHT, WRONG, UNREADABLE = 0, 1, 2
DEFAULT_SEED = 1
JOBS = 4
"""Maximum processes at the same time; fewer with fewer processors."""

KINDS = {"rows": "list of lists", "tuples": "tuple of tuples"}
"""Kinds of boards with a shorter name on the command line."""

LIBRARY = message(
    "it uses Slidewise itself, whose functions are not its own: write the function in the file"
)
"""Why a file that imports this package is not graded."""

MOST_NAMED = 12
"""Maximum functions in an error message."""

WAIT_SECONDS = 0.5
"""Timeout of each wait for a result: a signal just before a wait does not interrupt it."""

WARNING = noop(
    "slidewise grade runs these programs on this machine, each with %(seconds)s s and "
    "%(megabytes)s MB at most%(isolation)s: see docs/teaching.md."
)

APART = message(", apart from each other and without network. They can read files")
OTHER_USERS = message(
    ", as users of their own. They can use the network, read files that all users may read, and "
    "write where all users may write"
)
NOT_APART = message(
    ", one after the other, as this system does not separate them. They can read and write your "
    "files, use the network and end your processes"
)

COLUMNS = (
    *("file", "exercise", "function", "points", "of", "mistake", "failed check", "note", "board"),
    *("goal", "yours", "expected", "error", "name", "id", "alike"),
)


class Graded(NamedTuple):
    """A function of a file and its judgement."""

    function: str
    report: Judgement


class GradedFile(NamedTuple):
    """A file and its judged functions.

    `error` is the reason if no function was judged. `others` are functions with usual names that
    take other arguments.
    """

    file: str
    source: Source | None
    graded: list[Graded]
    error: str = ""
    others: Sequence[str] = ()

    @property
    def reports(self) -> list[Judgement]:
        """The judgements of its functions."""
        return [one.report for one in self.graded]

    @property
    def points(self) -> int:
        """The sum of its points."""
        return sum(report.points for report in self.reports)

    @property
    def points_possible(self) -> int:
        """The sum of the points of its exercises."""
        return sum(report.exercise.points for report in self.reports)


def grade(args: Namespace) -> int:
    """Grade the files and return the exit code. Raises `UsageError` and `PuzzleError`."""
    args.words = Translator(args.language)
    try:
        return _grade_files(args)
    except (UsageError, PuzzleError) as error:
        if args.language == SOURCE or not error.args:
            raise
        raise UsageError(args.words(error.args[0])) from None


def _grade_files(args: Namespace) -> int:
    has_own = bool(args.exercise) and args.exercise not in exercises()
    own = _read_own(args) if has_own else None
    if args.pack and not own:
        raise UsageError(message("--pack needs an exercise of your own: --exercise FOLDER"))
    if not args.files and not own:
        raise UsageError(message("the following arguments are required: FILE"))
    if args.seconds < 1 or args.memory < 1:
        raise UsageError(message("--seconds and --memory take 1 or more"))
    gradebook = _gradebook(args)
    with TemporaryDirectory() as unpacked:
        files = list(files_to_grade(args.files, Path(unpacked)))
        if args.gradescope and len(files) != 1:
            raise UsageError(
                message(
                    "--gradescope is for one file: Gradescope grades each submission separately"
                )
            )
        named = {own.key: own} if own else _named_exercises(files, args)
        if gradebook and named:
            _column(gradebook, named, args)  # its errors come before the work
        graded = _grade_all(files, own, args)
    groups = groups_of_alike([_compared(one) for one in graded])
    if args.csv:
        sent = [one.submitted for one in files]
        print_rows(COLUMNS, _table(graded, sent, groups, args.words))
    elif not args.json and len(graded) > 1:
        lines = [*_class_table(graded, args.words), *_alike_lines(graded, groups, args.words)]
        print("\n".join(lines))
    if gradebook:
        _fill(gradebook, files, graded, args)
    if args.gradescope:
        _write_results(args.gradescope, graded[0], args.words)
    return max(map(_code, graded), default=RIGHT)


def _grade_all(
    files: Sequence[FileToGrade], own: Exercise | None, args: Namespace
) -> list[GradedFile]:
    """Grade all files, and show each once it is graded."""
    graded = []
    # The threads replace `sys.stdout` while they run known programs.
    output = sys.stdout
    with closed_to_programs(), Confinement(jobs=min(JOBS, os.cpu_count() or 1)) as confinement:
        print(_warning(args, confinement.isolation), file=sys.stderr)
        args.own = _packed(own, args, confinement) if own else None
        for one in _grade_each(files, args, confinement):
            graded.append(one)
            if not args.csv:
                _show(one, args, output)
    return graded


def _read_own(args: Namespace) -> Exercise:
    """Return a teacher's exercise, from a folder or a packed file."""
    path = Path(args.exercise)
    if not path.exists():
        find_exercise(args.exercise)  # which raises an error with the names of all exercises
    return read_folder(path) if path.is_dir() else read_file(path)


def _packed(own: Exercise, args: Namespace, confinement: Confinement) -> Exercise:
    """Try the solution of a folder, and write the file of the exercise if an option names it."""
    if own.programs:
        limits = ProcessLimits(args.seconds, args.memory)
        own = run_confined(partial(packed, own), limits, confinement)
    if args.pack == "-":
        print(as_text(own))
    elif args.pack:
        write_file(args.pack, f"{as_text(own)}\n".encode())
    elif not args.files:
        words = message(
            "%(exercise)s: the solution has all %(points)s points, the starter has fewer",
            exercise=own.key,
            points=own.points,
        )
        print(args.words(words))
    return own


def _warning(args: Namespace, isolation: Isolation) -> str:
    words = NOT_APART
    if isolation.allows_others:
        words = APART if isolation.namespaces else OTHER_USERS
    limits = {"seconds": str(args.seconds), "megabytes": str(args.memory)}
    return str(args.words(message(WARNING, **limits, isolation=words)))


def _grade_each(
    files: Sequence[FileToGrade], args: Namespace, confinement: Confinement
) -> Iterator[GradedFile]:
    """Yield the graded files in their order, from daemon threads, which end with the command."""
    results = [Future[GradedFile]() for _ in files]
    # The threads share this iterator; `next` on a list iterator is atomic.
    waiting = iter(list(zip(results, files, strict=True)))

    def work() -> None:
        for result, file in waiting:
            try:
                result.set_result(_grade(file, args, confinement))
            except BaseException as error:  # raised in the main thread by `result()`
                result.set_exception(error)

    for _ in range(confinement.jobs):
        Thread(target=work, daemon=True).start()
    for result in results:
        while not wait([result], timeout=WAIT_SECONDS).done:
            pass
        yield result.result()


def _grade(submission: FileToGrade, args: Namespace, confinement: Confinement) -> GradedFile:
    name, path, beside = submission[:3]
    if submission.error:
        return GradedFile(name, None, [], submission.error)
    try:
        source = read_source(path)
        files = tuple((key, read_source(one).code) for key, one in beside.items())
    except OSError as error:
        return GradedFile(name, None, [], cannot_read(name, error))
    except UnreadableFileError as error:
        return GradedFile(name, None, [], error.args[0])
    return _FileGrader(args, confinement, source, files).graded(name, path.name)


class _FileGrader:
    """Judges the functions of a file, with its helper modules `files`."""

    def __init__(
        self,
        args: Namespace,
        confinement: Confinement,
        source: Source,
        files: tuple[tuple[str, str], ...],
    ) -> None:
        named = read_header(source.code)
        seeds = args.seed, named.seed, DEFAULT_SEED
        self._args, self._confinement, self._source, self._files = args, confinement, source, files
        self._wanted = args.exercise or named.exercise
        self._seed = next(one for one in seeds if one is not None)
        self._limits = ProcessLimits(args.seconds, args.memory)
        # The rules of a file can only be stricter than the options.
        self._rules = Rules(
            strict=args.strict or named.rules.strict,
            hints=named.rules.hints and not args.no_hints,
            reference=named.rules.reference,
            unseen=args.unseen != "zero",
        )

    def graded(self, name: str, file: str) -> GradedFile:
        """Return the judged functions of a file `name`, whose name in its folder is `file`."""
        args, source, wanted = self._args, self._source, self._wanted
        found = find_functions([*source.functions, *source.broken])
        if args.function in source.functions:
            found = {key: names for key, names in found.items() if args.function in names}
        best: dict[str, Judgement] = {}
        unjudged: dict[str, str] = {}
        searches: dict[str, str] = {}
        for key in [wanted] if wanted else found:
            report = self._judge(key, found.get(key, []), args.function)
            if args.function and report.error and _is_missing(report.error):
                return GradedFile(name, source, [], report.error.message)
            is_missing = report.error is not None and _is_missing(report.error)
            # A function that the file only defines while it runs, or with a name of its own.
            if is_missing and (not wanted or any(not claim(one) for one in source.functions)):
                continue
            function = report.way.name if report.way else key
            if _is_unjudged(report):
                unjudged[function] = message(
                    "not judged as %(signature)s", signature=report.exercise.signature
                )
                searches[key] = function
            # A function can be a candidate for several exercises; the best judgement counts.
            elif function not in best or best[function].points < report.points:
                best[function] = report
        # Searches without a usual name are looked for only if no search was found by its name.
        if not wanted and not any(report.exercise.is_search for report in best.values()):
            for one in self._found(partial(find_searches, source.code, self._files, file)):
                if args.function not in ("", one.function):
                    continue
                report = self._judge(one.exercise, [], args.function or one.function)
                # Unknown searches are judged only by what holds for any search.
                report = report if one.sure else as_any_search(report)
                whole = report.passed or not is_incomplete(source.code, one.function)
                if report.judged and whole:
                    # The statements of a file call its search, which is the function to read.
                    by_name = searches.get(one.exercise) if one.function == SCRIPT else None
                    best[by_name or one.function] = report
                else:
                    unjudged[one.function] = message("not judged: %(why)s", why=UNCLEAR)
        if not (best or wanted or unjudged):
            for one in self._found(partial(find_values, source.code, self._files)):
                if args.function in ("", one.function):
                    report = self._judge(one.exercise, [], one.function)
                    best |= {one.function: report} if report.judged else {}
        others = [
            message("%(function)s: %(why)s", function=function, why=why)
            for function, why in unjudged.items()
            if function not in best
        ]
        if not best:
            why = _nothing_found(source, wanted, args.function, list(unjudged))
            return GradedFile(name, source, [], why, others)
        order = [*exercises(), args.own.key if args.own else ""]
        judged = [Graded(function, report) for function, report in best.items()]
        judged.sort(key=lambda one: order.index(one.report.exercise.key))
        return GradedFile(name, source, judged, others=others)

    def _judge(self, key: str, functions: Sequence[str], function: str) -> Judgement:
        args, source = self._args, self._source
        exercise = args.own or find_exercise(key)
        functions = [exercise.function] if args.own else functions or source.unread_functions
        broken = [name for name in functions if name in source.broken]
        # Only if no candidate can be read; otherwise a readable function is judged.
        if broken and len(broken) == len(functions):
            return failed_report(exercise, source.broken[broken[0]], self._seed, self._rules)
        goal = parse_board(args.goal).cells if args.goal else ()
        board = KINDS.get(args.board, args.board or "")
        return judge_confined(
            exercise,
            source.code,
            KnownForm(function, board, goal),
            files=self._files,
            explicit=bool(self._wanted),
            seed=self._seed,
            rules=self._rules,
            limits=self._limits,
            confinement=self._confinement,
        )

    def _found(self, session: Callable[[], Requests[list[FoundFunction]]]) -> list[FoundFunction]:
        """Return functions whose names do not say which exercise they are for."""

        def find(answer: Answer) -> list[FoundFunction]:
            try:
                return drive(session(), answer)
            except MALFORMED:  # a program can return anything
                return []

        return run_confined(find, self._limits, self._confinement)


def _is_missing(error: Failure) -> bool:
    """Return whether the file has no function to judge: a `NameError` without a line."""
    return error.type == "NameError" and error.line is None


def _is_unjudged(report: Judgement) -> bool:
    """Return whether the form of a function was not understood."""
    way = report.way
    return way is not None and not report.judged and not is_own(way, report.exercise)


def _nothing_found(
    source: Source, exercise: str | None, function: str, tried: Sequence[str]
) -> str:
    """Return why no function was judged, with the functions of the file.

    `function` is from `--function`. The functions `tried` fail with boards of each form.
    """
    if source.unread_functions:
        return error_text(source.broken[source.unread_functions[0]])
    if uses_library(source.code):
        return LIBRARY
    if tried:
        return message(
            "no way to call %(functions)s was found that gives a result: give the form of its "
            "boards with --board, and its goal with --goal",
            functions=either(tried),
        )
    if function in source.functions:
        return message("say which exercise %(function)s is for, with --exercise", function=function)
    if exercise:
        searched = message("no function %(function)s", function=exercise)
    else:
        searched = message("no function of an exercise")
    seen = ", ".join(source.functions[:MOST_NAMED]) or message("no function")
    return message(
        "the file has %(searched)s; it has %(seen)s: give a function a usual name, such as "
        "%(name)s, or point at it with --function NAME",
        searched=searched,
        seen=seen,
        name=exercise or either(["bfs", "astar", "is_solvable"]),
    )


def _code(submission: GradedFile) -> int:
    if submission.error:
        return UNREADABLE
    return RIGHT if all(report.passed for report in submission.reports) else WRONG


def _show(submission: GradedFile, args: Namespace, output: TextIO) -> None:
    if args.json:
        print(json.dumps(_as_json(submission, args.words)), file=output)
    else:
        print("\n".join(map(_printable, _lines(submission, args.words))), file=output)


def _printable(line: str) -> str:
    """Replace control characters, which a program could use to change the terminal."""
    return "".join(one if one.isprintable() else "?" for one in line)


def _as_json(submission: GradedFile, words: Translator) -> dict[str, Any]:
    if submission.error:
        return {"file": submission.file, "error": words(submission.error)}
    return {
        "file": submission.file,
        "points": submission.points,
        "points_possible": submission.points_possible,
        "earned": sum(report.earned for report in submission.reports),
        "judged": sum(report.judged for report in submission.reports),
        "suspicious": suspicious_words(submission.source.code) if submission.source else [],
        "functions": [
            {"function": one.function, **words.data(one.report.as_json())}
            for one in submission.graded
        ],
    }


def _lines(submission: GradedFile, words: Translator) -> Iterator[str]:
    """Yield the report of a file."""
    file, source = submission.file, submission.source
    if submission.error:
        why = submission.error
        yield words(message("%(file)s: cannot be graded: %(why)s", file=file, why=why))
        return
    sums = {"points": submission.points, "possible": submission.points_possible}
    yield words(message("%(file)s: %(points)s of %(possible)s points", file=file, **sums))
    for one in submission.graded:
        report: ReportJson = words.data(one.report.as_json())
        points = message(
            "%(points)s of %(possible)s",
            points=f"{report['points']:>2}",
            possible=report["points_possible"],
        )
        title = f"{one.function}: {report['title']}"
        yield f"  {title:<52} {words(points)}"
        yield from (f"    {words(line)}" for line in _report_lines(report, source, words))
    notes = [*submission.others]
    if source and uses_library(source.code):
        notes.append(message("Not run here: %(why)s", why=LIBRARY))
    if source and (found := suspicious_words(source.code)):
        note = message(
            "It may change the expansions it reports, with %(names)s: read its code.",
            names=", ".join(found),
        )
        notes.append(note)
    yield from (f"  {words(note)}" for note in notes)


def _report_lines(report: ReportJson, source: Source | None, words: Translator) -> Iterator[str]:
    """Yield the lines below the title of a report."""
    yield from _understood_lines(report)
    for check in report["checks"]:
        note = f": {check['note']}" if check["note"] else ""
        mark = "?" if not check["judged"] else "+" if check["passed"] else "-"
        yield f"{mark} {check['text']}{note}"
    yield from _figure_lines(report["figures"])
    if mistake := report["mistake"]:
        title, text = mistake["title"], mistake["text"]
        yield message("Mistake: %(title)s. %(text)s", title=title, text=text)
        yield message("Mend: %(mend)s", mend=mistake["mend"])
    if report["case"]:
        yield from _case_lines(report["case"], words)
    if report["line"] and source:
        place, line = source.place_of(report["line"]["number"]), report["line"]["new"].strip()
        yield message("Try in %(place)s: %(line)s", place=place, line=line)
    if report["error"] and source and (place := source.place_of(report["error"]["line"])):
        yield message("Error in %(place)s", place=place)
    if report["hint"]:
        yield message("Hint: %(hint)s", hint=report["hint"])


def _case_lines(case: CaseJson, words: Translator) -> Iterator[str]:
    """Yield the smallest board, the call, the program's result and the expected result."""
    goal = words(message("goal %(board)s", board=case["goal"])) if case["goal"] else ""
    parts = [case["board"] or "", goal, case["arguments"] if case["board"] or goal else ""]
    shown = ", ".join(filter(None, parts))
    if case["board"]:
        yield message("Board: %(board)s", board=shown)
    elif goal:
        yield message("Of %(goal)s", goal=shown)
    call, yours, expected = (words(one) for one in CASE_LABELS)
    width = max(map(len, (call, yours, expected)))
    if case["call"]:
        # Line breaks within a call follow a comma; only breaks between statements count.
        for line in re.split(r"(?<!,)\n", case["call"]):
            yield f"  {call:<{width}} {' '.join(line.split())}"
    yield f"  {yours:<{width}} {case['yours']}"
    if case["expected"] is not None:
        yield f"  {expected:<{width}} {case['expected']}"


CASE_LABELS = message("call:"), message("yours:"), message("expected:")
"""Labels of a call, the program's result and the expected result."""


def _understood_lines(report: ReportJson) -> Iterator[str]:
    """Yield the form of the function as the judge understood it."""
    seen = report["understood"]
    if not seen:
        return
    parts: list[object] = [
        message("board as %(kind)s", kind=seen["board"]),
        message("blank %(blank)s", blank=seen["blank"]),
    ]
    if seen["goal"]:
        parts.append(message("goal %(board)s only", board=seen["goal"]))
    elif seen["goal_name"]:
        parts.append(message("goal in %(name)s", name=seen["goal_name"]))
    if seen["moves"]:
        parts.append(message("expansions by %(function)s", function=seen["moves"]))
    yield message("%(call)s: %(form)s", call=seen["call"], form=with_commas(parts))
    if report["judged"] < report["points_possible"]:
        yield message(
            "%(points)s of the %(judged)s points that were judged",
            points=report["earned"],
            judged=report["judged"],
        )


def _figure_lines(figures: FiguresJson) -> Iterator[str]:
    if figures["expansions"]:
        calls = message("%(number)s calls", number=figures["calls"])
        yield message(
            "Expanded %(boards)s boards and generated %(generated)s in %(calls)s",
            boards=figures["expansions"],
            generated=figures["generated"],
            calls=message("1 call") if figures["calls"] == 1 else calls,
        )


def _class_table(graded: Sequence[GradedFile], words: Translator) -> Iterator[str]:
    """Yield the points by file and exercise, then the mistakes by frequency."""
    seen = {report.exercise.key for one in graded for report in one.reports}
    keys = [*(key for key in exercises() if key in seen), *(seen - exercises().keys())]
    width = max(len(one.file) for one in graded)
    yield ""
    yield "  ".join([f"{'':<{width}}", *keys, words(message("sum"))])
    mistakes: Counter[tuple[str, str]] = Counter()
    for one in graded:
        best: dict[str, int] = {}
        for report in one.reports:
            key = report.exercise.key
            best[key] = max(report.points, best.get(key, 0))
            if report.mistake:
                mistakes[key, report.mistake.title] += 1
        cells = [str(best.get(key, "-")).rjust(len(key)) for key in keys]
        total = "-" if one.error else str(one.points)
        yield "  ".join([f"{one.file:<{width}}", *cells, f"{total:>3}"])
    if mistakes:
        yield ""
        yield words(message("Mistakes:"))
    for (key, title), number in mistakes.most_common():
        yield f"{number:>4}  {key}: {words(title)}"


def _compared(one: GradedFile) -> ComparedProgram:
    keys = {report.exercise.key for report in one.reports}
    return ComparedProgram(one.source.code if one.source else "", tuple(sorted(keys)))


def _alike_lines(
    graded: Sequence[GradedFile], groups: Sequence[Sequence[int]], words: Translator
) -> Iterator[str]:
    """Yield the files that are alike."""
    if groups:
        yield ""
        yield words(
            message(
                "Alike without names, comments and layout, which is a reason to ask, not proof:"
            )
        )
    for group in groups:
        yield f"      {', '.join(_printable(graded[index].file) for index in group)}"


def _table(
    graded: Sequence[GradedFile],
    sent: Sequence[Submitted],
    groups: Sequence[Sequence[int]],
    words: Translator,
) -> Iterator[list[str]]:
    """Yield the rows of the table of all files."""
    for index, (submission, student) in enumerate(zip(graded, sent, strict=True)):
        group = next((one for one in groups if index in one), ())
        alike = ", ".join(graded[other].file for other in group if other != index)
        name = student.student or _name_in(submission)
        for row in _rows(submission, words):
            yield [*row, name, student.id, alike]


def _name_in(submission: GradedFile) -> str:
    return read_header(submission.source.code).student if submission.source else ""


def _gradebook(args: Namespace) -> Gradebook | None:
    """Read the gradebook before the files are graded, so that it need not be done again."""
    if args.column and not args.gradebook:
        raise UsageError(message("--column is the column of a gradebook: add --gradebook FILE"))
    if not args.gradebook:
        return None
    try:
        gradebook = Gradebook(Path(args.gradebook).read_bytes())
    except OSError as error:
        raise UsageError(cannot_read(args.gradebook, error)) from None
    if args.column and args.column not in gradebook.titles:
        gradebook.filled([], args.column)  # raises the error with the titles
    return gradebook


def _named_exercises(files: Sequence[FileToGrade], args: Namespace) -> dict[str, Exercise]:
    """Return the exercise of the options, or the exercises named in the files."""
    keys = [args.exercise] if args.exercise else []
    for one in files if not keys else ():
        with suppress(OSError, UnreadableFileError):
            keys.append(read_header(read_source(one.path).code).exercise)
    return {key: find_exercise(key) for key in keys if key}


def _column(gradebook: Gradebook, found: Mapping[str, Exercise], args: Namespace) -> str:
    """Return the column for the grades. Raises `UsageError` if it or the exercise is unclear."""
    if len(found) > 1:
        raise UsageError(
            message(
                "the files have the exercises %(exercises)s: choose the one for the gradebook with "
                "--exercise",
                exercises=", ".join(sorted(found)),
            )
        )
    titles = [title for one in found.values() for title in titles_of(one)]
    column: str = args.column or gradebook.column_for(titles)
    if not column:
        raise UsageError(
            message(
                "choose the column of the gradebook with --column: %(columns)s",
                columns=", ".join(gradebook.columns),
            )
        )
    return column


def _fill(
    gradebook: Gradebook,
    files: Sequence[FileToGrade],
    graded: Sequence[GradedFile],
    args: Namespace,
) -> None:
    """Write the gradebook with the grades next to it, and print who has none."""
    found = {report.exercise.key: report.exercise for one in graded for report in one.reports}
    grades = [_grade_of(*one) for one in zip(files, graded, strict=True)]
    filled = gradebook.filled(grades, _column(gradebook, found, args))
    if not any(filled.students):
        raise UsageError(
            message(
                "%(file)s has none of these students: is it of this course?", file=args.gradebook
            )
        )
    path = Path(args.gradebook)
    target = path.with_name(f"{path.stem}-filled{path.suffix}")
    write_file(target, filled.data)
    lines = map(args.words, _filled_lines(filled, grades, graded, target))
    print("\n".join(lines), file=sys.stderr)


def _grade_of(file: FileToGrade, graded: GradedFile) -> Grade:
    student = file.submitted
    reports = [report for report in graded.reports if report.was_read]
    best = max(reports, key=lambda one: one.points, default=None)
    return Grade(
        student.id,
        [name for name in (student.student, _name_in(graded)) if name],
        best.points if best else None,
        best.exercise.points if best else 0,
    )


def _filled_lines(
    filled: Filled, grades: Sequence[Grade], graded: Sequence[GradedFile], target: Path
) -> Iterator[str]:
    lines = {student.line for student in filled.students if student}
    count = len(lines - {row.line for row in filled.missing})
    number = message("1 grade") if count == 1 else message("%(number)s grades", number=count)
    yield message(
        "%(file)s: %(grades)s in %(column)s",
        file=str(target),
        grades=number,
        column=filled.column,
    )
    if filled.maximum:
        yield message("  in proportion to its maximum, %(maximum)s", maximum=f"{filled.maximum:g}")
    for one, grade, student in zip(graded, grades, filled.students, strict=True):
        name = _printable(one.file)
        if not student:
            yield message("  %(file)s is of nobody in the gradebook, or of several", file=name)
        elif grade.points is None:
            yield message("  %(file)s was not graded, so its cell is unchanged", file=name)
    for row in filled.missing:
        if row.line not in lines:
            yield message("  %(student)s has no file", student=_printable(row.label))


def _rows(submission: GradedFile, words: Translator) -> Iterator[list[str]]:
    if submission.error:
        yield [submission.file, *[""] * (len(COLUMNS) - 5), words(submission.error)]
    for one in submission.graded:
        report: ReportJson = words.data(one.report.as_json())
        case, failed = report["case"], next((c for c in report["checks"] if not c["passed"]), None)
        error = report["error"]
        yield [
            submission.file,
            report["exercise"],
            one.function,
            str(report["points"]),
            str(report["points_possible"]),
            report["mistake"]["title"] if report["mistake"] else "",
            failed["text"] if failed else "",
            failed["note"] if failed else "",
            *((case["board"] or "", case["goal"] or "") if case else ("", "")),
            *((case["yours"], case["expected"] or "") if case else ("", "")),
            f"{error['type']}: {error['message']}" if error else "",
        ]


def _write_results(path: str, submission: GradedFile, words: Translator) -> None:
    """Write the result file for Gradescope's autograder: a test for each check."""
    tests = [
        {
            "name": f"{one.function}: {check['text']}",
            "score": check["points"] if check["passed"] and check["judged"] else 0,
            "max_score": check["points"],
            "status": "passed" if check["passed"] else "failed",
            "output": check["note"],
        }
        for one in submission.graded
        for check in words.data(one.report.as_json())["checks"]
    ]
    output = "\n".join(map(_printable, _lines(submission, words)))
    write_results(path, submission.points, output, tests=tests)

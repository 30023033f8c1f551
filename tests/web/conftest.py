"""The app that most web tests share, and how to make another."""

import os
import signal

import jsonschema_rs
import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from slidewise.solver.tables.patterns import files
from tests.web.processes import solvers
from tests.web.programs import STREAM, Stream, post
from tests.web.redis_server import RedisServer
from tests.web.streams import PATIENCE, Reader
from webapp import create_app
from webapp.http.language import current
from webapp.workers import local
from webapp.workers.services import services_of

SETTINGS = {
    "TESTING": True,  # an exception in a view is raised in the test, never a mere 500
    "SECRET_KEY": "for tests only: " + "x" * 32,
    "SOLVERS": 2,
    "SOLVE_SECONDS": 20,
    "SOLVE_MEGABYTES": 400,
    # As long as it takes: a machine that is busy, or has to compile first, is no failure.
    **dict.fromkeys(
        (
            *("SOLVE_WAIT", "CLICK_WAIT", "NUMBER_WAIT", "HINT_WAIT", "FACTS_WAIT", "QUEUE_WAIT"),
            "RECORD_WAIT",
        ),
        PATIENCE,
    ),
    "MAX_STREAMS": 6,
    "STREAMS_PER_VISITOR": 4,
    "VISITOR_SECONDS": 10**6,  # one address asks for all that the tests do
}


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside():
    """Keep the settings of whoever runs the tests out of them."""
    names = {name for name in os.environ if name.startswith("SLIDEWISE")} - {files.VARIABLE}
    kept = {name: os.environ.pop(name) for name in names}
    yield
    os.environ.update(kept)


class CompiledTemplates(FileSystemBytecodeCache):
    """Templates as compiled, those of answers for each language."""

    def get_bucket(self, environment, name, filename, source):
        """Return what is stored of a template."""
        messages = current()
        language = f"{messages.code} {type(messages.translations)}" if environment.folded else ""
        return super().get_bucket(environment, f"{name} {language}", filename, source)


@pytest.fixture(scope="session", autouse=True)
def _compiled_templates(tmp_path_factory):
    """Compile each template once for all apps of this process."""
    cache = CompiledTemplates(str(tmp_path_factory.mktemp("templates")))
    Flask.jinja_options["bytecode_cache"] = cache
    yield
    del Flask.jinja_options["bytecode_cache"]


@pytest.fixture(scope="session", autouse=True)
def _a_worker_for_each_search():
    """No worker waits for a next search: tests find a search by its worker."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "IDLE_SECONDS", 0.0)
        yield


@pytest.fixture(scope="session")
def new_app(_no_settings_from_outside, tmp_path_factory):
    """Make apps of other settings; their solvers are stopped at the end of all tests."""
    made = []

    def make(**settings):
        state = str(tmp_path_factory.mktemp("state"))
        made.append(create_app({**SETTINGS, "STATE": state, **settings}))
        return made[-1]

    yield make
    for app in made:
        services_of(app).solvers.close()


@pytest.fixture(scope="session")
def app(new_app):
    """The one app of most tests. Its helpers are there, which has waited for the compiler in the
    first process: all others start from that."""
    app = new_app()
    services_of(app).solvers.call(abs, 1, timeout=PATIENCE)
    return app


@pytest.fixture
def client(app):
    """A visitor without cookies."""
    return app.test_client()


@pytest.fixture
def solve(app):
    """Read solve streams in threads of their own, as the server does; all are left at the end."""
    readers = []

    def start(code, *, app=app, visitor="127.0.0.1", cookies=None, path=None, **form):
        readers.append(Reader(app, code, form, visitor, cookies or {}, path))
        return readers[-1]

    yield start
    for reader in readers:
        reader.leave()
    for reader in readers:
        assert reader.wait_for_end(), "a stream outlived its reader"


@pytest.fixture
def stream():
    """Begin streams for programs, each of which is left at the end."""
    begun = []

    def begin(app, path, visitor="127.0.0.1", **body):
        response = post(app.test_client(), path, STREAM, visitor, **body)
        begun.append(Stream(response))
        return begun[-1]

    yield begin
    for one in begun:
        one.leave()


@pytest.fixture(scope="session")
def _redis_server():
    server = RedisServer()
    yield server
    server.close()


@pytest.fixture
def redis_url(_redis_server):
    """Where an empty Redis is."""
    with _redis_server.connection() as connection:
        connection.flushall()
    return _redis_server.url


@pytest.fixture(scope="session")
def event_schema(app):
    """What validates an event of a stream for programs."""
    document = app.test_client().get("/api/v1/openapi.json").json
    schemas = document["components"]
    return jsonschema_rs.validator_for(
        {"$ref": "#/components/schemas/Event", "components": schemas}
    )


@pytest.fixture
def halted():
    """Halt the workers there are: they keep their solvers busy at no cost."""
    workers = []

    def halt():
        for worker in solvers():
            os.kill(worker, signal.SIGSTOP)
            workers.append(worker)

    yield halt
    for worker in workers:
        try:
            os.kill(worker, signal.SIGKILL)
        except ProcessLookupError:
            continue

"""The app that most web tests share, and fixtures for more apps."""

import os
import signal

import jsonschema_rs
import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from slidewise.solver.tables.patterns import files
from tests.web.api_requests import STREAM, Stream, post
from tests.web.processes import send, solvers
from tests.web.redis_server import RedisServer
from tests.web.streams import PATIENCE, Reader
from webapp import create_app
from webapp.http import language
from webapp.http.language import LANGUAGES, SOURCE, current
from webapp.workers import local
from webapp.workers.shared import services_of

SETTINGS = {
    "TESTING": True,  # an exception in a view is raised in the test instead of a 500
    "SECRET_KEY": "for tests only: " + "x" * 32,
    "SOLVERS": 2,
    "SOLVE_SECONDS": 20,
    "SOLVE_MEGABYTES": 400,
    # No timeouts: a machine that is busy, or compiles first, is no failure.
    **dict.fromkeys(
        (
            *("SOLVE_WAIT", "CLICK_WAIT", "NUMBER_WAIT", "HINT_WAIT", "FACTS_WAIT", "QUEUE_WAIT"),
            "RECORD_WAIT",
        ),
        PATIENCE,
    ),
    "MAX_STREAMS": 6,
    "STREAMS_PER_VISITOR": 4,
    "VISITOR_SECONDS": 10**6,  # all tests send from one address
}


@pytest.fixture(scope="session", autouse=True)
def _no_settings_from_outside():
    """Hide settings in the environment of the test run."""
    names = {name for name in os.environ if name.startswith("SLIDEWISE")} - {files.VARIABLE}
    hidden = {name: os.environ.pop(name) for name in names}
    yield
    os.environ.update(hidden)


@pytest.fixture(autouse=True)
def _english():
    """Return to English: a request leaves its language to code that runs in its thread later."""
    yield
    language._current.set(LANGUAGES[SOURCE])


class CompiledTemplates(FileSystemBytecodeCache):
    """A cache of compiled templates, one for each language if constants are folded."""

    def get_bucket(self, environment, name, filename, source):
        """Return the cached code of a template."""
        messages = current()
        code = f"{messages.code} {type(messages.translations)}" if environment.folded else ""
        return super().get_bucket(environment, f"{name} {code}", filename, source)


@pytest.fixture(scope="session", autouse=True)
def _compiled_templates(tmp_path_factory):
    """Compile each template once for all apps of this process."""
    cache = CompiledTemplates(str(tmp_path_factory.mktemp("templates")))
    Flask.jinja_options["bytecode_cache"] = cache
    yield
    del Flask.jinja_options["bytecode_cache"]


@pytest.fixture(scope="session", autouse=True)
def _new_worker_for_each_search():
    """Let no worker wait for another search, because tests find a search by its worker."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "IDLE_SECONDS", 0.0)
        yield


@pytest.fixture(scope="session")
def new_app(_no_settings_from_outside, tmp_path_factory):
    """Return apps with other settings. Their solvers stop after all tests."""
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
    """Return the app of most tests, with all parts."""
    return started(new_app())


@pytest.fixture(scope="session")
def game_alone(new_app):
    """Return an app without parts, for tests of the game."""
    return started(new_app(PARTS=""))


def started(app):
    """Return an app whose helpers run, so the compiler has run in the process that is forked."""
    services_of(app).solvers.call(abs, 1, timeout=PATIENCE)
    return app


@pytest.fixture
def client(app):
    """Return a client without cookies."""
    return app.test_client()


@pytest.fixture
def solve(app):
    """Read solve streams in separate threads, as the server does, and leave all at the end."""
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
    """Start API streams, and leave each at the end."""
    started = []

    def start(app, path, visitor="127.0.0.1", **body):
        response = post(app.test_client(), path, STREAM, visitor, **body)
        started.append(Stream(response))
        return started[-1]

    yield start
    for one in started:
        one.leave()


@pytest.fixture(scope="session")
def _redis_server():
    server = RedisServer()
    yield server
    server.close()


@pytest.fixture
def redis_url(_redis_server):
    """Return the URL of an empty Redis."""
    with _redis_server.connection() as connection:
        connection.flushall()
    return _redis_server.url


@pytest.fixture(scope="session")
def event_schema(app):
    """Return a validator of events in API streams."""
    document = app.test_client().get("/api/v1/openapi.json").json
    schemas = document["components"]
    return jsonschema_rs.validator_for(
        {"$ref": "#/components/schemas/Event", "components": schemas}
    )


@pytest.fixture
def halted():
    """Halt the current workers, which then occupy their solvers at no cost."""
    workers = []

    def halt():
        found = solvers()
        send(signal.SIGSTOP, found)
        workers.extend(found)

    yield halt
    send(signal.SIGKILL, workers)

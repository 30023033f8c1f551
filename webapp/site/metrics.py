"""Metrics at `/metrics`, in the text format of Prometheus.

Each app counts for itself, from the start of its web process. No metric identifies a visitor:
labels are names of endpoints, algorithms and statuses.
"""

import math
import time
from collections.abc import Callable, Iterator

from flask import Flask, Response, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from slidewise.solver.events import Finished, Started

from ..http import responses
from ..http.log import PROBES, started_at
from ..http.responses import Busy, uncached
from ..http.routes import cheap
from ..workers import Failed
from ..workers.shared import services_of
from ..workers.solvers import JobEvent, Solvers

Events = Iterator[tuple[int, JobEvent | None]]

CLICKS = {f"game.{action}": action for action in ("slide", "undo", "redo", "restart", "hint")}
"""Click names by endpoint."""

LATENCY_SECONDS = 0.002, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0
"""Histogram buckets in seconds: clicks take 1 to 2 ms, others without stream up to 10 s."""


class Metrics:
    """Counters of an app."""

    def __init__(self, solvers: Solvers) -> None:
        self._registry = registry = CollectorRegistry()
        self._clicks = Counter(
            "slidewise_clicks", "Moves, undos and hints in games.", ["action"], registry=registry
        )
        self._solves = Counter(
            "slidewise_solves",
            "Searches that have ended, by their results; or lost, or left by their readers.",
            ["algorithm", "status", "verdict"],
            registry=registry,
        )
        self._refusals = Counter(
            "slidewise_refusals",
            "Answers 429, to a visitor who asks too much, and 503, of a site that is full.",
            ["endpoint", "status"],
            registry=registry,
        )
        self._errors = Counter(
            "slidewise_errors", "Answers 500, which are our fault.", ["endpoint"], registry=registry
        )
        self._seconds = Histogram(
            "slidewise_request_seconds",
            "Seconds until the answer is made; of a stream, until it begins.",
            ["endpoint"],
            buckets=LATENCY_SECONDS,
            registry=registry,
        )
        self._streams = Gauge(
            "slidewise_streams_open", "Streams that are read now.", registry=registry
        )
        waiting = Gauge("slidewise_searches_waiting", "Searches in the queue.", registry=registry)
        waiting.set_function(lambda: _known(lambda: solvers.load.waiting))
        running = Gauge("slidewise_searches_running", "Searches that run.", registry=registry)
        running.set_function(lambda: _known(lambda: solvers.load.running))
        ProcessCollector(registry=registry)  # memory, files and CPU time

    @cheap
    def page(self) -> Response:
        """Show all metrics."""
        return uncached(Response(generate_latest(self._registry), content_type=CONTENT_TYPE_LATEST))

    def count(self, response: Response) -> Response:
        if request.path in PROBES:
            return response
        endpoint, status = request.endpoint or "none", response.status_code
        self._seconds.labels(endpoint).observe(time.perf_counter() - started_at())
        # refused clicks also have the status 200, for htmx
        refused = response.headers.get("Slidewise-Answer") == "refused"
        if endpoint in CLICKS and status < 400 and not refused:
            self._clicks.labels(CLICKS[endpoint]).inc()
        if status in {429, 503}:
            self._refusals.labels(endpoint, str(status)).inc()
        elif status == 500:
            self._errors.labels(endpoint).inc()
        if response.mimetype == responses.MIMETYPE:
            self._streams.inc()
            response.call_on_close(self._streams.dec)
        return response

    def counting(self, events: Callable[..., Events]) -> Callable[..., Events]:
        """Wrap the `events` method of solvers to count each search at its end or disconnect."""

        def counted(job_id: str, after: int = 0) -> Events:
            algorithm, how = "none", ("left", "none")  # the client may disconnect before the end
            try:
                for event_id, event in events(job_id, after):
                    if isinstance(event, Started):
                        algorithm = event.algorithm
                    elif isinstance(event, Finished):
                        algorithm = event.result.algorithm
                        how = event.result.status, event.result.verdict.kind
                    elif isinstance(event, Failed):
                        how = "lost", "none"
                    yield event_id, event
            finally:
                self._solves.labels(algorithm, *how).inc()

        return counted


def init_metrics(app: Flask) -> None:
    """Start counting and serve `/metrics`.

    Call it before other response handlers are set, so that it measures their time.
    """
    solvers = services_of(app).solvers
    metrics = Metrics(solvers)
    solvers.events = metrics.counting(solvers.events)  # type: ignore[method-assign]  # of it
    app.after_request(metrics.count)
    app.add_url_rule("/metrics", "probes.metrics", metrics.page)


def _known(count: Callable[[], int]) -> float:
    """The number, or NaN if it is unavailable."""
    try:
        return count()
    except Busy:
        return math.nan

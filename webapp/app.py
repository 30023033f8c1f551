"""The application factory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flask import Flask

from slidewise import GOAL_NAMES, __version__
from slidewise.analysis.distance import SEARCH_CELLS
from slidewise.parts import Entry, Part
from slidewise.puzzle.board import MAX_SIDE, MIN_SIDE
from slidewise.text import noop

from .board import clock, goal_words, other_goal_words
from .config import NEEDS_REDIS, configure
from .http.errors import contact_url, init_errors
from .http.language import init_language
from .http.log import init_log, request_id
from .http.requests import init_requests
from .http.responses import ANSWERS, PlainApp
from .http.routes import init_routes
from .http.security import init_cross_origin, init_security
from .http.static import init_compression
from .http.visitor import SHARES_PER_ADDRESS, init_visitors
from .parts import chosen_parts, init_parts, services_of_parts
from .play import daily, moves_left, new, review, sentences
from .play.daily_results import DailyResults
from .play.daily_store import store_of
from .play.session import GameSessions
from .share.files import Pictures
from .solve.replay import SHOWN_STEPS
from .workers import LocalSolvers, Solvers
from .workers.budgets import Budgets, init_budgets
from .workers.distances import Distances
from .workers.shared import LocalShared, Services, Shared
from .workers.solution_counts import SolutionCounts

GAME = Part(
    "game",
    pages=[
        f"{__package__}.{name}" for name in ("api", "share", "site.pages", "site.service_worker")
    ],
    navigation=[
        Entry(
            noop("Play"),
            "pages.home",
            "play-page",
            [f"{__package__}.{name}" for name in ("play", "solve")],
        ),
        Entry(noop("Daily"), "daily.page", "daily-page", [f"{__package__}.play.daily"]),
        Entry(noop("Gallery"), "gallery.page", "gallery-page", [f"{__package__}.play.gallery"]),
    ],
    embeds=f"{__package__}.share.embed:EMBEDS_OF_GAMES",
    robots={
        **{path: path for path in ("/replay/", "/board/", "/qr/", "/api/", "/daily/", "/embed/")},
        "/play/": "/play/*/",
    },
)
"""The game alone, which every app has."""

_PACKAGE = Path(__file__).parent
_PROJECT = _PACKAGE.parent


def build_app(config: Mapping[str, Any] | None = None) -> Flask:
    """Return the application with its pages, its limits and its pool of solvers."""
    app = PlainApp(
        __package__, template_folder=str(_folder("templates")), static_folder=str(_folder("static"))
    )
    configure(app, dict(config or {}))
    app.session_interface = GameSessions()
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["clock"] = clock
    app.jinja_env.globals.update(
        SHOWN_STEPS=SHOWN_STEPS,
        goal_words=goal_words,
        request_id=request_id,
        version=__version__,
        contact=app.config["CONTACT"],
        contact_url=contact_url(app.config["CONTACT"]),
        other_goal_words=other_goal_words,
        most_cells=SEARCH_CELLS,
        usual_sizes=new.USUAL_SIZES,
        bands=new.bands,
        next_url=new.next_url,
        game_text=sentences.game_text,
        sentences=sentences.for_page,
        star_row=moves_left.star_row,
        sides=range(MIN_SIDE, MAX_SIDE + 1),
        goals=GOAL_NAMES,
    )
    init_language(app)
    # imported once: an import in each template costs 2 % of a click
    icons = app.jinja_env.get_template("site/_icons.html").module
    app.jinja_env.globals["icon"] = vars(icons)["icon"]
    app.extensions[ANSWERS] = app.jinja_env.for_answers()  # type: ignore[attr-defined]  # of `_App`
    if app.config["PROXIES"]:
        _trust_proxies(app, app.config["PROXIES"])
    parts = [GAME, *chosen_parts(app.config)]
    _services(app, parts).attach(app)
    init_log(app)
    init_budgets(app)
    if app.config["METRICS"]:
        from .site.metrics import init_metrics  # 1 MB and a tenth of a second

        init_metrics(app)
    init_compression(app)
    init_security(app)
    init_cross_origin(app)
    init_requests(app)
    init_visitors(app)
    init_errors(app)
    init_parts(app, parts)
    init_routes(app)
    return app


def _services(app: Flask, parts: Sequence[Part]) -> Services:
    config = app.config
    solvers, shared = _solvers(config)
    services = (
        Budgets(config["VISITOR_SECONDS"], shared),
        Distances(solvers, shared),
        review.Reviews(solvers, shared),
        SolutionCounts(solvers, shared),
        daily.Calendar(solvers, shared),
        DailyResults(store_of(config, shared, lambda: daily.today())),
        Pictures(solvers, shared),
        *services_of_parts(parts, config, solvers, shared),
    )
    return Services(solvers, shared, {type(one): one for one in services})


def _solvers(config: Mapping[str, Any]) -> tuple[Solvers, Shared]:
    """Create the solvers and the shared cache: local, or over Redis."""
    places, per_visitor = config["MAX_STREAMS"], config["STREAMS_PER_VISITOR"]
    room = places, per_visitor, _places_of_an_address(places, per_visitor)
    if not config["REDIS"]:
        return LocalSolvers(config["SOLVERS"], *room, config["WORKER_MEGABYTES"]), LocalShared()
    try:  # an optional dependency
        from .workers.redis.shared import RedisShared, connect
        from .workers.redis.solvers import RedisSolvers
    except ModuleNotFoundError as error:
        raise SystemExit(NEEDS_REDIS) from error
    try:
        return RedisSolvers(config["REDIS"], *room), RedisShared(connect(config["REDIS"]))
    except ValueError as error:
        raise SystemExit(f"SLIDEWISE_REDIS cannot be read: {error}") from error


def _places_of_an_address(places: int, per_visitor: int) -> int:
    """Return how many of the site's `places` visitors from a single address may take."""
    return max(per_visitor, min(SHARES_PER_ADDRESS * per_visitor, places - places // 4))


def _trust_proxies(app: Flask, count: int) -> None:
    from werkzeug.middleware.proxy_fix import ProxyFix

    app.wsgi_app = ProxyFix(  # type: ignore[method-assign]  # the way Flask documents
        app.wsgi_app, x_for=count, x_proto=count, x_host=count, x_prefix=count
    )


def _folder(name: str) -> Path:
    """Return `templates` or `static`: next to the package in a checkout, inside it in a wheel."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PROJECT / name

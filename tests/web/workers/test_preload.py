"""The process from which workers are forked has loaded the compiled search."""

from tests.web.streams import PATIENCE
from webapp.workers.shared import services_of


def test_workers_start_with_the_search_loaded(app):
    """A failed import there is ignored, and each worker would load everything itself."""
    question = "'webapp.workers.preload' in __import__('sys').modules"
    assert services_of(app).solvers.call(eval, question, timeout=PATIENCE)

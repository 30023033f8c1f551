"""The process that workers are forked from has the compiled search loaded."""

from tests.web.streams import PATIENCE
from webapp.workers.services import services_of


def test_workers_start_with_the_search_loaded(app):
    """An import that fails there is passed over, and each worker would load all by itself."""
    question = "'webapp.workers.preload' in __import__('sys').modules"
    assert services_of(app).solvers.call(eval, question, timeout=PATIENCE)

"""What these tests share with those of the solver."""

from tests.solver.conftest import compiled, to_blank_first, to_standard

__all__ = ["compiled", "to_blank_first", "to_standard"]

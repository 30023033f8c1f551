"""What an algorithm's frontier is: the facts from which a search is recorded and explained."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction


class Rank(NamedTuple):
    """How f is made of g and h: f = `g_weight` * g + `h_weight` * h."""

    g_weight: int
    h_weight: int

    def weighted(self, weight: Fraction) -> Rank:
        """Return the rank that counts h `weight` times as much, in whole numbers.

        >>> from fractions import Fraction
        >>> Rank(1, 1).weighted(Fraction(3, 2))
        Rank(g_weight=2, h_weight=3)
        """
        return Rank(self.g_weight * weight.denominator, self.h_weight * weight.numerator)

    @property
    def formula(self) -> str:
        """Return what f is.

        >>> Rank(1, 1).formula, Rank(-1, 0).formula, Rank(2, 3).formula
        ('g + h', '−g', '2g + 3h')
        """
        weights = {"g": self.g_weight, "h": self.h_weight}
        return " + ".join(_times(weight, name) for name, weight in weights.items() if weight)

    def worked_out(self, g: int, h: int) -> str:
        """Return f of a node as a calculation.

        >>> Rank(2, 3).worked_out(5, 4), Rank(0, 1).worked_out(5, 4)
        ('10 + 12 = 22', '4')
        """
        parts = [weight * of for weight, of in zip(self, (g, h), strict=True) if weight]
        return f"{parts[0]} + {parts[1]} = {sum(parts)}" if len(parts) > 1 else str(sum(parts))


def _times(weight: int, name: str) -> str:
    return {1: "", -1: "−"}.get(weight, str(weight)) + name


class FrontierKind(StrEnum):
    """How the frontier is held.

    `RANKED`: in one frontier, the lowest f first. `TWO_ENDS`: in two queues, from the start and
    from the goal. `PATH`: along one path, in a tree for each limit. `RECURSION`: along one path
    as well, in one tree whose nodes store what was found out below them.
    """

    RANKED = "rank"
    TWO_ENDS = "ends"
    PATH = "path"
    RECURSION = "recursion"


@dataclass(frozen=True)
class Frontier:
    """The frontier of an algorithm, and the words that explain it.

    `rank` says how f is made, with h weighted where the algorithm has that option; it is None
    where it depends on the heuristic. `order` says which node comes first. For a ranked frontier
    `reason` says why a node came next, and `ties` which others could have; `{g}`, `{h}`, `{f}`,
    `{depth}` (g in words), `{formula}` and `{sum}` (f worked out) are filled in. Without words of
    their own the algorithms have the usual ones of their kind. `by_hand` is what else has to be
    known to do the search by hand. In pseudocode a ranked frontier is called `name`, the node that
    comes first is `takes`, and a successor is kept that `keeps`.
    """

    kind: FrontierKind
    rank: Rank | None = None
    order: str = ""
    reason: str = ""
    ties: str = "with f {f}"
    by_hand: str = ""
    name: str = "frontier"
    takes: str = "the lowest f"
    keeps: str = "is new, or its g is now lower"

    @property
    def is_single(self) -> bool:
        """Return whether one frontier holds all nodes that wait."""
        return self.kind is not FrontierKind.TWO_ENDS

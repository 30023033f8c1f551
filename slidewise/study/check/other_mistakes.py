"""Known mistakes in weighted A*, IDA*, iterative deepening, RBFS and search from both ends."""

from __future__ import annotations

from typing import Any

from slidewise.study.check.change import Change
from slidewise.study.check.mistake import Mistake


def _weighted(key: str, title: str, what: str, rank: Any) -> Mistake:
    mend = "Rank the queue by f = g + w * h, with the weight w that was asked for."
    return Mistake(key, title, what, mend, ("wastar",), Change(rank=rank))


def _mistake(
    key: str, algorithm: str, title: str, what: str, mend: str, **switches: str
) -> Mistake:
    named = {name.replace("_", "-"): value for name, value in switches.items()}
    return Mistake(key, title, what, mend, (algorithm,), Change(switches=named))


_LOWEST_CUT = "Keep the lowest f of all nodes that were above the limit. That is the next limit."

OF_OTHER_SEARCHES = (
    _weighted(
        "weight-on-g",
        "Your weight is on g instead of h",
        "f is w * g + h, so the search heads for the goal less boldly than A*.",
        lambda weight: (weight.numerator, weight.denominator),
    ),
    _weighted("weight-left-out", "Your weight is left out, which is A*", "f is g + h.", (1, 1)),
    *(
        _weighted(
            f"weight-{weight:g}",
            f"Your weight is {weight:g}",
            f"f is g + {weight:g}h, which is another weight than the one asked for.",
            (rank_of_g, round(rank_of_g * weight)),
        )
        for rank_of_g, weight in ((2, 1.5), (1, 2), (1, 3), (1, 5))
    ),
    _mistake(
        "limit-plus-one",
        "idastar",
        "Your next limit is the limit plus 1",
        "The path is still shortest, but where no node has that f, the same nodes are expanded "
        "again.",
        _LOWEST_CUT,
        limit="plus-one",
    ),
    _mistake(
        "limit-highest",
        "idastar",
        "Your next limit is the highest f that was cut off",
        "It can be above the length of a shortest path, so the first path found need not be "
        "shortest.",
        _LOWEST_CUT,
        limit="highest",
    ),
    _mistake(
        "limit-last",
        "idastar",
        "Your next limit is the last f that was cut off",
        "It can be above the lowest, so the first path found need not be shortest.",
        _LOWEST_CUT,
        limit="last",
    ),
    _mistake(
        "below-the-limit",
        "idastar",
        "You keep only nodes with f below the limit",
        "Nodes whose f is the limit itself wait for the next iteration.",
        "Cut off a node only where f > limit.",
        keeps="below",
    ),
    _mistake(
        "below-the-limit",
        "idastar",
        "You keep only nodes with f below the limit, and raise it by 1",
        "Nodes whose f is the limit itself wait for the next iteration, and limits that no node "
        "has are tried too.",
        f"Cut off a node only where f > limit. {_LOWEST_CUT}",
        keeps="below",
        limit="plus-one",
    ),
    *(
        _mistake(
            "one-visited-set",
            algorithm,
            "You visit no board twice in an iteration",
            "A board that was first met deep down is not searched again when a shorter path comes "
            "to it, so that solutions within the limit are missed.",
            "Compare with the boards of the current path only.",
            visited="yes",
        )
        for algorithm in ("iddfs", "idastar")
    ),
    *(
        _mistake(
            "visited-between-limits",
            "iddfs",
            "Your visited boards are not cleared when the limit rises",
            "Boards of earlier iterations hide those behind them, so that the search stops going "
            "deeper.",
            "Begin each iteration with an empty list, or compare with the current path only.",
            **switches,
        )
        for switches in (
            {"visited": "made"},
            {"visited": "made", "first": "one"},
            {"visited": "kept"},
            {"visited": "kept", "first": "one"},
        )
    ),
    _mistake(
        "depth-limit-off-by-one",
        "iddfs",
        "Your depth limit is off by one",
        "Boards at the depth limit are not compared with the goal, so it is found one iteration "
        "too late.",
        "Compare each board with the goal first, and only then with the limit.",
        late="yes",
    ),
    _mistake(
        "depth-limit-off-by-one",
        "iddfs",
        "Your depth limit is off by one, and begins with 1",
        "Boards at the depth limit are not compared with the goal, so it is found one iteration "
        "too late.",
        "Compare each board with the goal first, and only then with the limit.",
        late="yes",
        first="one",
    ),
    _mistake(
        "depth-limit-by-two",
        "iddfs",
        "Your depth limit rises by 2",
        "A path one move longer than the shortest can come first on other problems.",
        "Raise the limit by 1.",
        limit="plus-two",
    ),
    _mistake(
        "own-f-only",
        "rbfs",
        "Successors do not take over their parent\u2019s stored f",
        "A successor starts from g + h alone, so what was found out below its parent is lost, and "
        "nodes are expanded more often.",
        "Let the stored f of a successor be the greater of g + h and its parent\u2019s stored f.",
        stored="own",
    ),
    *(
        _mistake(
            "f-not-stored",
            "rbfs",
            "The f that comes back is not stored with the successor",
            "The same successor looks best again, so the search goes down to it for ever.",
            "Store it: `best.f` becomes the f that the call returns, then look for the best again.",
            **switches,
        )
        for switches in (
            {"returned": "lost"},
            {"returned": "lost", "stored": "own"},
            {"returned": "lost", "stored": "own", "root": "h"},
            {"returned": "lost", "stored": "own", "root": "h", "back": "none"},
        )
    ),
    _mistake(
        "alternative-ignored",
        "rbfs",
        "The second best successor is ignored",
        "The search does not come back where the second best looks better, as its f is not part "
        "of the f-limit handed down.",
        "Hand down the lower of the f-limit and the second lowest stored f.",
        bound="inherited",
    ),
    _mistake(
        "alternative-alone",
        "rbfs",
        "The f-limit handed down is that of the second best alone",
        "Nodes further up the path that look better are forgotten.",
        "Hand down the lower of the f-limit and the second lowest stored f.",
        bound="second",
    ),
    _mistake(
        "below-the-bound",
        "rbfs",
        "You go back where the lowest stored f equals the f-limit",
        "The path is still shortest, but nodes are expanded more often; two equal ones can take "
        "turns for ever.",
        "Go back only where the lowest stored f is above the f-limit.",
        goes_on="below",
    ),
    _mistake(
        "both-ends-stack",
        "bidirectional",
        "The frontiers of both ends are stacks",
        "The newest node comes first, so the first meeting can be far from halfway, although a "
        "shorter path exists.",
        "Take the oldest node: use a queue for each end.",
        stack="yes",
    ),
    _mistake(
        "both-ends-stack",
        "bidirectional",
        "The frontiers of both ends are stacks, in turn",
        "The newest node comes first, so the first meeting can be far from halfway, although a "
        "shorter path exists.",
        "Take the oldest node: use a queue for each end.",
        stack="yes",
        turn="nodes",
    ),
    _mistake(
        "one-end-only",
        "bidirectional",
        "Only the start\u2019s end is expanded",
        "Nothing is expanded from the goal, so this is breadth-first search.",
        "Expand the goal\u2019s end as well, layer by layer.",
        turn="start",
    ),
)
"""The mistakes of these searches, in the order in which they are tried."""

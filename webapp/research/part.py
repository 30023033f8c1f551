"""Research, as a part."""

from slidewise.parts import Part, Subcommand

_WEB = __package__.rpartition(".")[0]

PART = Part(
    "research",
    pages=[f"{_WEB}.solve.proofs"],
    entry="pages.home",
    links={"verdict": "research/_verdict.html", "replay": "research/_replay.html"},
    commands=[
        Subcommand("slidewise.research.cli.prove", before="count"),
        Subcommand("slidewise.research.cli.bench", before="algorithms"),
    ],
    services=f"{_WEB}.solve.proofs:create_services",
    robots={"/prove/": "/prove/"},
)

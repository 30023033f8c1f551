"""Part `research`: proofs and benchmark sets."""

from pathlib import Path

from slidewise.parts import Part, Subcommand

PART = Part(
    "research",
    pages=[f"{__package__}.proofs"],
    entry="pages.home",
    links={"verdict": "research/_verdict.html", "replay": "research/_replay.html"},
    commands=[
        Subcommand("slidewise.research.cli.prove", before="count"),
        Subcommand("slidewise.research.cli.bench", before="algorithms"),
    ],
    translations=Path(__file__).parent / "translations",
    services=f"{__package__}.proofs:create_services",
    robots={"/prove/": "/prove/"},
)

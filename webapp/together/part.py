"""Part `together`: races against friends."""

from pathlib import Path

from slidewise.parts import Part

PART = Part(
    "together",
    pages=[f"{__package__}.pages"],
    entry="pages.home",
    links={"ways": "together/_way.html", "share": "together/_button.html"},
    translations=Path(__file__).parent / "translations",
    services=f"{__package__}.rooms:create_services",
    robots={"/together/": "/together/"},
)

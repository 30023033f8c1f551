"""Part `course`: the lab, lessons and exercises."""

from pathlib import Path

from slidewise.parts import Entry, Part, Subcommand
from slidewise.text import noop

LAB_ICON = (
    '<path d="M9 3h6m-5 0v6L4.5 18.5A1.7 1.7 0 0 0 6 21h12a1.7 1.7 0 0 0 1.5-2.5L14 9V3M7 15h10"/>'
)
LEARN_ICON = (
    '<path d="M12 6.5C10 4.8 7 4 3 4v14.5c4 0 7 .8 9 2.5 2-1.7 5-2.5 9-2.5V4c-4 0-7 .8-9 2.5zm0 '
    '0V21"/>'
)

PART = Part(
    "course",
    needs=["together"],  # its class pages link to races
    navigation=[
        Entry(noop("Lab"), "lab.home", LAB_ICON, [f"{__package__}.lab"]),
        Entry(
            noop("Learn"),
            "learn.page",
            LEARN_ICON,
            [f"{__package__}.learn", f"{__package__}.write"],
        ),
    ],
    pages=[f"{__package__}.api", f"{__package__}.embeds"],
    links={
        "ways": "course/_way.html",
        "stuck": "course/_stuck.html",
        "solve": "course/_solve.html",
        "review": "course/_review.html",
        "levels": "course/_levels.html",
        "editor": "course/_editor.html",
        "offline": "course/_offline.html",
        "privacy": "course/_privacy.html",
    },
    commands=[
        Subcommand("slidewise.course.cli.check", before="compare"),
        Subcommand("slidewise.course.cli.grade", before="compare"),
        Subcommand("slidewise.course.cli.atlas", before="algorithms"),
    ],
    translations=Path(__file__).parent / "translations",
    services=f"{__package__}.services:create_services",
    embeds=f"{__package__}.embeds:EMBEDS",
    stored=f"{__package__}.write.pages:stored_pages",
    files=["js/course/", "css/course/", "vendor/d3", "vendor/pyodide/"],
    offline=[
        *(f"js/course/learn/{name}.js" for name in ("by_hand", "practice", "trainer")),
        *(f"css/course/{name}.css" for name in ("learn", "watch")),
    ],
    robots={"/lab/": "/lab/*/", "/learn/write/files/": "/learn/write/files/"},
)

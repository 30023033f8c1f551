"""Metadata of a wheel or sdist, set by its build: the project's URLs and its README.

Both come from one setting, `repository` of `[tool.slidewise]` in pyproject.toml.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)]+)\)\n*")
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")


class PublishedMetadata(MetadataHookInterface):
    """Sets `urls` and `readme`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields that pyproject.toml calls dynamic."""
        root = Path(self.root)
        with (root / "pyproject.toml").open("rb") as file:
            repository = tomllib.load(file)["tool"]["slidewise"]["repository"]
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": readable_anywhere(text, repository),
        }
        metadata["urls"] = urls(repository)


def urls(repository: str) -> dict[str, str]:
    """Return the links of the project's page on a package index."""
    if not repository:
        return {}
    return {
        "Source": repository,
        "Documentation": f"{repository}/blob/main/docs/README.md",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def readable_anywhere(text: str, repository: str) -> str:
    """Return a README whose links and pictures need no checkout.

    Without a `repository` links become their text, and pictures are left out.
    """
    if not repository:
        return _LINK.sub(r"\1", _PICTURE.sub("", text))
    text = _PICTURE.sub(rf"![\1]({repository}/raw/main/\2)\n\n", text)
    return _LINK.sub(rf"[\1]({repository}/blob/main/\2)", text)

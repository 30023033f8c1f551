"""Hooks of the build: metadata, and the files of a wheel that are made from others.

The project's URLs and its README come from one setting, `repository` of `[tool.slidewise]` in
pyproject.toml.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
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


class GeneratedFiles(BuildHookInterface):  # type: ignore[type-arg]  # of any builder
    """Adds the static files that a checkout makes in memory, for servers that send the folder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files to a temporary folder; an editable install needs none."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory()
        for name, text in generated_files(Path(self.root)).items():
            path = Path(self._folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            build_data["force_include"][str(path)] = f"slidewise/web/static/{name}"


def generated_files(root: Path) -> dict[str, str]:
    """Return the static files that are made from others, by name.

    The modules run as files, since a build has none of the packages that the project needs.
    """
    component = run_path(str(root / "slidewise" / "component.py"))
    texts = run_path(str(root / "webapp" / "http" / "texts.py"))
    scripts: dict[str, str] = texts["script_texts"](root / "webapp")
    return {component["COMPONENT_FILE"]: component["component"](), **scripts}


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

"""The app's long-lived objects: its solvers, and what is remembered for all visitors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from flask import current_app

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from webapp.workers.solvers import Solvers

S = TypeVar("S")

_EXTENSION = "slidewise"


@dataclass(frozen=True, slots=True)
class Services:
    """What an app has one of: its `solvers`, and one object of each class in `others`.

    `webapp.app` makes them. A subject asks for its own by its class, `service(Calendar)`, so that
    nothing here has to know the subjects.
    """

    solvers: Solvers
    others: Mapping[type, object]

    @classmethod
    def of(cls, solvers: Solvers, *others: object) -> Services:
        """Return the services `others` beside the solvers that they ask."""
        return cls(solvers, {type(one): one for one in others})

    def get(self, kind: type[S]) -> S:
        """Return the one service of a class."""
        return cast("S", self.others[kind])

    def attach(self, app: Flask) -> None:
        """Let the app's requests find these services."""
        app.extensions[_EXTENSION] = self


def services_of(app: Flask) -> Services:
    """Return the services of an app."""
    return cast("Services", app.extensions[_EXTENSION])


def solvers() -> Solvers:
    """Return the solvers of the app that answers this request."""
    return services_of(current_app).solvers


def service(kind: type[S]) -> S:
    """Return the one service of a class that the app has which answers this request."""
    return services_of(current_app).get(kind)

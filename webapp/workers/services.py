"""Long-lived objects of the app: its solvers and its caches for all visitors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from flask import current_app

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask import Flask

    from .solvers import Solvers

S = TypeVar("S")

_EXTENSION = "slidewise"


@dataclass(frozen=True, slots=True)
class Services:
    """Registry of the app's `solvers` and its other services, by class.

    `webapp.app` creates them. A subject finds its own by class, as in `service(Calendar)`.
    """

    solvers: Solvers
    by_class: Mapping[type, object]

    @classmethod
    def of(cls, solvers: Solvers, *others: object) -> Services:
        """Register services by their classes."""
        return cls(solvers, {type(one): one for one in others})

    def get(self, kind: type[S]) -> S:
        """Return the service of a class."""
        return cast("S", self.by_class[kind])

    def attach(self, app: Flask) -> None:
        """Register the services with the app."""
        app.extensions[_EXTENSION] = self


def services_of(app: Flask) -> Services:
    """Return the services of an app."""
    return cast("Services", app.extensions[_EXTENSION])


def solvers() -> Solvers:
    """Return the solvers of the current app."""
    return services_of(current_app).solvers


def service(kind: type[S]) -> S:
    """Return the service of a class in the current app."""
    return services_of(current_app).get(kind)

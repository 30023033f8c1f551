"""The blueprint of what is for programs."""

from flask import Blueprint

blueprint = Blueprint("api", __name__, url_prefix="/api")

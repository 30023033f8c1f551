"""The blueprint of what can be shared."""

from flask import Blueprint

blueprint = Blueprint("sharing", __name__)

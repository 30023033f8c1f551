"""Blueprint of the share pages."""

from flask import Blueprint

blueprint = Blueprint("sharing", __name__)

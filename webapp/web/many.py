"""Many boards."""
from flask import Blueprint

blueprint = Blueprint("many", __name__, url_prefix="/lab/<code>/many")


@blueprint.get("")
def page() -> str:
    return ""

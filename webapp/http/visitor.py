"""Visitors: a signed cookie, which a browser gets with its first page.

The cookie holds a random name and nothing else. It shares out searches and CPU time fairly among
people behind the same address, for example a class. A client without a cookie counts by its
address; an address, with possibly many visitors, also has a share of its own.
"""

import secrets
from ipaddress import IPv6Address, ip_network
from typing import NamedTuple

from flask import Flask, Response, current_app, g, request
from itsdangerous import BadSignature, Signer

from .requests import EMBEDS, from_htmx, in_api
from .responses import after_page, keep_cookie

COOKIE = "slidewise_visitor"
"""The cookie that holds the name of a visitor, signed."""

SHARES_PER_ADDRESS = 40
"""Shares of an address, in shares of a visitor: a class of 30 may use the same address."""

NETWORK_BITS = 56
"""Bits of an IPv6 address that count: providers give a household up to 256 networks of /64."""

_NAME_BYTES = 12


class Visitor(NamedTuple):
    """A visitor: the `name` in the cookie, or else the address; and the address."""

    name: str
    address: str


def init_visitors(app: Flask) -> None:
    """Give each browser its cookie with the first page."""
    after_page(app, _introduce)


def current_visitor() -> Visitor:
    if "visitor" not in g:
        address = network_of(request.remote_addr or "")
        g.visitor = Visitor(_name_in_cookie() or address, address)
    visitor: Visitor = g.visitor
    return visitor


def is_known() -> bool:
    """Return whether this browser has been here before."""
    return _name_in_cookie() is not None


def network_of(text: str) -> str:
    """Return an address; for IPv6 the network of a household or a server.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1::/56')
    """
    if ":" not in text:
        return text
    try:
        address = IPv6Address(text)
    except ValueError:
        return text
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((int(address), NETWORK_BITS), strict=False))


def _name_in_cookie() -> str | None:
    """Return the name in the cookie, None without a cookie signed by this site."""
    try:
        return _signer().unsign(request.cookies[COOKIE]).decode("ascii")
    except (KeyError, BadSignature, UnicodeError):
        return None


def _signer() -> Signer:
    """Return the signer of names, which also accepts old keys."""
    config = current_app.config
    return Signer([*(config["SECRET_KEY_FALLBACKS"] or ()), config["SECRET_KEY"]], b"visitor")


def _introduce(response: Response) -> Response:
    """Set the cookie with a page if the browser has none; not with files, fragments or answers for
    programs, and not in frames of other sites."""
    is_page = response.status_code == 200 and request.method == "GET" and not from_htmx()
    is_page = is_page and not (request.path.startswith(EMBEDS) or in_api())
    if not is_page or _name_in_cookie():
        return response
    name = _signer().sign(secrets.token_urlsafe(_NAME_BYTES)).decode("ascii")
    keep_cookie(response, COOKIE, name)
    return response

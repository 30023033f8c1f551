"""A visitor at a puzzle, who opens its pages and clicks its tiles, or submits a form."""

from werkzeug.datastructures import MultiDict

from tests.web import markup
from tests.web.streams import HTMX


class Visitor:
    """A visitor at one puzzle, with or without JavaScript. `response` is the last response."""

    def __init__(self, client, code, *, htmx=True):
        self.client, self.code, self.htmx = client, code, htmx
        self.response = None

    def look(self, what="", *, status=200, htmx=False, **query):
        """Return the page of the game, or one below its URL."""
        path = f"/play/{self.code}/{what}".rstrip("/")
        headers = HTMX if htmx else {}
        self.response = self.client.get(path, query_string=query, headers=headers)
        assert self.response.status_code == status, self.response.text[:300]
        return markup.read(self.response)

    def click(self, what, **form):
        """Post a click; return the fragment, or the page after the redirect."""
        path = f"/play/{self.code}/{what}"
        self.response = self.client.post(path, data=form, headers=HTMX if self.htmx else {})
        if self.htmx or self.response.status_code != 303:
            return markup.read(self.response)
        assert self.response.location.partition("#")[0] == f"/play/{self.code}"
        return markup.read(self.client.get(self.response.location))

    def slide(self, *tiles, **form):
        """Click tiles one after the other; return the last page or fragment."""
        for tile in tiles:
            page = self.click("slide", tile=tile, **form)
        return page


def submit(client, response, button, **typed):
    """Click a button like a browser without JavaScript; return the response after redirects.

    `typed` replaces the values of fields; a name that the form lacks is an error.
    """
    page = list(button.ancestors)[-1]
    forms = [part for part in button.ancestors if part.tag == "form"]
    form = page.one("form", id=button["form"]) if "form" in button.attrs else forms[0]
    sent = MultiDict(_fields_of(form, page))
    assert typed.keys() <= {*sent, *(field.get("name") for field in form.inside)}
    if "name" in button.attrs:
        typed[button["name"]] = button["value"]
    for name, value in typed.items():
        sent.setlist(name, value if isinstance(value, list) else [value])
    path = button.get("formaction") or form.get("action") or response.request.path
    method = button.get("formmethod") or form.get("method", "get")
    content = {"query_string" if method == "get" else "data": sent}
    return client.open(path.partition("#")[0], method=method, follow_redirects=True, **content)


def _fields_of(form, page):
    """Yield the names and values that a form sends as it is."""
    for field in page.inside:
        form_id = field.get("form")
        inside = form_id == form.get("id") if form_id else form in field.ancestors
        if not inside or "name" not in field.attrs:
            continue
        if field.tag == "select":
            options = field.all("option", selected="") or field.all("option")
            yield field["name"], options[0].get("value", options[0].text)
        elif field.tag == "textarea":
            yield field["name"], "".join(field.content)
        elif field.tag == "input" and (
            field.get("type") not in {"radio", "checkbox"} or "checked" in field.attrs
        ):
            yield field["name"], field.get("value", "on")

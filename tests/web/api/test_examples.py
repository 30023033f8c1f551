"""The requests and the client in the documentation."""

import io
import json
import shlex

from tests.test_manual import SHOWN, block


def test_requests_of_the_documents_are_answered(client):
    lines = [shlex.split(line) for line in SHOWN if line.startswith("curl http")]
    assert len(lines) > 3
    for _, address, *options in lines:
        body = options[options.index("-d") + 1] if "-d" in options else None
        path = address.removeprefix("http://127.0.0.1:8000")
        answer = client.post(path, json=json.loads(body)) if body else client.get(path)
        assert answer.status_code == 200, path


def test_client_of_the_documents_runs(client, monkeypatch):
    def urlopen(request):
        ask = {"data": request.data, "headers": dict(request.header_items())}
        path = request.full_url.removeprefix("http://127.0.0.1:8000")
        return io.BytesIO(client.open(path, method=request.get_method(), **ask).data)

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    names = {}
    exec(block("api.md", "import json\n"), names)
    ask = names["slidewise"]
    assert len(ask("solve", puzzle=[[1, 2, 3], [4, 0, 6], [7, 5, 8]], boards=True)["boards"]) == 3
    assert ask("random?size=3x3&moves=20")["puzzle"]

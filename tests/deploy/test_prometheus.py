"""The alerts for Prometheus: each uses metrics of `/metrics` and is documented."""

import re

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.deploy.site import DEPLOY
from webapp import create_app
from webapp.config import DEFAULTS

TEXT = (DEPLOY / "prometheus-rules.yml").read_text()
RULES = [rule for group in yaml.safe_load(TEXT)["groups"] for rule in group["rules"]]
WATCHING = (DEPLOY.parent / "docs" / "watching.md").read_text()

PROMETHEUS_METRICS = {"up", "job", "le"}
"""Metrics and labels that Prometheus adds."""

SELECTED = re.compile(r"\b([a-z_]+)\{([^}]*)\}")
"""A metric with its labels, as an expression names it."""


@pytest.fixture(scope="module")
def served():
    """Return the labels of each sample of an app that has counted each thing once."""
    app = create_app({"SECRET_KEY": "for tests only" * 3, "METRICS": True})
    client = app.test_client()
    client.post("/play/1.2.3-4.5.6-7.0.8/slide", data={"tile": "8"})
    text = client.get("/metrics").text
    labels = {
        sample.name: set(sample.labels)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    documented = {  # counters without a sample before the first event
        f"slidewise_{name}_total": fields for name, fields in ON_FIRST_EVENT.items()
    }
    assert all(f"# TYPE {name} counter" in text for name in documented)
    return documented | labels


ON_FIRST_EVENT = {
    "errors": {"endpoint"},
    "refusals": {"endpoint", "status"},
    "solves": {"algorithm", "status", "verdict"},
}


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_alert_names_metrics_and_labels_that_are_served(served, rule):
    selected = SELECTED.findall(rule["expr"])
    assert selected
    for name, labels in selected:
        assert name in {*served, *PROMETHEUS_METRICS}
        assert 'job="slidewise"' in labels
        assert set(re.findall(r"(\w+)=", labels)) <= served.get(name, set()) | PROMETHEUS_METRICS
    words = set(re.findall(r"\b(?:slidewise|process)_\w+", rule["expr"]))
    assert words == {name for name, _ in selected} - PROMETHEUS_METRICS, "none without its labels"


@pytest.mark.parametrize("rule", RULES, ids=[rule["alert"] for rule in RULES])
def test_alert_is_documented_with_its_severity(rule):
    page = " (page)" if rule["labels"]["severity"] == "page" else ""
    assert f"\n| `{rule['alert']}`{page} | " in WATCHING
    assert rule["annotations"]["summary"].endswith((".", "?"))


def test_no_other_alert_is_documented():
    documented = re.findall(r"^\| `(Slidewise\w+)`", WATCHING, re.MULTILINE)
    assert documented == [rule["alert"] for rule in RULES]


def test_threshold_of_streams_is_the_limit_of_one_address():
    (streams,) = (rule["expr"] for rule in RULES if rule["alert"] == "SlidewiseStreamsStuck")
    assert streams.endswith(f" > {DEFAULTS['MAX_STREAMS'] * 3 // 4}")

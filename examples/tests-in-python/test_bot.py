import urllib.error

import pytest
from bot import add_label


def test_creates_a_label(forge):
    label = add_label(forge.url, "carol-token", "acme/web", "idea", "teal")
    assert label["color"] == "#008080"


def test_repeats_a_request_that_fails(forge):
    forge.control("/faults", {"on": "POST /projects/:id/labels", "status": 503, "times": 2})
    assert add_label(forge.url, "carol-token", "acme/web", "idea", "teal")["name"] == "idea"


def test_reports_a_missing_permission(forge):
    with pytest.raises(urllib.error.HTTPError, match="401"):
        add_label(forge.url, "wrong-token", "acme/web", "idea", "teal")

"""Only the page of this server, in a browser of this machine, is answered."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from tilewright.explorer.guard import HEADERS, Guard

GUARD = Guard(8123, "secret", 1000)
RIGHT = {
    "host": "127.0.0.1:8123",
    "origin": "http://127.0.0.1:8123",
    "x-tilewright-token": "secret",
    "content-type": "application/json",
    "content-length": "2",
}


def test_the_page_is_answered():
    assert GUARD.get(RIGHT) is None
    assert GUARD.post(RIGHT) is None
    assert GUARD.post({**RIGHT, "content-type": "application/json; charset=utf-8", "content-length": "1000"}) is None
    assert GUARD.post({**RIGHT, "host": "localhost:8123", "origin": "http://localhost:8123"}) is None
    assert (
        GUARD.post({name: value for name, value in RIGHT.items() if name != "origin"}) is None
    )  # no browser: has the token


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"host": "evil.example:8123"}, HTTPStatus.MISDIRECTED_REQUEST),
        ({"host": "127.0.0.1:8124"}, HTTPStatus.MISDIRECTED_REQUEST),
        ({"host": "127.0.0.1"}, HTTPStatus.MISDIRECTED_REQUEST),
        ({"origin": "http://evil.example"}, HTTPStatus.FORBIDDEN),
        ({"origin": "null"}, HTTPStatus.FORBIDDEN),
        ({"origin": "https://127.0.0.1:8123"}, HTTPStatus.FORBIDDEN),
        ({"x-tilewright-token": ""}, HTTPStatus.FORBIDDEN),
        ({"x-tilewright-token": "secre"}, HTTPStatus.FORBIDDEN),
        ({"x-tilewright-token": "sécret\ud800"}, HTTPStatus.FORBIDDEN),
        ({"x-tilewright-token": "secret\ud800"}, HTTPStatus.FORBIDDEN),
        ({"content-type": "text/plain"}, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
        ({"content-type": "application/x-www-form-urlencoded"}, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
        ({"content-length": "1001"}, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
        ({"content-length": "-1"}, HTTPStatus.LENGTH_REQUIRED),
        ({"content-length": "²"}, HTTPStatus.LENGTH_REQUIRED),
        ({"content-length": "9" * 5000}, HTTPStatus.LENGTH_REQUIRED),
    ],
)
def test_everything_else_is_refused(changed, status):
    refusal = GUARD.post({**RIGHT, **changed})
    assert refusal is not None
    assert refusal.status == status


@pytest.mark.parametrize("name", ["host", "x-tilewright-token", "content-type", "content-length"])
def test_what_is_missing_is_refused(name):
    assert GUARD.post({key: value for key, value in RIGHT.items() if key != name})


def test_the_page_loads_nothing_from_elsewhere_and_runs_no_inline_script():
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == policy["style-src"] == "'self'"
    assert not any(word in HEADERS["Content-Security-Policy"] for word in ("unsafe", "http", "*"))

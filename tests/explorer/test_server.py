"""The server: it answers its page, refuses the rest cleanly, and lives on."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from time import monotonic, sleep

import pytest

from tilewright.explorer import server as served
from tilewright.explorer.guard import HEADERS

TABS = b'{"ask":"tabs"}'


def ask(server, body=TABS, path="/ask", **changed):
    """The status and the body of a request as the page makes it, but for what is changed; None leaves a header out."""
    port = server.guard.port
    headers = {
        "Origin": f"http://127.0.0.1:{port}",
        "X-Tilewright-Token": server.guard.token,
        "Content-Type": "application/json",
    }
    headers |= {name.replace("_", "-"): value for name, value in changed.items()}
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", path, body, {name: value for name, value in headers.items() if value is not None})
    response = connection.getresponse()
    found = response.status, response.read()
    connection.close()
    return found


def get(server, path, host=None):
    connection = HTTPConnection("127.0.0.1", server.guard.port, timeout=10)
    connection.request("GET", path, headers={"Host": host} if host else {})
    response = connection.getresponse()
    return response.status, dict(response.getheaders()), response.read()


def alive(server):
    status, body = ask(server)
    return status == 200 and json.loads(body)["schema"] == "tilewright.explorer/1"


def test_it_listens_on_this_machine_alone_under_a_token_of_its_own(server):
    with served.Server() as other:
        assert other.server_address[0] == "127.0.0.1"
        assert other.guard.token != server.guard.token
        assert len(other.guard.token) >= 24
        assert other.guard.port != server.guard.port


def test_the_page_and_its_files_are_given_with_the_headers_that_guard_them(server):
    for path in ("/", "/index.html", "/app.js", "/app.css", "/?token=x"):
        status, headers, body = get(server, path)
        assert status == 200
        assert body
        assert HEADERS.items() <= headers.items()
    assert server.guard.token.encode() not in get(server, "/")[2]


@pytest.mark.parametrize(
    "path",
    ["/../server.py", "/%2e%2e/server.py", "//etc/passwd", "/server.py", "/page/", "/app.js/", "/\\", "HTTP://["],
)
def test_no_other_file_is_given(server, path):
    assert get(server, path)[0] == 404


def test_a_head_is_that_of_the_file(server):
    connection = HTTPConnection("127.0.0.1", server.guard.port, timeout=10)
    connection.request("HEAD", "/app.js")
    response = connection.getresponse()
    given = dict(response.getheaders())
    assert (response.status, given["Content-Length"]) == (200, get(server, "/app.js")[1]["Content-Length"])
    assert response.read() == b""


def test_another_host_gets_nothing(server):
    assert get(server, "/", "evil.example")[0] == 421
    assert ask(server, Host="evil.example")[0] == 421


def test_other_origins_and_tokens_are_refused(server):
    assert ask(server, Origin="http://evil.example")[0] == 403
    assert ask(server, X_Tilewright_Token="x")[0] == 403
    assert ask(server, X_Tilewright_Token=None)[0] == 403
    assert ask(server, Content_Type="text/plain")[0] == 415
    assert alive(server)


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Host: evil.example", 421),
        ("Origin: http://evil.example", 403),
        ("X-Tilewright-Token: x", 403),
        ("Content-Type: text/plain", 415),
        ("Content-Length: 99999999999999", 411),
    ],
)
def test_a_header_that_comes_twice_is_refused_whichever_comes_first(server, header, status):
    port = server.guard.port
    right = (
        f"Host: 127.0.0.1:{port}",
        f"Origin: http://127.0.0.1:{port}",
        f"X-Tilewright-Token: {server.guard.token}",
        "Content-Type: application/json",
        f"Content-Length: {len(TABS)}",
    )
    for lines in ((*right, header), (header, *right)):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as one:
            one.sendall("\r\n".join(("POST /ask HTTP/1.1", *lines, "", "")).encode() + TABS)
            assert one.recv(100).split()[1] == str(status).encode()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW"])
def test_other_methods_are_refused(server, method):
    connection = HTTPConnection("127.0.0.1", server.guard.port, timeout=10)
    connection.request(method, "/ask")
    assert connection.getresponse().status == 501
    assert alive(server)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"ask":"tabs"',
        b"[" * 60_000,
        b'{"ask":["tabs"]}',
        b'{"ask":"x"}',
        b"1e999",
    ],
)
def test_nonsense_is_answered_with_a_problem(server, body):
    status, reply = ask(server, body)
    assert status == 200
    assert json.loads(reply)["problems"][0]["message"]


def test_a_request_of_a_megabyte_is_refused_before_it_is_read(server):
    status, reply = ask(server, b"x", Content_Length=str(1 << 20))
    assert status == 413
    assert b"65536" in reply
    assert alive(server)


def test_traces_have_a_door_of_their_own_that_is_guarded_as_well(server):
    wide = b" " * (1 << 17) + b"{}"
    status, reply = ask(server, wide, "/trace")
    assert status == 200
    assert json.loads(reply)["problems"][0]["message"].startswith("trace.schema")
    assert ask(server, b"x", "/trace", Content_Length=str((1 << 24) + 1))[0] == 413
    assert ask(server, b"x", "/trace", Origin="http://evil.example")[0] == 403
    assert ask(server, b"x", "/trace", X_Tilewright_Token="x")[0] == 403
    assert ask(server, b"x", "/trace", Content_Type="text/plain")[0] == 415
    assert ask(server, b"x", "/other")[0] == 404
    assert alive(server)


def test_whoever_sends_slowly_or_nothing_is_dropped_and_others_are_served_meanwhile(server, monkeypatch):
    monkeypatch.setattr(served.Handler, "timeout", 0.3)
    slow = [socket.create_connection(("127.0.0.1", server.guard.port)) for _ in range(10)]
    for one in slow:
        one.sendall(b"POST /ask HTTP/1.1\r\nHost: ")
    begun = monotonic()
    assert alive(server)
    assert monotonic() - begun < 5
    for one in slow:
        one.settimeout(5)
        assert one.recv(100) == b""
        one.close()


def test_a_byte_now_and_then_keeps_no_place(server, monkeypatch):
    monkeypatch.setattr(served.Handler, "timeout", 0.3)
    with socket.create_connection(("127.0.0.1", server.guard.port), timeout=5) as one:
        one.sendall(b"POST /ask HTTP/1.1\r\nX: ")
        begun = monotonic()
        with suppress(OSError):
            while monotonic() - begun < 5:
                one.sendall(b"x")
                sleep(0.05)
        assert monotonic() - begun < 4


@pytest.mark.parametrize(
    "sent", [b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"A" * 70_000 + b"\r\n\r\n"]
)
def test_what_is_no_http_harms_nothing(server, sent):
    with socket.create_connection(("127.0.0.1", server.guard.port), timeout=5) as one:
        try:
            one.sendall(sent)
            one.recv(1000)
        except OSError:
            pass
    assert alive(server)


def test_two_hundred_requests_at_once_are_answered_or_sent_away_and_the_server_lives_on(server):
    def one(_):
        try:
            return ask(server)[0]
        except OSError:
            return 0

    with ThreadPoolExecutor(200) as pool:
        found = list(pool.map(one, range(200)))
    assert set(found) <= {200, 503, 0}
    assert found.count(200) >= 32
    assert alive(server)


def test_the_page_is_there_before_the_engine():
    code = "import sys, tilewright.explorer.server as s; s.Server(); print('tilewright.figures' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"

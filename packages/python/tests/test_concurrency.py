"""Threads, coroutines, cancellation, and the network."""

from __future__ import annotations

import asyncio
import pathlib
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Iterator

import pytest

import omniread

# A read ends within milliseconds after it was cancelled. The guard is for machines under load.
SOON = 20.0


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of a server that accepts connections and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


@pytest.fixture
def waiting(silent: int, files: pathlib.Path) -> Iterator[tuple[omniread.Session, str]]:
    """A session, and a path whose read waits."""
    grant = f"127.0.0.1:{silent}"
    with omniread.Reader(files, allow_net=grant, net_timeout=300) as reader, reader.session() as session:
        yield session, f"http://{grant}/"


def test_many_threads_read_at_once(session: omniread.Session) -> None:
    paths = ["notes.txt:10-20", "pack.zip:inner/a.txt", "people.csv", "data.sqlite:users", "red.png"]
    expected = {path: session.read(path).text for path in paths}
    with ThreadPoolExecutor(16) as threads:
        replies = list(threads.map(lambda path: (path, session.read(path).text), paths * 60))
    assert all(text == expected[path] for path, text in replies)


def test_other_threads_run_during_a_read(waiting: tuple[omniread.Session, str]) -> None:
    session, url = waiting
    token = omniread.CancelToken()
    caught: list[BaseException] = []

    def read() -> None:
        try:
            session.read(url, cancel=token)
        except omniread.ReadError as error:
            caught.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    turns = 0
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        turns += 1
    # With the lock in the read, this thread would not run at all.
    assert thread.is_alive() and turns > 1000
    token.cancel()
    thread.join(SOON)
    assert not thread.is_alive()
    assert token.cancelled
    assert [type(error) for error in caught] == [omniread.ReadCancelledError]


def test_read_with_a_cancelled_token_fails_at_once(session: omniread.Session) -> None:
    token = omniread.CancelToken()
    assert not token.cancelled
    session.read("notes.txt", cancel=token)
    token.cancel()
    for _ in range(3):
        with pytest.raises(omniread.ReadCancelledError):
            session.read("notes.txt", cancel=token)
    with pytest.raises(omniread.ReadCancelledError):
        session.call("omp", {"path": "notes.txt"}, cancel=token)


@pytest.mark.parametrize("closed", ["session", "reader"])
def test_close_ends_running_reads(waiting: tuple[omniread.Session, str], closed: str) -> None:
    session, url = waiting
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(session.read, url)
        time.sleep(0.2)
        (session if closed == "session" else session.reader).close()
        with pytest.raises(omniread.ReadCancelledError):
            running.result(SOON)


def test_close_leaves_other_sessions_alone(waiting: tuple[omniread.Session, str]) -> None:
    session, url = waiting
    token = omniread.CancelToken()
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(session.read, url, cancel=token)
        time.sleep(0.2)
        session.reader.session().close()
        time.sleep(0.2)
        assert not running.done()
        token.cancel()
        assert isinstance(running.exception(SOON), omniread.ReadCancelledError)


def test_coroutines_read_at_the_same_time(session: omniread.Session) -> None:
    async def read() -> list[omniread.Reply]:
        return await asyncio.gather(*(session.aread(f"notes.txt:{line}-{line}") for line in range(1, 31)))

    replies = asyncio.run(read())
    assert [f"line {number + 1}" in reply.text for number, reply in enumerate(replies)] == [True] * 30


def test_coroutine_raises_the_error_of_the_read(session: omniread.Session, files: pathlib.Path) -> None:
    async def read() -> omniread.Reply:
        with pytest.raises(FileNotFoundError):
            await session.aread("missing")
        return await session.acall("claude", {"file_path": str(files / "notes.txt"), "limit": 1})

    assert "line 1" in asyncio.run(read()).text


def test_cancelled_task_cancels_the_read(waiting: tuple[omniread.Session, str]) -> None:
    session, url = waiting

    async def read() -> float:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(session.aread(url), 0.2)
        return time.monotonic()

    # `asyncio.run` waits for the threads of the loop: it does not return while the read runs.
    cancelled = asyncio.run(read())
    assert time.monotonic() - cancelled < SOON


def test_network_is_granted_by_host(files: pathlib.Path) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = f"token {self.headers['X-Token']}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host = f"127.0.0.1:{server.server_port}"
        url = f"http://{host}/a.txt"
        headers = {"127.0.0.1": {"X-Token": "secret"}}
        with omniread.Reader(files, allow_net=[host], net_headers=headers) as reader, reader.session() as session:
            reply = session.read(url)
            assert "token secret" in reply.text
            assert reply.details["web"]["status"] == 200
        with omniread.Reader(files) as reader, reader.session() as session:
            with pytest.raises(omniread.NetworkError) as caught:
                session.read(url)
            assert caught.value.facts["error"]["kind"] == "refused"
        server.shutdown()


def test_slow_server_is_a_timeout(silent: int, files: pathlib.Path) -> None:
    grant = f"127.0.0.1:{silent}"
    with omniread.Reader(files, allow_net=grant, net_timeout=0.2) as reader, reader.session() as session:
        with pytest.raises(TimeoutError):
            session.read(f"http://{grant}/")

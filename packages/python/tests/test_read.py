"""Reads of each kind of content, options, tools and errors."""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import sys

import pytest

import omniread
from omniread._errors import read_error


def test_text_has_lines_and_the_path_that_continues(session: omniread.Session) -> None:
    reply = session.read("notes.txt")
    assert "line 1\n" in reply.text
    assert str(reply) == reply.text
    assert reply.next is not None and reply.next.startswith("notes.txt:")
    assert reply.details["total_lines"] == {"exact": 1000}
    assert (reply.kind, reply.path, reply.is_error) == ("text", "notes.txt", False)
    assert session.read(reply.next).details["shown"][0]["first"] > 1
    assert repr(reply).startswith("<Reply text 'notes.txt', next='notes.txt:")


def test_member_of_an_archive_is_read(session: omniread.Session) -> None:
    assert "in the archive" in session.read("pack.zip:inner/a.txt").text
    assert "inner/" in session.read("pack.zip").text


def test_table_is_read(session: omniread.Session) -> None:
    assert "Grace" in session.read("people.csv").text
    reply = session.read("data.sqlite:users")
    assert "Ada" in reply.text
    assert reply.details["database"]["columns"] == ["id", "name"]


def test_image_has_bytes_and_sides(session: omniread.Session) -> None:
    reply = session.read("red.png")
    (image,) = reply.images
    assert image.mime == "image/png"
    assert image.data.startswith(b"\x89PNG")
    assert len(image.data) == image.size
    assert (image.width, image.height, image.type) == (8, 4, "image")
    assert image in reply.blocks
    assert reply.attachments == ()
    assert repr(image) == f"<Media image/png of {image.size} bytes, 8 x 4 pixels>"


def test_document_is_read(session: omniread.Session) -> None:
    reply = session.read("letter.docx")
    assert "Dear reader" in reply.text
    assert reply.kind == "document"


def test_directory_is_listed_without_denied_files(session: omniread.Session) -> None:
    text = session.read(".").text
    assert "notes.txt" in text
    assert ".env" not in text


def test_json_is_that_of_the_command_line(session: omniread.Session) -> None:
    reply = session.read("notes.txt:1-2")
    data = reply.to_dict()
    assert set(data) == {"blocks", "details", "structured"}
    assert data["blocks"][0]["text"] == reply.text
    assert json.loads(json.dumps(data)) == data
    assert data["details"]["display_content"]["text"].startswith("line 1")
    without = dict(data["details"])
    del without["display_content"]
    assert without == reply.details
    assert reply.structured == data["structured"]


def test_missing_file_is_a_file_not_found_error(session: omniread.Session) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        session.read("note.txt")
    error = caught.value
    assert isinstance(error, omniread.PathNotFoundError)
    assert isinstance(error, omniread.ReadError)
    assert (error.reason, error.is_error, error.errno) == ("not_found", True, 2)
    assert "notes.txt" in error.facts["near"]
    assert error.hint and "notes.txt" in error.hint
    assert str(error) == f"{error.message}\nhint: {error.hint}"
    assert error.message in error.text


@pytest.mark.parametrize(
    ("path", "kind", "reason"),
    [
        (".env", PermissionError, "denied"),
        ("/etc/passwd", PermissionError, "outside_roots"),
        ("../outside", PermissionError, "outside_roots"),
        ("notes.txt:10-5", ValueError, "invalid_selector"),
        ("data.sqlite?q=DROP TABLE users", ValueError, "query"),
        ("https://example.com/", ConnectionError, "network"),
    ],
)
def test_error_has_the_class_of_its_reason(
    session: omniread.Session, path: str, kind: type[Exception], reason: str
) -> None:
    with pytest.raises(kind) as caught:
        session.read(path)
    assert isinstance(caught.value, omniread.ReadError)
    assert caught.value.reason == reason


def test_directory_is_an_error_in_a_dialect_of_files(session: omniread.Session) -> None:
    with pytest.raises(IsADirectoryError):
        session.read(".", "comma")


def test_error_can_be_pickled(session: omniread.Session) -> None:
    with pytest.raises(omniread.ReadError) as caught:
        session.read("note.txt")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is omniread.PathNotFoundError
    assert (str(copy), copy.facts, copy.text) == (str(caught.value), caught.value.facts, caught.value.text)


def test_paths_are_text_bytes_or_path_like(session: omniread.Session, files: pathlib.Path) -> None:
    text = session.read("notes.txt:1-2").text
    assert session.read(b"notes.txt:1-2").text == text
    assert session.read(pathlib.Path("notes.txt:1-2")).text == text
    whole = session.read(files / "notes.txt")
    assert whole.kind == "text"
    with pytest.raises(TypeError):
        session.read(1)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform != "linux", reason="the file system decodes names")
def test_name_that_is_not_utf8_is_listed_and_refused(tmp_path: pathlib.Path) -> None:
    name = b"caf\xe9.txt"
    pathlib.Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("latin\n")
    with omniread.Reader(tmp_path) as reader, reader.session() as session:
        assert "caf" in session.read(".").text
        for path in (name, os.fsdecode(name)):
            with pytest.raises(omniread.InvalidRequestError) as caught:
                session.read(path)
            assert caught.value.reason == "invalid_path"


def test_strange_paths_are_typed_errors(session: omniread.Session) -> None:
    for path in ("", "a\0b", "\ud800", "x" * 100_000, ":", "notes.txt:" + "9" * 50):
        with pytest.raises(omniread.ReadError):
            session.read(path)


def test_options_change_the_reply(session: omniread.Session) -> None:
    assert session.read("notes.txt", limit=10).details["shown"] == [{"first": 1, "last": 10}]
    plain = session.read("notes.txt", lines="3-3", hashlines=False, margin=False)
    assert plain.text.splitlines()[0] == "line 3"
    assert session.read("red.png", image_metadata=True).images == ()
    assert session.read("notes.txt", limit=None).text == session.read("notes.txt").text
    assert session.read("notes.txt", reply_bytes="4K").next is not None
    assert session.read("notes.txt", ignores=["x", "y"]).kind == "text"


def test_wrong_options_are_errors(session: omniread.Session) -> None:
    with pytest.raises(TypeError, match="there is no option `limits`: the options are limit,"):
        session.read("notes.txt", limits=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="must be a number from 1 to 3000"):
        session.read("notes.txt", limit=0)
    with pytest.raises(TypeError, match="option `limit` is a bool, an int"):
        session.read("notes.txt", limit=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no dialect `cat`"):
        session.read("notes.txt", "cat")  # type: ignore[arg-type]


def test_call_runs_the_tool_of_a_dialect(session: omniread.Session, files: pathlib.Path) -> None:
    arguments = {"file_path": str(files / "notes.txt"), "offset": 2, "limit": 1}
    reply = session.call("claude", arguments)
    assert "2\tline 2\n" in reply.text and "line 3" not in reply.text
    assert session.call("claude", json.dumps(arguments)).text == reply.text
    for dialect in omniread.DIALECTS:
        with pytest.raises(omniread.ReadError) as caught:
            session.call(dialect, "{}")  # type: ignore[arg-type]
        assert caught.value.text
    with pytest.raises(omniread.InvalidRequestError):
        session.call("claude", "not JSON")


def test_tools_have_the_form_of_the_api(reader: omniread.Reader) -> None:
    (tool,) = reader.tools("openai", "claude")
    assert tool["function"]["name"] == "Read"
    for api in omniread.APIS:
        for dialect in omniread.DIALECTS:
            assert len(reader.tools(api, dialect)) == 1  # type: ignore[arg-type]
    assert reader.tools("mcp", "gemini", current=True) != reader.tools("mcp", "gemini")
    with pytest.raises(ValueError, match="there is no API `x`"):
        reader.tools("x")  # type: ignore[arg-type]
    assert omniread.tools("anthropic")[0]["name"] == "read"


def test_paths_are_completed(reader: omniread.Reader) -> None:
    assert reader.complete("no") == ["notes.txt"]


def test_session_knows_what_has_changed(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one\ntwo\n")
    with omniread.Reader(tmp_path) as reader, reader.session() as session:
        assert session.stale("a.txt") == "unread"
        session.read("a.txt")
        assert session.stale("a.txt") == "same"
        file.write_text("one\nTWO\n")
        assert session.stale(file) == "changed"
        changes = session.changes("a.txt")
        assert changes["state"] == "changed"
        assert changes["hunks"] == [{"old_first": 2, "old": ["two"], "new_first": 2, "new": ["TWO"]}]
        assert session.record_write("a.txt", "one\nTWO\n")
        assert session.changes("a.txt")["hunks"] == []
        file.unlink()
        assert session.stale("a.txt") == "gone"
        session.clear()
        with pytest.raises(TypeError, match="the content is bytes or str, not `int`"):
            session.record_write("a.txt", 1)  # type: ignore[arg-type]


def test_session_in_a_directory_outlives_its_reader(tmp_path: pathlib.Path, files: pathlib.Path) -> None:
    for state in ("unread", "same"):
        with omniread.Reader(files) as reader, reader.session(tmp_path / "state") as session:
            assert session.stale("notes.txt") == state
            session.read("notes.txt")
    with omniread.Reader(files) as reader, pytest.raises(omniread.SessionError):
        reader.session(files / "notes.txt")


def test_session_warns_of_a_directory_in_a_root(tmp_path: pathlib.Path) -> None:
    with omniread.Reader(tmp_path) as reader:
        with pytest.warns(UserWarning, match="is where files are read") as caught:
            reader.session(tmp_path / "state").close()
        assert caught[0].filename == __file__


def test_damaged_session_is_set_aside_with_a_warning(tmp_path: pathlib.Path, files: pathlib.Path) -> None:
    state = tmp_path / "state"
    with omniread.Reader(files) as reader:
        reader.session(state).close()
        for file in state.iterdir():
            file.write_bytes(b"no database" * 1000)
        with pytest.warns(UserWarning, match="starts empty"):
            session = reader.session(state)
        assert session.read("notes.txt").kind == "text"
        session.close()


def test_sessions_do_not_share_what_was_shown(reader: omniread.Reader) -> None:
    first, second = reader.session(), reader.session()
    first.read("notes.txt")
    assert (first.stale("notes.txt"), second.stale("notes.txt")) == ("same", "unread")
    assert "already" in first.read("notes.txt", repeat=True).text or first.read("notes.txt", repeat=True).details["repeats"]


def test_limits_of_a_reader_apply(files: pathlib.Path) -> None:
    with omniread.Reader(files, max_file_size=10) as reader, reader.session() as session:
        with pytest.raises(omniread.ReadError) as caught:
            session.read("notes.txt")
        assert caught.value.facts["limit"] == "max-file-size"
    with omniread.Reader(files, timeout=1e-6) as reader, reader.session() as session:
        with pytest.raises(TimeoutError) as late:
            session.read("data.sqlite:users")
        assert isinstance(late.value, omniread.ReadTimeoutError)
    # Which of the limits of time ends the read of a document depends on the moment.
    document = {"kind": "limit", "limit": "document-time", "message": "it exceeds the limit `time`"}
    assert isinstance(read_error(document, "", {}), omniread.ReadTimeoutError)
    with omniread.Reader() as reader, reader.session() as session:
        assert reader.roots == []
        with pytest.raises(PermissionError):
            session.read("notes.txt")


def test_mounts_and_home_are_read(files: pathlib.Path) -> None:
    with omniread.Reader(files, mounts={"docs": files}, home=files) as reader, reader.session() as session:
        assert "line 1" in session.read("docs://notes.txt").text
        assert "line 1" in session.read("~/notes.txt").text


def test_wrong_settings_are_errors(files: pathlib.Path) -> None:
    with pytest.raises(omniread.ConfigError, match="no-such"):
        omniread.Reader(files / "no-such")
    with pytest.raises(omniread.ConfigError):
        omniread.Reader(files, deny=[""])
    with pytest.raises(omniread.ConfigError):
        omniread.Reader(files, allow_net=["https://example.com/path"])
    with pytest.raises(omniread.ConfigError):
        omniread.Reader(files, mounts={"http": files})
    with pytest.raises(TypeError, match="unexpected keyword argument 'root'"):
        omniread.Reader(root=files)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'net_x'"):
        omniread.Reader(net_x=1)  # type: ignore[call-arg]
    for seconds in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="`timeout` is a number of seconds"):
            omniread.Reader(files, timeout=seconds)
    with pytest.raises(OverflowError):
        omniread.Reader(files, memory=-1)


def test_closed_readers_and_sessions_refuse_reads(files: pathlib.Path) -> None:
    reader = omniread.Reader(files)
    session, other = reader.session(), reader.session()
    session.close()
    assert session.closed and not other.closed and not reader.closed
    with pytest.raises(ValueError, match="the session is closed"):
        session.read("notes.txt")
    other.read("notes.txt")
    reader.close()
    reader.close()
    assert other.closed and reader.closed
    for use in (lambda: other.read("notes.txt"), reader.session, lambda: reader.tools("mcp")):
        with pytest.raises(ValueError, match="the reader is closed"):
            use()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_readers_sessions_and_replies_are_not_pickled(session: omniread.Session, protocol: int) -> None:
    reply = session.read("notes.txt")
    for value in (session, session.reader, reply):
        with pytest.raises(TypeError, match="cannot pickle a"):
            pickle.dumps(value, protocol)


def test_default_reader_follows_the_current_directory(
    monkeypatch: pytest.MonkeyPatch, files: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    monkeypatch.chdir(files)
    assert "line 1" in omniread.read("notes.txt").text
    monkeypatch.chdir(tmp_path)
    with pytest.raises(omniread.PathNotFoundError):
        omniread.read("notes.txt")


def test_blocks_can_be_matched(session: omniread.Session) -> None:
    (text,) = session.read("notes.txt").blocks
    assert isinstance(text, omniread.Text)
    assert (text.type, str(text)) == ("text", text.text)
    assert omniread.Text.__match_args__ == ("text",)
    assert omniread.Media.__match_args__ == ("mime", "data")

"""Files that the tests read."""

from __future__ import annotations

import pathlib
import sqlite3
import struct
import zipfile
import zlib
from typing import Iterator

import pytest

import omniread


def png(width: int, height: int) -> bytes:
    """A red image."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\xff\0\0" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def docx(path: pathlib.Path, text: str) -> None:
    """A document of one paragraph."""
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument'
        '.wordprocessingml.document.main+xml"/></Types>'
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    )
    body = (
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r>'
        f"<w:t>{text}</w:t></w:r></w:p></w:body></w:document>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("_rels/.rels", relations)
        archive.writestr("word/document.xml", body)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A directory with one file of each kind. Tests do not change it."""
    directory = tmp_path_factory.mktemp("files")
    (directory / "notes.txt").write_text("".join(f"line {number}\n" for number in range(1, 1001)))
    (directory / "people.csv").write_text("name,age\nAda,36\nGrace,85\n")
    (directory / "red.png").write_bytes(png(8, 4))
    (directory / ".env").write_text("SECRET=1\n")
    docx(directory / "letter.docx", "Dear reader")
    with zipfile.ZipFile(directory / "pack.zip", "w") as archive:
        archive.writestr("inner/a.txt", "in the archive\n")
    database = sqlite3.connect(directory / "data.sqlite")
    database.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)")
    database.executemany("INSERT INTO users (name) VALUES (?)", [("Ada",), ("Grace",)])
    database.commit()
    database.close()
    return directory


@pytest.fixture
def reader(files: pathlib.Path) -> Iterator[omniread.Reader]:
    with omniread.Reader(files, deny=[".env"]) as reader:
        yield reader


@pytest.fixture
def session(reader: omniread.Reader) -> Iterator[omniread.Session]:
    with reader.session() as session:
        yield session

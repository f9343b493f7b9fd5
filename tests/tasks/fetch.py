"""Fetches the files of the thirty tasks: pinned packages of crates.io, npm and PyPI, and tables made of them.

    fetch.py DIR

The sources of crates are those of `Cargo.lock`, which a build has fetched. It needs `cargo`, `npm` and `pip`.
"""

import csv
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import zipfile

CRATES = ["clap_builder", "hyper", "rustls", "tokio", "url"]
NPM = ["ajv@8.17.1", "vega-datasets@2.11.0"]
SOURCES = ["lxml==5.3.0", "pypdf==5.1.0", "python-docx==1.1.2", "python-pptx==1.0.2"]
WHEELS = ["requests==2.32.3", "XlsxWriter==3.2.0"]
# The tables of the database and the sheets of the workbook.
TABLES = ["airports", "disasters", "seattle-weather", "sp500-2000", "zipcodes"]
SHEETS = ["disasters", "seattle-weather"]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    crates(folder)
    with tempfile.TemporaryDirectory() as download:
        run("npm", "pack", "--silent", "--pack-destination", download, *NPM)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", download]
        run(*pip, *WHEELS)
        for source in SOURCES:
            run(*pip, "--no-binary", ":all:", source)
        for package in pathlib.Path(download).iterdir():
            unpack(package, folder)
    tables(folder)


def run(*command):
    subprocess.run(command, check=True)


def crates(folder):
    metadata = ["cargo", "metadata", "--locked", "--format-version", "1"]
    packages = json.loads(subprocess.run(metadata, check=True, capture_output=True).stdout)["packages"]
    for package in packages:
        if package["name"] in CRATES:
            target = folder / package["name"]
            if not target.exists():
                shutil.copytree(pathlib.Path(package["manifest_path"]).parent, target)


def unpack(package, folder):
    """Unpacks a package as a directory with its name, without its version."""
    name = package.name.rpartition("-")[0] if package.suffix != ".whl" else package.name.split("-")[0]
    target = folder / name
    if target.exists():
        return
    if package.suffix == ".whl":
        zipfile.ZipFile(package).extractall(target)
        return
    with tempfile.TemporaryDirectory(dir=folder) as place:
        with tarfile.open(package) as archive:
            archive.extractall(place, filter="data")
        [top] = pathlib.Path(place).iterdir()
        top.rename(target)


def rows_of(folder, name):
    with open(folder / "vega-datasets" / "data" / f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def number(text):
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        # A zip code keeps its zeros.
        return value if kind is float or str(value) == text else text
    return text


def tables(folder):
    database = folder / "facts.db"
    database.unlink(missing_ok=True)
    with sqlite3.connect(database) as connection:
        for name in TABLES:
            head, *rows = rows_of(folder, name)
            columns = ", ".join(f'"{column}"' for column in head)
            table = name.replace("-", "_")
            connection.execute(f"CREATE TABLE {table}({columns})")
            marks = ", ".join("?" * len(head))
            rows = [[number(cell) for cell in row] for row in rows]
            connection.executemany(f"INSERT INTO {table} VALUES({marks})", rows)
    sys.path.insert(0, str(folder / "XlsxWriter"))
    import xlsxwriter

    workbook = xlsxwriter.Workbook(folder / "facts.xlsx")
    for name in SHEETS:
        sheet = workbook.add_worksheet(name)
        for index, row in enumerate(rows_of(folder, name)):
            sheet.write_row(index, 0, [number(cell) for cell in row] if index else row)
    workbook.close()


if __name__ == "__main__":
    main()

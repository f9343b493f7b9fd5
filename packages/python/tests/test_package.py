"""The files of the installed package."""

import importlib.metadata


def test_package_has_the_licences_of_what_it_contains() -> None:
    files = {file.name: file for file in importlib.metadata.files("omniread") or []}
    assert {"LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-NOTICES.txt"} <= set(files)
    text = files["THIRD-PARTY-NOTICES.txt"].read_text()
    for package in ["omniread-reader", "pyo3", "sqlite", "wasmtime"]:
        assert f"\n{package} " in text
    assert "Permission is hereby granted" in text

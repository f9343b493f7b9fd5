"""The stubs: their types, and that they say what the module has."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import inspect
import pathlib
import shutil
import subprocess
import sys
import types
from typing import Any, get_args

import pytest

import omniread
from omniread import _errors, _native, _reading, _types

HERE = pathlib.Path(__file__).parent
PROJECT = HERE.parent
PACKAGE = pathlib.Path(omniread.__file__).parent
STUB = ast.parse((PACKAGE / "_native.pyi").read_text(encoding="utf-8"))


def test_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").exists()


def test_sample_program_runs(tmp_path: pathlib.Path) -> None:
    command = [sys.executable, HERE / "types/sample.py", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["hello", "None text", "True", "['text', 'text'] same", "cancelled", "['a.txt']", "['Read']"]


@pytest.mark.parametrize("checker", [["mypy", "--strict"], ["pyright"]], ids=["mypy", "pyright"])
def test_sample_program_has_no_type_errors(checker: list[str], tmp_path: pathlib.Path) -> None:
    program = pathlib.Path(sys.executable).parent / checker[0]
    if not program.exists():
        pytest.skip(f"{checker[0]} is not installed in this environment")
    # The checkers find the installed package, as those of users do.
    shutil.copy(HERE / "types/sample.py", tmp_path)
    arguments = ["--cache-dir", str(tmp_path / "cache")] if checker[0] == "mypy" else ["--pythonpath", sys.executable]
    command = [program, *checker[1:], *arguments, "sample.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_package_has_no_type_errors(tmp_path: pathlib.Path) -> None:
    program = pathlib.Path(sys.executable).parent / "mypy"
    if not program.exists():
        pytest.skip("mypy is not installed in this environment")
    command = [program, "--strict", "--cache-dir", str(tmp_path), "-p", "omniread"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stub_is_that_of_the_module(tmp_path: pathlib.Path) -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed in this environment")
    command = [sys.executable, "-m", "mypy.stubtest", "omniread._native"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_sources_have_no_type_errors_for_pyright() -> None:
    program = pathlib.Path(sys.executable).parent / "pyright"
    if not program.exists():
        pytest.skip("pyright is not installed in this environment")
    command = [program, "--project", PROJECT / "pyproject.toml", "--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done.stdout + done.stderr


def members(of: Any) -> set[str]:
    """The names of a class that are its own."""
    skipped = {"__doc__", "__module__", "__new__", "__repr__", "__str__"}
    return {name for name in vars(of) if name not in skipped}


def test_stub_has_the_names_and_the_docs_of_the_module() -> None:
    declared: set[str] = set()
    for node in STUB.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            declared.add(node.target.id)
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        declared.add(node.name)
        item = getattr(_native, node.name)
        assert inspect.getdoc(item) == ast.get_docstring(node), node.name
        if isinstance(node, ast.FunctionDef):
            continue
        functions = [each for each in node.body if isinstance(each, ast.FunctionDef)]
        names = {each.name for each in functions}
        names |= {each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)}
        assert names - {"__new__"} == members(item), node.name
        for each in functions:
            if not each.name.startswith("__"):
                assert inspect.getdoc(getattr(item, each.name)) == ast.get_docstring(each), f"{node.name}.{each.name}"
    assert declared == {name for name in vars(_native) if not name.startswith("__")}


def test_signatures_are_those_of_the_stub() -> None:
    for node in STUB.body:
        if not isinstance(node, ast.ClassDef):
            continue
        for each in node.body:
            if not isinstance(each, ast.FunctionDef) or each.name.startswith("__") or each.decorator_list:
                continue
            signature = inspect.signature(getattr(getattr(_native, node.name), each.name))
            arguments = each.args
            declared = [argument.arg for argument in arguments.args + arguments.kwonlyargs]
            declared += [arguments.kwarg.arg] if arguments.kwarg else []
            assert list(signature.parameters) == declared, f"{node.name}.{each.name}"


def test_literals_and_options_are_those_of_the_library() -> None:
    assert get_args(_types.Dialect) == omniread.DIALECTS
    assert get_args(_types.Api) == omniread.APIS
    assert set(_types.Options.__annotations__) == set(omniread.OPTIONS) | {"lines", "stdin"}
    assert set(_errors._CLASSES) < set(get_args(omniread.Reason))
    assert set(omniread.__all__) <= set(vars(omniread))


def test_reasons_are_those_of_the_reference() -> None:
    page = PROJECT.parent.parent / "docs/reference/errors.md"
    if not page.exists():
        pytest.skip("this is not a checkout of the project")
    text = page.read_text(encoding="utf-8")
    missing = [reason for reason in get_args(omniread.Reason) if f"`{reason}`" not in text]
    assert missing == []


@pytest.mark.parametrize("module", [omniread, _errors, _reading, _native], ids=lambda module: module.__name__)
def test_examples_in_docstrings_run(module: types.ModuleType) -> None:
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_everything_public_has_a_docstring() -> None:
    for name in omniread.__all__:
        item = getattr(omniread, name)
        if isinstance(item, type) or inspect.isfunction(item):
            assert inspect.getdoc(item), name
            for member, value in vars(item).items() if isinstance(item, type) else ():
                if not member.startswith("_") and callable(value):
                    assert inspect.getdoc(value), f"{name}.{member}"

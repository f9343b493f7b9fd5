"""The recipes of `examples/recipes`, with the packages that they are for."""

from __future__ import annotations

import asyncio
import importlib.util
import pathlib
import types
from typing import Any

import pytest

RECIPES = pathlib.Path(__file__).parents[3] / "examples/recipes"

pytestmark = [
    pytest.mark.skipif(not RECIPES.exists(), reason="this is not a checkout of the project"),
    # The packages warn of their own deprecations.
    pytest.mark.filterwarnings("default"),
]


def recipe(name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, RECIPES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_recipes_are_short() -> None:
    recipes = sorted(RECIPES.glob("*.py"))
    names = ["daft_udf", "dask_bag", "langchain_tool", "llama_index_tool", "pydantic_ai_tool"]
    assert [path.stem for path in recipes] == names
    for path in recipes:
        code = [line for line in path.read_text().splitlines() if line.strip()]
        assert len(code) <= 21, path


def test_langchain_calls_the_tool(files: pathlib.Path) -> None:
    pytest.importorskip("langchain_core")
    tool = recipe("langchain_tool").read_tool(str(files))
    assert tool.name == "read"
    assert list(tool.args) == ["path"]
    assert "path" in tool.description

    def call(path: str) -> list[dict[str, Any]]:
        message = asyncio.run(tool.ainvoke({"type": "tool_call", "id": "1", "name": "read", "args": {"path": path}}))
        assert message.status == "success"
        return message.content  # type: ignore[no-any-return]

    assert "line 2" in call("notes.txt:2-2")[0]["text"]
    assert call("red.png")[1]["mime_type"] == "image/png"
    assert "not found" in call("missing")[0]["text"]


def test_llama_index_calls_the_tool(files: pathlib.Path) -> None:
    pytest.importorskip("llama_index.core")
    tool = recipe("llama_index_tool").read_tool(str(files))
    assert tool.metadata.name == "read"
    assert list(tool.metadata.get_parameters_dict()["properties"]) == ["path"]

    def call(path: str) -> list[Any]:
        output = asyncio.run(tool.acall(path=path))
        assert not output.is_error
        return output.blocks  # type: ignore[no-any-return]

    assert "line 2" in call("notes.txt:2-2")[0].text
    assert call("red.png")[1].image_mimetype == "image/png"
    assert "not found" in call("missing")[0].text


def test_pydantic_ai_calls_the_tool(files: pathlib.Path) -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def ask(path: str) -> list[ModelMessage]:
        def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            assert [tool.name for tool in info.function_tools] == ["read"]
            if len(messages) == 1:
                return ModelResponse([ToolCallPart("read", {"path": path})])
            return ModelResponse([TextPart("done")])

        agent = Agent(FunctionModel(model), tools=[recipe("pydantic_ai_tool").read_tool(str(files))])
        return asyncio.run(agent.run("Read it")).all_messages()

    assert "line 2" in ask("notes.txt:2-2")[2].parts[0].content  # type: ignore[union-attr]
    assert "not found" in ask("missing")[2].parts[0].content  # type: ignore[union-attr]
    assert "image/png" in repr(ask("red.png")[2])


def test_dask_writes_a_row_for_each_file(files: pathlib.Path, tmp_path: pathlib.Path) -> None:
    dask = pytest.importorskip("dask")
    pytest.importorskip("dask.bag")
    parquet = pytest.importorskip("pyarrow.parquet")
    read_files = recipe("dask_bag").read_files
    output = tmp_path / "rows"
    with dask.config.set(num_workers=2):
        written = read_files([".", "missing", "notes.txt", "./notes.txt"], str(output), str(files), share_paths=3)
    paths = parquet.read_table(output)["path"].to_pylist()
    assert len(paths) == len(set(paths)) == 8 and {"missing", "notes.txt", "./red.png"} < set(paths)
    assert written == {"rows": 8, "failed": 1}
    # The rows are there.
    assert read_files([".", "missing"], str(output), str(files)) == {"rows": 0, "failed": 0}


def test_daft_has_a_row_for_each_path(files: pathlib.Path) -> None:
    daft = pytest.importorskip("daft")
    pytest.importorskip("pyarrow")
    frame = daft.from_pydict({"path": ["notes.txt:2-2", "missing", "red.png", "notes.txt:2-2"]})
    frame = frame.with_column("row", recipe("daft_udf").Read(str(files)).rows(frame["path"]))
    rows = frame.to_pydict()
    assert [row["path"] for row in rows["row"]] == rows["path"]
    assert [row["ok"] for row in rows["row"]] == [True, False, True, True]
    assert "line 2" in rows["row"][0]["blocks"][0]["text"]
    assert rows["row"][2]["blocks"][-1]["data"].startswith(b"\x89PNG")
    assert '"not_found"' in rows["row"][1]["error"]
    # Such a path does not end the query.
    frame = daft.from_pydict({"path": ["", None, "missing"]})
    frame = frame.with_column("row", recipe("daft_udf").Read(str(files)).rows(frame["path"]))
    empty, null, missing = frame.to_pydict()["row"]
    assert (empty, null) == (None, None) and missing["path"] == "missing"

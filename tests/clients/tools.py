"""Checks a tool definition with the types of the SDK of an API: `tools.py API JSON`."""

import json
import sys

import pydantic

api, tools = sys.argv[1], json.loads(sys.argv[2])
strict = pydantic.ConfigDict(extra="forbid")
[tool] = tools

if api in ("openai", "openai-strict"):
    from openai.types.chat import ChatCompletionFunctionToolParam as Tool

    parameters = tool["function"]["parameters"]
    assert tool["function"].get("strict", False) == (api == "openai-strict")
elif api in ("openai-responses", "openai-responses-strict"):
    from openai.types.responses import FunctionToolParam as Tool

    parameters = tool["parameters"]
    assert tool["strict"] == (api == "openai-responses-strict")
elif api == "anthropic":
    from anthropic.types import ToolParam as Tool

    parameters = tool["input_schema"]
elif api == "gemini":
    from google.genai.types import Tool

    # The class forbids unknown fields, also in schemas.
    assert Tool.model_config["extra"] == "forbid"
    parsed = Tool.model_validate(tool)
    [function] = parsed.function_declarations
    assert function.parameters.type.value == "OBJECT"
    assert "additionalProperties" not in json.dumps(tool)
    sys.exit()
elif api == "mcp":
    from mcp.types import Tool

    parsed = Tool.model_validate(tool)
    assert parsed.annotations.read_only_hint and parsed.output_schema
    sys.exit()
else:
    sys.exit(f"unknown API {api}")

checked = pydantic.TypeAdapter(Tool, config=None).validate_python(tool, strict=True)
unknown = tool.keys() - Tool.__annotations__.keys()
assert not unknown, f"{unknown} are not fields of {Tool}"
assert checked
if api.endswith("strict"):
    # https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
    assert parameters["additionalProperties"] is False
    assert set(parameters["required"]) == set(parameters["properties"])

"""Runs the official Python client of MCP against a server: `official.py PROGRAM DIRECTORY`."""

import asyncio
import sys

import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

program, directory = sys.argv[1:]


async def check(mode):
    server = StdioServerParameters(
        command=program, args=["--root", directory, "--timeout", "0", "mcp"], cwd=directory
    )
    progress = []

    async def on_progress(value, total, message):
        progress.append(value)

    async with Client(server, mode=mode) as client:
        version = client.session.protocol_version
        [tool] = (await client.list_tools()).tools
        print(version, "list:", tool.name, tool.annotations)

        for _ in range(2):
            reply = await client.call_tool("read", {"path": "a.txt"})
            assert reply.content[0].text.endswith("1:one\n2:two"), reply
            assert reply.structured_content["total_lines"] == {"exact": 2}
        print(version, "read:", reply.content[0].text)

        reply = await client.call_tool("read", {"path": "pixel.png"})
        [image] = [block for block in reply.content if block.type == "image"]
        assert image.mime_type.startswith("image/") and image.data
        print(version, "image:", image.mime_type, len(image.data))

        reply = await client.call_tool("read", {"path": "missing"})
        assert reply.is_error and reply.content[0].text == "Path 'missing' not found"
        print(version, "error:", reply.content[0].text)

        # The client cancels the request when its timeout ends.
        try:
            await client.call_tool(
                "read", {"path": "endless:99999999"}, read_timeout_seconds=2, progress_callback=on_progress
            )
            raise AssertionError("the read is endless")
        except MCPError as error:
            print(version, "cancel:", error)
        assert progress, "there are progress notifications"

        [root] = (await client.list_resources()).resources
        [template] = (await client.list_resource_templates()).resource_templates
        contents = (await client.read_resource(root.uri + "a.txt")).contents
        assert contents[0].text == "one\ntwo", contents
        completed = await client.complete(
            types.ResourceTemplateReference(uri=template.uri_template), {"name": "path", "value": "a"}
        )
        assert completed.completion.values == ["a.txt"], completed
        print(version, "resources:", root.uri, completed.completion.values)


async def check_roots(mode):
    """The roots of the client narrow the granted ones."""

    async def roots(context):
        return types.ListRootsResult(roots=[types.Root(uri=f"file://{directory}/part")])

    server = StdioServerParameters(command=program, args=["--root", directory, "mcp"], cwd=directory)
    async with Client(server, mode=mode, list_roots_callback=roots) as client:
        for _ in range(2):
            reply = await client.call_tool("read", {"path": "b.txt"})
            assert not reply.is_error, reply
            reply = await client.call_tool("read", {"path": f"{directory}/a.txt"})
            assert reply.is_error and "outside the roots" in reply.content[0].text, reply
        print(client.session.protocol_version, "roots: only what is in those of the client is read")


asyncio.run(check("legacy"))
asyncio.run(check("auto"))
asyncio.run(check_roots("legacy"))
asyncio.run(check_roots("auto"))

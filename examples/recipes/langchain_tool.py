"""omniread as a tool of LangChain: `bind_tools([read_tool("project")])`, or a list of tools of an agent."""

from langchain_core.tools import BaseTool, tool

import omniread


def read_tool(*roots: str) -> BaseTool:
    session = omniread.Reader(roots, deny=[".env"]).session()
    (described,) = session.reader.tools("anthropic", "omp")

    @tool("read", description=described["description"], parse_docstring=False)
    async def read(path: str) -> list[dict[str, str]]:
        """Read a path."""
        try:
            reply = await session.aread(path)
        except omniread.ReadError as error:
            return [{"type": "text", "text": error.text}]
        content = [{"type": "text", "text": reply.text}]
        for image in reply.images:
            content.append({"type": "image", "base64": image.base64, "mime_type": image.mime})
        return content

    return read

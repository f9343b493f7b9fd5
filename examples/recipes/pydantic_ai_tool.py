"""omniread as a tool of Pydantic AI: `Agent(model, tools=[read_tool("project")])`."""

from pydantic_ai import BinaryContent, Tool, ToolReturn

import omniread


def read_tool(*roots: str) -> Tool[None]:
    session = omniread.Reader(roots, deny=[".env"]).session()
    (described,) = session.reader.tools("anthropic", "omp")

    async def read(path: str) -> ToolReturn:
        try:
            reply = await session.aread(path)
        except omniread.ReadError as error:
            return ToolReturn(error.text)
        images = [BinaryContent(image.data, media_type=image.mime) for image in reply.images]
        return ToolReturn(reply.text, content=images or None)

    return Tool(read, name="read", description=described["description"])

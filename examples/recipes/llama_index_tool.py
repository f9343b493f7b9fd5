"""omniread as a tool of LlamaIndex: `FunctionAgent(tools=[read_tool("project")], llm=...)`."""

from llama_index.core.llms import ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool

import omniread


def read_tool(*roots: str) -> FunctionTool:
    session = omniread.Reader(roots, deny=[".env"]).session()
    (described,) = session.reader.tools("anthropic", "omp")

    async def read(path: str) -> list[TextBlock | ImageBlock]:
        try:
            reply = await session.aread(path)
        except omniread.ReadError as error:
            return [TextBlock(text=error.text)]
        images = [ImageBlock(image=image.base64.encode(), image_mimetype=image.mime) for image in reply.images]
        return [TextBlock(text=reply.text), *images]

    return FunctionTool.from_defaults(async_fn=read, name="read", description=described["description"])

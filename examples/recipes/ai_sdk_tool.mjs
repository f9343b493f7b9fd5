// omniread as a tool of the Vercel AI SDK: `generateText({ model, tools: { read: readTool("project") }, ... })`.

import { jsonSchema, tool } from "ai";
import { Reader } from "omniread";

export function readTool(...roots) {
  const session = new Reader(roots, { deny: [".env"] }).session();
  const [{ description, input_schema }] = session.reader.tools("anthropic", "omp");
  return tool({
    description,
    inputSchema: jsonSchema(input_schema),
    async execute(input, { abortSignal }) {
      const result = await session.call("omp", input, { signal: abortSignal }).catch((error) => error);
      if (result.name === "AbortError" || result.text === undefined) throw result;
      const images = (result.images ?? []).map(({ base64, mime }) => ({ base64, mime }));
      return { text: result.text, images };
    },
    toModelOutput({ output: { text, images } }) {
      const files = images.map(({ base64, mime }) => ({ type: "file", mediaType: mime, data: { type: "data", data: base64 } }));
      return { type: "content", value: [{ type: "text", text }, ...files] };
    },
  });
}

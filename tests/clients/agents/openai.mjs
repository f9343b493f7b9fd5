// A mock of the Responses API of OpenAI, for Codex.

import { media, text } from "./mock.mjs";

/** The tool of omniread: a function, or one of a namespace. */
function tool(body) {
  for (const tool of body.tools ?? []) {
    if (tool.type === "namespace" && tool.name.includes("omniread")) {
      return { namespace: tool.name, name: tool.tools[0].name, definition: tool };
    }
    if (tool.name?.includes("omniread")) return { name: tool.name, definition: tool };
    if (tool.type === "tool_search") return { namespace: "mcp__omniread", name: "read", definition: tool };
  }
  return undefined;
}

export const isTurn = (body, url) => url.endsWith("/responses") && tool(body) !== undefined;

export function answer(body, url, path, id) {
  if (!url.endsWith("/responses")) return { models: [], data: [] };
  const { name, namespace } = tool(body) ?? {};
  const item =
    path === undefined
      ? {
          type: "message", id: "msg_1", role: "assistant", status: "completed",
          content: [{ type: "output_text", text: "done", annotations: [] }],
        }
      : {
          type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, status: "completed",
          name, ...(namespace && { namespace }), arguments: JSON.stringify({ path }),
        };
  const usage = {
    input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2,
  };
  const response = { id: `resp_${id}`, object: "response", status: "completed", output: [item], usage };
  return [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response },
  ];
}

export function results(body) {
  const outputs = (body.input ?? []).filter((item) => item.type === "function_call_output");
  return outputs.map((item) => ({ error: false, parts: parts(item.output) }));
}

function parts(output) {
  if (typeof output === "string") return [text(output)];
  return output.map((part) => {
    const url = part.image_url ?? part.file_data;
    if (!url) return text(part.text);
    const [, mime, data] = url.match(/^data:([^;]*);base64,(.*)$/s);
    return media(mime, data);
  });
}

/** How the client is started. */
export const command = ({ modules, url, server, home }) => {
  const toml = (value) => JSON.stringify(value);
  const settings = {
    model: toml(process.env.CODEX_MODEL ?? "gpt-5.5"),
    model_provider: toml("mock"),
    "model_providers.mock.name": toml("mock"),
    "model_providers.mock.base_url": toml(`${url}/v1`),
    "model_providers.mock.wire_api": toml("responses"),
    "model_providers.mock.env_key": toml("MOCK_KEY"),
    "mcp_servers.omniread.command": toml(server.command),
    "mcp_servers.omniread.args": toml(server.args),
  };
  return {
    program: process.execPath,
    arguments: [
      `${modules}/@openai/codex/bin/codex.js`, "exec", "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
      "Read the files.",
    ],
    environment: { HOME: home, CODEX_HOME: home, MOCK_KEY: "test" },
  };
};

export const definition = (body) => ({
  tool: tool(body).definition,
  instructions: JSON.stringify([body.instructions, body.input.filter((item) => item.type === "message")]),
});

// A mock of the Messages API of Anthropic, for Claude Code.

import { media, text } from "./mock.mjs";

const TOOL = "mcp__omniread__read";

export const isTurn = (body, url) =>
  url.startsWith("/v1/messages") && !url.includes("count_tokens") && hasTool(body);

const hasTool = (body) => (body.tools ?? []).some((tool) => tool.name === TOOL);

export function answer(body, url, path, id) {
  if (url.includes("count_tokens")) return { input_tokens: 1000 };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const block =
    path === undefined
      ? { type: "text", text: "" }
      : { type: "tool_use", id: `toolu_${id}`, name: TOOL, input: {} };
  const delta =
    path === undefined
      ? { type: "text_delta", text: "done" }
      : { type: "input_json_delta", partial_json: JSON.stringify({ path }) };
  const stop_reason = path === undefined ? "end_turn" : "tool_use";
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: body.model, usage };
  if (!body.stream) {
    return { ...message, content: [{ type: "text", text: "done" }], stop_reason: "end_turn" };
  }
  return [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason }, usage },
    { type: "message_stop" },
  ];
}

export function results(body) {
  const blocks = (body.messages ?? []).flatMap((message) =>
    Array.isArray(message.content) ? message.content : [],
  );
  const results = blocks.filter((block) => block.type === "tool_result");
  return results.map((result) => ({
    error: result.is_error === true,
    parts: parts(result.content),
  }));
}

function parts(content) {
  if (typeof content === "string") return [text(content)];
  return content.map((block) =>
    block.source ? media(block.source.media_type, block.source.data) : text(block.text),
  );
}

/** How the client is started. */
export const command = ({ modules, url, server, home }) => ({
  program: `${modules}/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  arguments: [
    "--print", "Read the files.", "--strict-mcp-config", "--allowedTools", TOOL,
    "--mcp-config", JSON.stringify({ mcpServers: { omniread: server } }),
  ],
  environment: {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "test",
    CLAUDE_CONFIG_DIR: home,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // The definition of the tool is part of the first request, not of a search.
    ENABLE_TOOL_SEARCH: "false",
  },
});

export const definition = (body) => {
  const tool = body.tools.find((tool) => tool.name === TOOL);
  return { tool, instructions: JSON.stringify([body.system, body.messages.slice(0, 2)]) };
};

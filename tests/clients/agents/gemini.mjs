// A mock of the Gemini API, for Gemini CLI.

import { mkdirSync, writeFileSync } from "node:fs";
import { media, text } from "./mock.mjs";

const names = (body) =>
  (body.tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? []).map((it) => it.name));
const toolName = (body) => names(body).find((name) => name.includes("omniread"));

export const isTurn = (body) => toolName(body) !== undefined;

export function answer(body, url, path, id) {
  if (url.includes("countTokens")) return { totalTokens: 1000 };
  const part =
    path === undefined
      ? { text: "done" }
      : { functionCall: { id: `call_${id}`, name: toolName(body), args: { path } } };
  const json = body.generationConfig?.responseMimeType === "application/json";
  const content = { role: "model", parts: [json ? { text: "{}" } : part] };
  const reply = {
    candidates: [{ content, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  return url.includes("stream") ? [reply] : reply;
}

export function results(body) {
  const contents = (body.contents ?? []).filter((content) => content.role === "user");
  const results = [];
  for (const part of contents.flatMap((content) => content.parts)) {
    if (part.functionResponse) {
      const { response, parts = [] } = part.functionResponse;
      const output = response.output ?? response.error;
      results.push({
        error: response.error !== undefined,
        parts: [text(typeof output === "string" ? output : JSON.stringify(response))],
      });
      for (const inner of parts) add(results, inner);
    } else if (results.length > 0) {
      add(results, part);
    }
  }
  return results;
}

function add(results, part) {
  const last = results[results.length - 1].parts;
  if (part.inlineData) last.push(media(part.inlineData.mimeType, part.inlineData.data));
  else if (part.text) last.push(text(part.text));
}

/** How the client is started. */
export const command = ({ modules, url, server, home }) => {
  mkdirSync(`${home}/.gemini`, { recursive: true });
  const settings = {
    mcpServers: { omniread: { ...server, trust: true } },
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
  };
  writeFileSync(`${home}/.gemini/settings.json`, JSON.stringify(settings));
  return {
    program: process.execPath,
    arguments: [
      `${modules}/@google/gemini-cli/bundle/gemini.js`,
      "--prompt", "Read the files.", "--yolo", "--model", "gemini-2.5-pro", "--skip-trust",
    ],
    environment: { HOME: home, GEMINI_CLI_HOME: home, GEMINI_API_KEY: "test", GOOGLE_GEMINI_BASE_URL: url },
  };
};

export const definition = (body) => ({
  tool: body.tools.flatMap((tool) => tool.functionDeclarations ?? []).find((it) => it.name === toolName(body)),
  instructions: JSON.stringify([body.systemInstruction, body.contents[0]]),
});

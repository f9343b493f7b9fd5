// The recipe of `examples/recipes`, with the package that it is for.

import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeFiles, PROJECT, removeAtEnd } from "./files.mjs";

const RECIPE = join(PROJECT, "examples/recipes/ai_sdk_tool.mjs");

// The package needs Node 22.
const ai = await import("ai").catch(() => undefined);
const mocks = ai && (await import("ai/test"));
const skip = mocks?.MockLanguageModelV4 === undefined && "the package `ai` is not installed, or needs a later Node";

test("the recipe is short", () => {
  const code = readFileSync(RECIPE, "utf8").split("\n");
  assert.ok(code.filter((line) => line.trim() !== "").length <= 24);
});

test("a model of the AI SDK calls the tool", { skip }, async () => {
  // Beside the tests, the recipe finds the packages that they find.
  const copy = fileURLToPath(new URL("./recipe.mjs", import.meta.url));
  copyFileSync(RECIPE, copy);
  removeAtEnd(copy);
  const { readTool } = await import("./recipe.mjs");
  const read = readTool(makeFiles());
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };

  /** The result of the tool that the model sees after it has called it. */
  async function ask(path, abortSignal) {
    const call = { type: "tool-call", toolCallId: "1", toolName: "read", input: JSON.stringify({ path }) };
    const finish = (unified) => ({ unified, raw: unified });
    const model = new mocks.MockLanguageModelV4({
      doGenerate: [
        { content: [call], finishReason: finish("tool-calls"), usage, warnings: [] },
        { content: [{ type: "text", text: "done" }], finishReason: finish("stop"), usage, warnings: [] },
      ],
    });
    const options = { model, tools: { read }, stopWhen: ai.isStepCount(2), prompt: "Read it", abortSignal };
    assert.equal((await ai.generateText(options)).text, "done");
    const [first, second] = model.doGenerateCalls;
    assert.equal(first.tools[0].name, "read");
    assert.ok(first.tools[0].description.includes("path") && first.tools[0].inputSchema.properties.path);
    const { output } = second.prompt.at(-1).content[0];
    assert.equal(output.type, "content");
    return output.value;
  }

  assert.ok((await ask("notes.txt:2-2"))[0].text.includes("line 2"));
  const [text, image] = await ask("red.png");
  assert.equal(text.type, "text");
  assert.equal(image.mediaType, "image/png");
  assert.ok(JSON.stringify(image).includes("iVBOR"));
  assert.ok((await ask("missing"))[0].text.includes("not found"));
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(ask("notes.txt", controller.signal), { name: "AbortError" });
});

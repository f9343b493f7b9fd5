// Runs the official TypeScript client of MCP against a server: `node official.mjs PROGRAM DIRECTORY`.
// `OMNIREAD_TEST_NODE_MODULES` is the directory `node_modules` with the SDK.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(`${process.env.OMNIREAD_TEST_NODE_MODULES}/x`);
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");

const [program, directory] = process.argv.slice(2);
const args = ["--root", directory, "--timeout", "0", "mcp"];

async function check(name, transport) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 1);
  assert.equal(tools[0].annotations.readOnlyHint, true);
  console.log(name, "list:", tools[0].name);

  const read = (path, options) =>
    client.callTool({ name: "read", arguments: { path } }, undefined, options);
  let reply;
  for (let i = 0; i < 2; i++) {
    reply = await read("a.txt");
    assert.match(reply.content[0].text, /1:one\n2:two$/);
    assert.deepEqual(reply.structuredContent.total_lines, { exact: 2 });
  }
  console.log(name, "read:", reply.content[0].text);

  reply = await read("pixel.png");
  const image = reply.content.find((block) => block.type === "image");
  assert.match(image.mimeType, /^image\//);
  console.log(name, "image:", image.mimeType, image.data.length);

  reply = await read("missing");
  assert.equal(reply.isError, true);
  assert.equal(reply.content[0].text, "Path 'missing' not found");
  console.log(name, "error:", reply.content[0].text);

  const abort = new AbortController();
  let progress = 0;
  const endless = read("endless:99999999", {
    signal: abort.signal,
    onprogress: () => {
      progress++;
      abort.abort("the test");
    },
  });
  await assert.rejects(endless);
  assert.equal(progress, 1);
  console.log(name, "cancel: the client has cancelled a read after a progress notification");

  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const { contents } = await client.readResource({ uri: `${resources[0].uri}a.txt` });
  assert.equal(contents[0].text, "one\ntwo");
  const { completion } = await client.complete({
    ref: { type: "ref/resource", uri: resourceTemplates[0].uriTemplate },
    argument: { name: "path", value: "a" },
  });
  assert.deepEqual(completion.values, ["a.txt"]);
  console.log(name, "resources:", resources[0].uri, completion.values);
  await client.close();
}

await check("stdio", new StdioClientTransport({ command: program, args, cwd: directory }));

const env = { ...process.env, OMNIREAD_MCP_TOKEN: "0123456789abcdef" };
const server = spawn(program, [...args, "--http", "127.0.0.1:0"], { env, cwd: directory });
const started = createInterface({ input: server.stderr });
const [url] = await new Promise((resolve) => {
  started.on("line", (line) => resolve(line.match(/http:\S+/)));
});
const headers = { Authorization: "Bearer 0123456789abcdef" };
await check("http", new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
server.kill("SIGTERM");
const code = await new Promise((resolve) => server.on("exit", resolve));
assert.equal(code, 0);

// Runs the command line of an agent with a mock of its model, which calls the tool of omniread once
// for each path: `node run.mjs claude|codex|gemini PROGRAM DIRECTORY PATH...`. Arguments of the server
// after `--`. Prints what the model gets: the definition of the tool, and the result of each call.
//
// `OMNIREAD_TEST_NODE_MODULES` is the directory `node_modules` with the agent.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as anthropic from "./anthropic.mjs";
import * as gemini from "./gemini.mjs";
import { start } from "./mock.mjs";
import * as openai from "./openai.mjs";

const [agent, program, directory, ...rest] = process.argv.slice(2);
const end = rest.includes("--") ? rest.indexOf("--") : rest.length;
const paths = rest.slice(0, end);
const server = { command: program, args: ["mcp", ...rest.slice(end + 1)] };
const api = { claude: anthropic, codex: openai, gemini }[agent];

const model = await start(api, paths);
const home = mkdtempSync(join(tmpdir(), "agent-"));
const modules = process.env.OMNIREAD_TEST_NODE_MODULES;
const command = api.command({ modules, url: model.url, server, home });
// No proxy, key or setting of the machine.
const environment = { PATH: process.env.PATH, HOME: home, NO_COLOR: "1", ...command.environment };
const child = spawn(command.program, command.arguments, {
  cwd: directory,
  env: environment,
  stdio: ["ignore", "pipe", "pipe"],
});
let printed = "";
for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (printed += piece));
// A guard against an agent that waits for a person or for an answer of a server that it cannot reach.
const hung = setTimeout(() => child.kill("SIGKILL"), 180_000);
const status = await new Promise((resolve) => child.on("exit", resolve));
clearTimeout(hung);
model.end();
rmSync(home, { recursive: true, force: true });

const last = model.requests.at(-1);
const results = last ? api.results(last) : [];
if (results.length < paths.length) {
  console.error(`${agent} ended with ${status} after ${results.length} of ${paths.length} results:\n${printed}`);
  process.exit(1);
}
const output = JSON.stringify({ ...api.definition(last), results });
process.stdout.write(`${output}\n`, () => process.exit(0));

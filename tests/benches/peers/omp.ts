// Reads paths with the read tool of oh-my-pi: `bun omp.ts DIRECTORY`, where DIRECTORY has its `node_modules`.
//
// The protocol is that of `driver.rs`. Each read has a tool and a session of its own, as the reads that it is
// compared with.

import { rmSync } from "node:fs";
import * as readline from "node:readline";

const source = `${process.argv[2]}/node_modules/@oh-my-pi/pi-coding-agent/src`;
const { Settings } = await import(`${source}/config/settings.ts`);
const { ReadTool } = await import(`${source}/tools/read.ts`);
const { wrapToolWithMetaNotice } = await import(`${source}/tools/output-meta.ts`);

const cwd = process.cwd();
// It keeps conversions of documents, which other tools do not. `HOME` is a directory of the benchmark.
const cache = `${process.env.HOME}/.omp/agent/cache`;
const settings = await Settings.init({ cwd });

async function read(path: string): Promise<number> {
  const session = { cwd, hasUI: false, settings, getSessionFile: () => null, getSessionSpawns: () => "*" };
  const tool = wrapToolWithMetaNotice(new ReadTool(session));
  const reply = await tool.execute("read", { path });
  let characters = 0;
  for (const block of reply.content) characters += (block.text ?? block.data ?? "").length;
  return characters;
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { path, nanoseconds, rounds } = JSON.parse(line);
  let least = Number.POSITIVE_INFINITY;
  let characters = 0;
  let error = null;
  const begin = Bun.nanoseconds();
  for (let round = 0; round < rounds; round++) {
    rmSync(cache, { recursive: true, force: true });
    const start = Bun.nanoseconds();
    try {
      characters = await read(path);
    } catch (failure) {
      error = String(failure);
    }
    const end = Bun.nanoseconds();
    least = Math.min(least, end - start);
    if (end - begin > nanoseconds) break;
  }
  process.stdout.write(`${JSON.stringify({ least, characters, error })}\n`);
}

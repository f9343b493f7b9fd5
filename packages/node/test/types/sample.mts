// A program that uses all of the package. The compiler of TypeScript checks it, and the tests run it.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as omniread from "omniread";
import { Reader, type Api, type Dialect, type ReaderOptions, type Reply, type Session } from "omniread";

/** One line for each part of a reply. */
function show(reply: Reply): string[] {
  return reply.blocks.map((block) => {
    if (block.type === "text") return block.text;
    const data: Uint8Array = block.data;
    return `${block.mime}: ${data.length} bytes, ${block.width} x ${block.height}`;
  });
}

/** The result of a tool for a model. */
async function runTool(session: Session, args: { file_path: string }): Promise<[string, boolean]> {
  let result: Reply | omniread.ReadError;
  try {
    result = await session.call("claude", args);
  } catch (error) {
    if (!(error instanceof omniread.ReadError)) throw error;
    result = error;
  }
  return [result.text, result.isError];
}

async function main(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "a.txt"), "hello\n");
  const options: ReaderOptions = { deny: ".env", timeout: 5000, memory: 64 << 20, allowNet: null };
  using reader = new Reader(directory, options);
  await using session = reader.session();
  const reply = await session.read("a.txt", { limit: 10, hashlines: false, signal: AbortSignal.timeout(60_000) });
  console.log(show(reply)[0]?.split("\n")[0]);
  const next: string | null = reply.next;
  console.log(next, reply.details["kind"], session.readSync(new URL(`file://${directory}/a.txt`)).kind);
  console.log((await runTool(session, { file_path: join(directory, "b.txt") }))[1]);
  const staleness: "unread" | "same" | "touched" | "changed" | "gone" = await session.stale("a.txt");
  console.log(staleness, (await session.changes("a.txt")).hunks.length, await session.recordWrite("a.txt", "hello\n"));
  try {
    await session.read("missing", { signal: null });
  } catch (error) {
    if (error instanceof omniread.PathNotFoundError) console.log(error.code, error.reason, error.path);
  }
  const api: Api = "anthropic";
  const dialect: Dialect = "claude";
  console.log(reader.tools(api, dialect).map((tool) => tool["name"]), await reader.complete("a"));
  const help: string = omniread.OPTIONS.imageSide;
  console.log(help.length > 0, omniread.version === omniread.default.version);
}

await main(process.argv[2] ?? ".");

// What is wrong is an error of the compiler.
export function wrong(session: Session): void {
  // @ts-expect-error
  void session.read("a.txt", { limits: 1 });
  // @ts-expect-error
  void session.read("a.txt", { dialect: "cat" });
  // @ts-expect-error
  void session.readSync("a.txt", { signal: AbortSignal.timeout(1) });
  // @ts-expect-error
  void session.call("claude", 1);
  // @ts-expect-error
  void new Reader(".", { root: "." });
  // @ts-expect-error
  void new omniread.Session();
}

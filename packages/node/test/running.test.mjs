// Reads at the same time, their cancellation, and the network.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import * as omniread from "omniread";
import { makeFiles, pause } from "./files.mjs";

// A read ends within milliseconds after it was cancelled. The guard is for machines under load.
const SOON = 20_000;

const files = makeFiles();
const reader = new omniread.Reader(files);
const session = reader.session();

/** A server that accepts connections and never answers. */
const sockets = new Set();
const silent = createServer((socket) => {
  sockets.add(socket.unref());
  socket.on("error", () => {});
});
await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
silent.unref();
const grant = `127.0.0.1:${silent.address().port}`;
const url = `http://${grant}/`;
after(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
});

/** A session whose reads of `url` wait. */
function waiting() {
  return new omniread.Reader(files, { allowNet: grant, netTimeout: 300_000 }).session();
}

/** The error of a promise, which is rejected soon. */
async function rejection(promise) {
  const late = Symbol("late");
  const first = await Promise.race([
    promise.then(
      () => assert.fail("it was not rejected"),
      (error) => error,
    ),
    pause(SOON).then(() => late),
  ]);
  assert.notEqual(first, late);
  return first;
}

test("many reads run at once", async () => {
  const paths = ["notes.txt:10-20", "pack.zip:inner/a.txt", "people.csv", "app.db:users", "red.png"];
  const expected = Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await session.read(path)).text])));
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => paths)
      .flat()
      .map(async (path) => [path, (await session.read(path)).text]),
  );
  assert.ok(replies.every(([path, text]) => text === expected[path]));
});

test("this thread, its timers and its files go on during reads that wait", async () => {
  const session = waiting();
  const controller = new AbortController();
  // More than libuv has threads: with reads on these, the file below would not be read.
  const reads = Array.from({ length: 8 }, () => rejection(session.read(url, { signal: controller.signal })));
  await pause(100);
  let turns = 0;
  const end = Date.now() + 200;
  while (Date.now() < end) {
    await pause(1);
    turns += 1;
  }
  assert.ok(turns > 20, String(turns));
  assert.ok((await readFile(join(files, "notes.txt"), "utf8")).startsWith("line 1"));
  controller.abort();
  for (const error of await Promise.all(reads)) assert.ok(error instanceof omniread.ReadCancelledError);
});

test("a signal cancels a read", async () => {
  const session = waiting();
  const controller = new AbortController();
  const read = rejection(session.read(url, { signal: controller.signal }));
  await pause(50);
  controller.abort(new Error("the user left"));
  const error = await read;
  assert.ok(error instanceof omniread.ReadCancelledError);
  assert.deepEqual([error.name, error.code, error.reason, error.path], ["AbortError", "ABORT_ERR", "cancelled", url]);
  assert.equal(error.cause.message, "the user left");
  // The session goes on.
  assert.equal((await session.read("notes.txt")).kind, "text");
});

test("a signal cancels a read that computes", async () => {
  const session = new omniread.Reader(files, { timeout: null }).session();
  const query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000000) SELECT max(i % 7) FROM n";
  const error = await rejection(session.read(`app.db?q=${query}`, { signal: AbortSignal.timeout(100) }));
  assert.ok(error instanceof omniread.ReadCancelledError);
  assert.equal(error.cause.name, "TimeoutError");
});

test("a signal that was aborted refuses a read at once", async () => {
  const controller = new AbortController();
  await session.read("notes.txt", { signal: controller.signal });
  controller.abort();
  for (const read of [
    () => session.read("notes.txt", { signal: controller.signal }),
    () => session.call("omp", { path: "notes.txt" }, { signal: controller.signal }),
    () => omniread.read("notes.txt", { signal: controller.signal }),
  ]) {
    const error = await rejection(read());
    assert.ok(error instanceof omniread.ReadCancelledError);
    assert.equal(error.cause, controller.signal.reason);
  }
});

test("a signal that many reads had keeps no listener", async () => {
  const controller = new AbortController();
  const listeners = { added: 0, removed: 0 };
  const signal = {
    get aborted() {
      return controller.signal.aborted;
    },
    addEventListener(...args) {
      listeners.added += 1;
      controller.signal.addEventListener(...args);
    },
    removeEventListener(...args) {
      listeners.removed += 1;
      controller.signal.removeEventListener(...args);
    },
  };
  for (let turn = 0; turn < 20; turn += 1) await session.read("notes.txt", { signal });
  await rejection(session.read("missing", { signal }));
  assert.deepEqual(listeners, { added: 21, removed: 21 });
});

for (const closed of ["session", "reader"]) {
  test(`close of the ${closed} ends running reads`, async () => {
    const session = waiting();
    const read = rejection(session.read(url));
    await pause(50);
    (closed === "session" ? session : session.reader).close();
    assert.ok((await read) instanceof omniread.ReadCancelledError);
  });
}

test("close leaves other sessions alone", async () => {
  const session = waiting();
  const controller = new AbortController();
  let done = false;
  const read = rejection(session.read(url, { signal: controller.signal })).then((error) => {
    done = true;
    return error;
  });
  await pause(50);
  session.reader.session().close();
  await pause(100);
  assert.equal(done, false);
  controller.abort();
  assert.ok((await read) instanceof omniread.ReadCancelledError);
});

test("hosts are granted, and get their headers", async () => {
  const server = createHttpServer((request, response) => {
    response.setHeader("Content-Type", "text/plain");
    response.end(`token ${request.headers["x-token"]}`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${server.address().port}`;
  const headers = { "127.0.0.1": { "X-Token": "secret" } };
  const granted = new omniread.Reader(files, { allowNet: [host], netHeaders: headers }).session();
  const reply = await granted.read(`http://${host}/a.txt`);
  assert.ok(reply.text.includes("token secret"));
  assert.equal(reply.details.web.status, 200);
  const error = await rejection(session.read(`http://${host}/a.txt`));
  assert.ok(error instanceof omniread.NetworkError);
  assert.equal(error.facts.error.kind, "refused");
  server.closeAllConnections?.();
  server.close();
});

test("a slow server is a timeout", async () => {
  const session = new omniread.Reader(files, { allowNet: grant, netTimeout: 200 }).session();
  const error = await rejection(session.read(url));
  assert.ok(error instanceof omniread.ReadTimeoutError, String(error));
  assert.equal(error.code, "ETIMEDOUT");
});

test("replies that were dropped are freed", { skip: typeof global.gc !== "function" && "needs --expose-gc" }, async () => {
  const read = async () => {
    const [page] = (await session.read("manual.pdf:page:1:img")).images;
    assert.ok(page.data.length > 1000);
  };
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      global.gc();
      await pause(5);
    }
    return process.memoryUsage().rss;
  };
  for (let turn = 0; turn < 20; turn += 1) await read();
  const before = await settle();
  for (let turn = 0; turn < 100; turn += 1) await read();
  const grown = (await settle()) - before;
  const size = (await session.read("manual.pdf:page:1:img")).images[0].size;
  // All replies together have 200 times this size, as base64 and as bytes.
  assert.ok(grown < 60 * size + (8 << 20), `${grown} bytes more after 100 images of ${size}`);
});

// Workers, processes, their ends, and several copies of the package in a process.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { isBun, makeFiles, output, pause, printed, removeAtEnd, start, temporary } from "./files.mjs";

const files = makeFiles();
const require = createRequire(import.meta.url);
const PACKAGE = dirname(require.resolve("omniread/package.json"));

/** The start of a program: a session, and a server that never answers. */
const WAITING = `
import { createServer } from "node:net";
import * as omniread from "omniread";
const files = process.argv[2];
const silent = createServer((socket) => socket.on("error", () => {}));
await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
const grant = \`127.0.0.1:\${silent.address().port}\`;
const session = new omniread.Reader(files, { allowNet: grant, netTimeout: 300_000 }).session();
const wait = () => session.read(\`http://\${grant}/\`);
`;

const COMPUTING = `
import * as omniread from "omniread";
const session = new omniread.Reader(process.argv[2], { timeout: null }).session();
const query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000000) SELECT max(i % 7) FROM n";
const wait = () => session.read("app.db?q=" + query);
`;

for (const [kind, head] of [["waits", WAITING], ["computes", COMPUTING]]) {
  test(`the process exits during a read that ${kind}`, async () => {
    const began = Date.now();
    const program = `${head}
      wait().then(() => console.log("read"), (error) => console.log(error.name));
      for (let turn = 0; turn < 10; turn += 1) wait().catch(() => {});
      setTimeout(() => { console.log("end"); process.exit(7); }, 200);`;
    const { code, out, error } = await start(program, files).ended;
    assert.deepEqual([code, out, error], [7, "end\n", ""]);
    assert.ok(Date.now() - began < 20_000);
  });
}

test("an error that nobody catches ends the process during a read", async () => {
  const program = `${WAITING}
    wait();
    setTimeout(() => { throw new Error("the end"); }, 100);`;
  const { code, error } = await start(program, files).ended;
  assert.equal(code, 1);
  assert.match(error, /the end/);
});

test("the process stays until its reads have ended, and not longer", async () => {
  const program = `
    import * as omniread from "omniread";
    const session = new omniread.Reader(process.argv[2]).session();
    session.read("notes.txt").then(async () => {
      const replies = await Promise.all([session.read("red.png"), session.read("app.db")]);
      console.log(replies.map((reply) => reply.kind).join());
    });`;
  const began = Date.now();
  assert.equal(await output(program, files), "image,database\n");
  // Idle threads do not keep it.
  assert.ok(Date.now() - began < 8_000);
});

test("a read after the end has begun is refused", async () => {
  const program = `
    import * as omniread from "omniread";
    const session = new omniread.Reader(process.argv[2]).session();
    process.on("exit", () => {
      console.log(session.readSync("notes.txt").kind);
      session.read("notes.txt").catch(() => {});
      console.log("end");
    });
    await session.read("notes.txt");`;
  assert.equal(await output(program, files), "text\nend\n");
});

const WORKER = new URL(`./worker-${process.pid}.mjs`, import.meta.url);
writeFileSync(
  WORKER,
  `
  import { parentPort, workerData } from "node:worker_threads";
  import * as omniread from "omniread";
  const { files, path, grant } = workerData;
  const session = new omniread.Reader(files, { allowNet: grant ?? [], netTimeout: 300_000, timeout: null }).session();
  parentPort.postMessage((await session.read("notes.txt")).kind);
  if (path) {
    const reads = Array.from({ length: 4 }, () => session.read(path));
    parentPort.postMessage("reading");
    await Promise.allSettled(reads);
  }
  `,
);
removeAtEnd(fileURLToPath(WORKER));

function messages(worker, count) {
  return new Promise((resolve, reject) => {
    const seen = [];
    worker.on("error", reject);
    worker.on("message", (message) => {
      seen.push(message);
      if (seen.length === count) resolve(seen);
    });
  });
}

test("workers read", async () => {
  const workers = Array.from({ length: 4 }, () => new Worker(WORKER, { workerData: { files } }));
  const ends = workers.map((worker) => new Promise((resolve) => worker.on("exit", resolve)));
  for (const seen of await Promise.all(workers.map((worker) => messages(worker, 1)))) assert.deepEqual(seen, ["text"]);
  assert.deepEqual(await Promise.all(ends), [0, 0, 0, 0]);
});

test("a worker is closed during reads, again and again", async () => {
  const query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000000) SELECT max(i % 7) FROM n";
  const { createServer } = await import("node:net");
  const silent = createServer((socket) => socket.on("error", () => {}));
  await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const grant = `127.0.0.1:${silent.address().port}`;
  for (let turn = 0; turn < 6; turn += 1) {
    const path = turn % 2 ? `app.db?q=${query}` : `http://${grant}/`;
    const worker = new Worker(WORKER, { workerData: { files, path, grant } });
    assert.deepEqual(await messages(worker, 2), ["text", "reading"]);
    await pause(50);
    const began = Date.now();
    await worker.terminate();
    assert.ok(Date.now() - began < 5_000, "the end of the worker waited for its reads");
  }
  silent.close();
  silent.unref();
});

test("a process whose only reads were those of a worker goes on after it", async () => {
  // The module would be unloaded with the worker, while its threads run, if its linker did not prevent that.
  const program = `
    import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
    for (let turn = 0; turn < 3; turn += 1) {
      const worker = new Worker(new URL(process.argv[3]), { workerData: { files: process.argv[2] } });
      await new Promise((resolve, reject) => worker.on("exit", resolve).on("error", reject));
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    console.log("alive");`;
  assert.equal(await output(program, files, WORKER), "alive\n");
});

test("errors and JSON of replies pass to other threads", async () => {
  const { read } = await import("omniread");
  const error = await read("no-such-file").catch((error) => error);
  const copy = structuredClone({ message: error.message, ...error.toJSON() });
  assert.equal(copy.error.kind, "not_found");
  const reply = await read(join(files, "..")).catch((error) => error);
  assert.equal(reply.code, "EACCES");
});

test("processes of `fork` and of a cluster read", async () => {
  const program = `
    import cluster from "node:cluster";
    import { fork } from "node:child_process";
    import { fileURLToPath } from "node:url";
    import * as omniread from "omniread";
    const files = process.argv[2];
    const kind = new omniread.Reader(files).session().readSync("notes.txt").kind;
    if (process.send) {
      process.send(kind, () => process.disconnect());
    } else {
      const child = fork(fileURLToPath(import.meta.url), [files]);
      console.log("fork", await new Promise((resolve) => child.on("message", resolve)));
      cluster.setupPrimary({ args: [files] });
      const worker = cluster.fork();
      console.log("cluster", await new Promise((resolve) => worker.on("message", resolve)));
    }`;
  assert.equal(await output(program, files), "fork text\ncluster text\n");
});

test("`Ctrl-C` ends a process during a read", { skip: process.platform === "win32" }, async () => {
  const child = start(`${WAITING}\nwait().catch(() => {}); console.log("reading");`, files);
  await printed(child, "reading");
  await pause(100);
  child.kill("SIGINT");
  assert.equal((await child.ended).signal, "SIGINT");
});

test("a handler of a signal can cancel a read", { skip: process.platform === "win32" }, async () => {
  const program = `${WAITING}
    const controller = new AbortController();
    process.once("SIGINT", () => controller.abort());
    const read = session.read(\`http://\${grant}/\`, { signal: controller.signal });
    console.log("reading");
    try {
      await read;
    } catch (error) {
      console.log(error.name, (await session.read("notes.txt")).kind);
    }
    process.exit(0);`;
  const child = start(program, files);
  await printed(child, "reading");
  child.kill("SIGINT");
  const { code, out } = await child.ended;
  assert.deepEqual([code, out], [0, "reading\nAbortError text\n"]);
});

test("traps of WebAssembly in JavaScript are still errors, and those of a read too", async () => {
  // `read(at)` loads from a memory of one page.
  const program = `
    import assert from "node:assert/strict";
    import * as omniread from "omniread";
    const code = new Uint8Array([0,97,115,109,1,0,0,0,1,6,1,96,1,127,1,127,3,2,1,0,5,3,1,0,1,7,8,1,4,114,101,97,100,0,0,10,9,1,7,0,32,0,40,2,0,11]);
    const { read } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
    const session = new omniread.Reader(process.argv[2], { memory: 4 << 20 }).session();
    for (let turn = 0; turn < 3; turn += 1) {
      assert.equal(read(0), 0);
      assert.throws(() => read(70000), WebAssembly.RuntimeError);
      const reply = await session.read("manual.pdf:page:1").catch((error) => error);
      assert.ok(reply instanceof omniread.Reply || reply instanceof omniread.ReadError);
      assert.equal(session.readSync("notes.txt").kind, "text");
    }
    console.log("both");`;
  assert.equal(await output(program, files), "both\n");
});

/** A directory with copies of the package: `node_modules/omniread`, and what it depends on. */
function copies() {
  const directory = temporary();
  const modules = join(directory, "node_modules");
  mkdirSync(modules);
  cpSync(PACKAGE, join(modules, "omniread"), { recursive: true });
  cpSync(join(PACKAGE, "../@omniread"), join(modules, "@omniread"), { recursive: true });
  return { directory, modules };
}

/** The name of the package for this system, and its directory. */
function platform(modules) {
  const { target } = require(join(PACKAGE, "lib/native.js"));
  return { name: `@omniread/${target()}`, directory: join(modules, "@omniread", target()) };
}

function importError(directory) {
  return output(
    `
    import { createRequire } from "node:module";
    try {
      createRequire(process.argv[2] + "/")("omniread");
      console.log("loaded");
    } catch (error) {
      console.log(error.name, error.code);
      console.log(error.message);
    }`,
    directory,
  );
}

test("two versions in one tree do not disturb each other", async () => {
  const { directory, modules } = copies();
  const nested = join(modules, "other/node_modules");
  mkdirSync(nested, { recursive: true });
  cpSync(join(modules, "omniread"), join(nested, "omniread"), { recursive: true });
  cpSync(join(modules, "@omniread"), join(nested, "@omniread"), { recursive: true });
  const program = `
    import assert from "node:assert/strict";
    import { createRequire } from "node:module";
    const [, , files, directory] = process.argv;
    const packages = ["/", "/node_modules/other/"].map((place) => createRequire(directory + place)("omniread"));
    assert.notEqual(packages[0].Reader, packages[1].Reader);
    let errors = 0;
    await Promise.all(packages.map(async (omniread, at) => {
      const session = new omniread.Reader(files).session();
      for (let turn = 0; turn < 50; turn += 1) {
        assert.equal((await session.read("notes.txt")).kind, "text");
        assert.equal((await session.read("red.png")).images[0].width, 8);
        assert.ok((await session.read("app.db:users")).text.includes("id"));
        const error = await session.read("missing").catch((error) => error);
        assert.ok(error instanceof omniread.ReadError && !(error instanceof packages[1 - at].ReadError));
        errors += 1;
      }
    }));
    console.log(errors);`;
  assert.equal(await output(program, files, directory), "100\n");
});

test("all copies in a process have one listener of its end, which cancels their reads", async () => {
  const program = `
    import { createServer } from "node:net";
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    const before = process.listenerCount("exit");
    const silent = createServer((socket) => socket.on("error", () => {}));
    await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const grant = "127.0.0.1:" + silent.address().port;
    // Runners of tests load modules again for each file.
    for (let copy = 0; copy < 12; copy += 1) {
      for (const file of Object.keys(require.cache)) if (file.includes("omniread") && file.endsWith(".js")) delete require.cache[file];
      const { Reader } = require("omniread");
      new Reader([], { allowNet: grant, netTimeout: 300_000 }).session().read("http://" + grant + "/").catch(() => {});
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    console.log(process.listenerCount("exit") - before);
    process.exit(0);`;
  const began = Date.now();
  // Nor does Node warn of a leak on standard error.
  assert.equal(await output(program), "1\n");
  assert.ok(Date.now() - began < 10_000);
});

test("a missing compiled part is named, with the fix", async () => {
  const { directory, modules } = copies();
  const { name, directory: part } = platform(modules);
  assert.equal(await importError(directory), "loaded\n");
  renameSync(part, `${part}-away`);
  const out = await importError(directory);
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  assert.ok(out.startsWith("PackageError ERR_OMNIREAD_PACKAGE\n"), out);
  assert.ok(out.includes(`${name} is not installed`) && out.includes(`npm install ${name}@${version}`), out);
  assert.ok(out.includes("--omit=optional"), out);
});

test("a compiled part of another version is refused", async () => {
  const { directory, modules } = copies();
  const manifest = join(modules, "omniread/package.json");
  const changed = JSON.parse(readFileSync(manifest, "utf8"));
  changed.version = "9.9.9";
  writeFileSync(manifest, JSON.stringify(changed));
  const out = await importError(directory);
  const { name } = platform(modules);
  assert.ok(out.startsWith("PackageError ERR_OMNIREAD_PACKAGE\n"), out);
  assert.match(out, new RegExp(`${name} has version [0-9.]+, and omniread in .* has version 9\\.9\\.9`));
  assert.ok(out.includes(`npm install omniread@9.9.9 ${name}@9.9.9`), out);
});

test("a compiled part that cannot be loaded says why", async () => {
  const { directory, modules } = copies();
  const { name, directory: part } = platform(modules);
  const manifest = JSON.parse(readFileSync(join(part, "package.json"), "utf8"));
  writeFileSync(join(part, manifest.main), "no library");
  const out = await importError(directory);
  assert.ok(out.startsWith("PackageError ERR_OMNIREAD_PACKAGE\n"), out);
  assert.ok(out.includes(`cannot load ${name}: `) && out.includes("npm install --force"), out);
});

test("a system without a package is named", () => {
  const program = `
    Object.defineProperty(process, "platform", { value: "aix" });
    const { createRequire } = await import("node:module");
    try {
      createRequire(process.argv[2] + "/")("omniread");
    } catch (error) {
      console.log(error.name, error.message);
    }`;
  const { directory } = copies();
  return output(program, directory).then((out) => {
    assert.match(out, /^PackageError omniread has no package for aix-.*: it has them for darwin-arm64, .*linux-x64-gnu/);
  });
});

test("the package for musl is chosen by the loader of the program", { skip: process.platform !== "linux" }, () => {
  const { target } = require(join(PACKAGE, "lib/native.js"));
  const musl = join(temporary(), "node");
  writeFileSync(musl, Buffer.concat([Buffer.alloc(600), Buffer.from("/lib/ld-musl-x86_64.so.1\0"), Buffer.alloc(5000)]));
  const before = Object.getOwnPropertyDescriptor(process, "execPath");
  try {
    Object.defineProperty(process, "execPath", { ...before, value: musl });
    assert.equal(target("linux", "x64"), "linux-x64-musl");
  } finally {
    Object.defineProperty(process, "execPath", before);
  }
  assert.equal(target("linux", "x64"), "linux-x64-gnu");
  assert.equal(target("darwin", "arm64"), "darwin-arm64");
});

test("an import starts no thread for reads", { skip: process.platform !== "linux" || isBun }, async () => {
  const program = `
    import { readdirSync } from "node:fs";
    const before = readdirSync("/proc/self/task").length;
    const { version } = await import("omniread");
    console.log(readdirSync("/proc/self/task").length - before, version);`;
  assert.match(await output(program), /^0 \d/);
});

// Reads of each kind of content, options, tools and errors.

import assert from "node:assert/strict";
import { rmSync, symlinkSync, writeFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import * as omniread from "omniread";
import { isBun, makeFiles, temporary } from "./files.mjs";

const files = makeFiles();
const require = createRequire(import.meta.url);
const reader = new omniread.Reader(files, { deny: [".env"] });
const session = reader.session();
after(() => reader.close());

/** The error with which something fails. */
async function failure(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return assert.fail("it did not fail");
}

test("text has lines and the path that continues", async () => {
  const reply = await session.read("notes.txt");
  assert.ok(reply.text.includes("line 1\n"));
  assert.equal(String(reply), reply.text);
  assert.ok(reply.next.startsWith("notes.txt:"));
  assert.deepEqual(reply.details.total_lines, { exact: 1000 });
  assert.deepEqual([reply.kind, reply.path, reply.isError], ["text", "notes.txt", false]);
  assert.deepEqual(reply.notes, []);
  const rest = await session.read(reply.next);
  assert.ok(rest.details.shown[0].first > 1);
  assert.ok(inspect(reply).startsWith('<Reply text "notes.txt", next="notes.txt:'));
});

test("a read that blocks the thread has the same reply", async () => {
  const reply = session.readSync("notes.txt:10-12");
  assert.equal(reply.text, (await session.read("notes.txt:10-12")).text);
  assert.throws(() => session.readSync("missing"), omniread.PathNotFoundError);
  const { signal } = new AbortController();
  assert.throws(() => session.readSync("notes.txt", { signal }), /blocks this thread/);
});

test("a member of an archive is read", async () => {
  assert.ok((await session.read("pack.zip:inner/a.txt")).text.includes("in the archive"));
  assert.ok((await session.read("pack.zip")).text.includes("inner/"));
});

test("tables are read", async () => {
  assert.ok((await session.read("people.csv")).text.includes("Grace"));
  const reply = await session.read("app.db?q=select name, age from users order by age desc limit 1");
  assert.ok(reply.text.includes("|Grace|85|"));
  assert.ok((await session.read("app.db:users")).details.database.columns.includes("name"));
});

test("an image has bytes and sides", async () => {
  const reply = await session.read("red.png");
  const [image] = reply.images;
  assert.equal(image.mime, "image/png");
  assert.ok(image.data instanceof Uint8Array && Buffer.isBuffer(image.data));
  assert.equal(image.data.subarray(1, 4).toString(), "PNG");
  assert.equal(image.data.length, image.size);
  assert.equal(image.base64, image.data.toString("base64"));
  assert.equal(image.data, image.data);
  assert.deepEqual([image.width, image.height, image.type], [8, 4, "image"]);
  assert.ok(reply.blocks.includes(image));
  assert.deepEqual(reply.attachments, []);
  assert.equal(inspect(image), `<Media image/png of ${image.size} bytes, 8 x 4 pixels>`);
});

test("documents and pages of PDF are read", async () => {
  const letter = await session.read("letter.docx");
  assert.ok(letter.text.includes("Dear reader"));
  assert.equal(letter.kind, "document");
  assert.ok((await session.read("manual.pdf:page:1")).text.length > 100);
  const [page] = (await session.read("manual.pdf:page:1:img")).images;
  assert.ok(page.size > 1000);
});

test("a file that a dialect passes on is an attachment", async () => {
  const reply = await session.read("manual.pdf", { dialect: "gateway" });
  const [file] = reply.attachments;
  assert.deepEqual([file.type, file.mime, file.width], ["attachment", "application/pdf", null]);
  assert.equal(file.data.subarray(0, 4).toString(), "%PDF");
});

test("a directory is listed without denied files", async () => {
  const { text } = await session.read(".");
  assert.ok(text.includes("notes.txt") && !text.includes(".env"));
});

test("the JSON is that of the command line", async () => {
  const reply = await session.read("notes.txt:1-2");
  const data = reply.toJSON();
  assert.deepEqual(Object.keys(data), ["blocks", "details", "structured"]);
  assert.equal(data.blocks[0].text, reply.text);
  assert.deepEqual(JSON.parse(JSON.stringify(reply)), data);
  assert.ok(data.details.display_content.text.startsWith("line 1"));
  const { display_content, ...without } = data.details;
  assert.deepEqual(without, reply.details);
  assert.deepEqual(data.structured, reply.structured);
});

test("a missing file is an error with the code of Node, the path and the next step", async () => {
  const error = await failure(() => session.read("note.txt"));
  assert.ok(error instanceof omniread.PathNotFoundError && error instanceof omniread.ReadError && error instanceof Error);
  assert.deepEqual([error.code, error.reason, error.isError], ["ENOENT", "not_found", true]);
  assert.deepEqual([error.name, error.path], ["PathNotFoundError", "note.txt"]);
  assert.ok(error.facts.near.includes("notes.txt"));
  assert.match(error.hint, /notes\.txt/);
  assert.ok(error.message.includes("note.txt") && error.text.includes(error.message));
  assert.deepEqual(Object.keys(error.toJSON()), ["error", "structured"]);
  const shown = inspect(error);
  assert.match(shown, /code: 'ENOENT'/);
  assert.match(shown, /hint: /);
  assert.ok(!shown.includes("structured"));
});

test("the stack of an error has the function that awaited the read", async () => {
  async function caller() {
    return await session.read("missing");
  }
  const error = await failure(caller);
  assert.match(error.stack, /caller/);
});

for (const [path, kind, code, reason] of [
  [".env", "AccessDeniedError", "EACCES", "denied"],
  ["/etc/passwd", "AccessDeniedError", "EACCES", "outside_roots"],
  ["../outside", "AccessDeniedError", "EACCES", "outside_roots"],
  ["notes.txt:10-5", "InvalidRequestError", "ERR_OMNIREAD_INVALID_SELECTOR", "invalid_selector"],
  ["app.db?q=DROP TABLE users", "InvalidRequestError", "ERR_OMNIREAD_QUERY", "query"],
  ["https://example.com/", "NetworkError", "ERR_OMNIREAD_NETWORK", "network"],
]) {
  test(`the error of ${path} has the class of its reason`, async () => {
    const error = await failure(() => session.read(path));
    assert.ok(error instanceof omniread[kind], error.name);
    assert.deepEqual([error.name, error.code, error.reason, error.path], [kind, code, reason, path]);
  });
}

test("a directory is an error in a dialect of files", async () => {
  const error = await failure(() => session.read(".", { dialect: "comma" }));
  assert.ok(error instanceof omniread.PathIsDirectoryError);
  assert.equal(error.code, "EISDIR");
});

test("paths are text, bytes or URLs", async () => {
  const { text } = await session.read("notes.txt:1-2");
  assert.equal((await session.read(Buffer.from("notes.txt:1-2"))).text, text);
  assert.equal((await session.read(new Uint8Array(Buffer.from("notes.txt:1-2")))).text, text);
  assert.equal((await session.read(pathToFileURL(join(files, "notes.txt")))).kind, "text");
  const query = new URL(`${pathToFileURL(join(files, "app.db"))}?q=select max(age) from users`);
  assert.ok((await session.read(query)).text.includes("|85|"));
  assert.equal((await failure(() => session.read(new URL("https://example.com/")))).reason, "network");
  for (const wrong of [1, null, undefined, {}]) {
    const error = await failure(() => session.read(wrong));
    assert.ok(error instanceof TypeError);
    assert.match(error.message, /a path is a string, a Uint8Array or a URL/);
  }
});

test("strange paths are typed errors", async () => {
  for (const path of ["", "a\0b", "\ud800", "x".repeat(100_000), ":", `notes.txt:${"9".repeat(50)}`]) {
    const error = await failure(() => session.read(path));
    assert.ok(error instanceof omniread.ReadError, inspect(path.slice(0, 20)));
  }
});

test("a name that is not UTF-8 is listed and refused", { skip: process.platform !== "linux" }, async () => {
  const directory = temporary();
  const name = Buffer.from("caf\xe9.txt", "latin1");
  writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), name]), "latin\n");
  const session = new omniread.Reader(directory).session();
  assert.ok((await session.read(".")).text.includes("caf"));
  const names = isBun ? [name] : readdirSync(directory, { encoding: "buffer" });
  const error = await failure(() => session.read(names[0]));
  assert.ok(error instanceof omniread.InvalidRequestError);
  assert.equal(error.reason, "invalid_path");
});

test("options change the reply", async () => {
  assert.deepEqual((await session.read("notes.txt", { limit: 10 })).details.shown, [{ first: 1, last: 10 }]);
  const plain = await session.read("notes.txt", { lines: "3-3", hashlines: false, margin: false });
  assert.equal(plain.text.split("\n")[0], "line 3");
  assert.deepEqual((await session.read("red.png", { imageMetadata: true })).images, []);
  const whole = await session.read("notes.txt");
  assert.equal((await session.read("notes.txt", { limit: null, dialect: undefined })).text, whole.text);
  assert.notEqual((await session.read("notes.txt", { replyBytes: "4K" })).next, null);
  assert.equal((await session.read("notes.txt", { ignores: ["x", "y"] })).kind, "text");
  assert.equal(session.readSync("notes.txt", { limit: 10 }).details.shown[0].last, 10);
});

test("wrong options are errors of their argument", async () => {
  for (const [options, kind, message] of [
    [{ limits: 1 }, TypeError, /there is no option `limits`: the options are limit,.*imageSide.*lines, stdin, dialect, signal/],
    [{ image_side: 100 }, TypeError, /there is no option `image_side`/],
    [{ limit: 0 }, RangeError, /must be a number from 1 to 3000/],
    [{ imageSide: 1 }, RangeError, /`imageSide`/],
    [{ limit: 1.5 }, TypeError, /option `limit` is a boolean, an integer/],
    [{ limit: Number.NaN }, TypeError, /option `limit` is a boolean, an integer/],
    [{ limit: 10n }, TypeError, /of the type bigint/],
    [{ stdin: "yes" }, TypeError, /option `stdin` is a boolean/],
    [{ dialect: "cat" }, RangeError, /there is no dialect `cat`: the dialects are omp,/],
    [{ signal: 1 }, TypeError, /`signal` is an AbortSignal/],
    ["limit", TypeError, /`options` is an object/],
  ]) {
    const error = await failure(() => session.read("notes.txt", options));
    assert.ok(error instanceof kind, String(error));
    assert.match(error.message, message);
    assert.equal(error.code, "ERR_OMNIREAD_ARGUMENT");
  }
});

test("a call runs the tool of a dialect", async () => {
  const args = { file_path: join(files, "notes.txt"), offset: 2, limit: 1 };
  const reply = await session.call("claude", args);
  assert.ok(reply.text.includes("2\tline 2\n") && !reply.text.includes("line 3"));
  assert.equal((await session.call("claude", JSON.stringify(args))).text, reply.text);
  assert.equal(session.callSync("claude", args).text, reply.text);
  for (const dialect of omniread.DIALECTS) {
    const error = await failure(() => session.call(dialect, {}));
    assert.ok(error instanceof omniread.ReadError && error.text);
    assert.equal(error.path, undefined);
  }
  assert.ok((await failure(() => session.call("claude", "not JSON"))) instanceof omniread.InvalidRequestError);
  assert.ok((await failure(() => session.call("claude", 1))) instanceof TypeError);
  assert.ok((await failure(() => session.call("claude", {}, { dialect: "omp" }))) instanceof TypeError);
});

test("tools have the form of the API", () => {
  const [tool] = reader.tools("openai", "claude");
  assert.equal(tool.function.name, "Read");
  for (const api of omniread.APIS) {
    for (const dialect of omniread.DIALECTS) assert.equal(reader.tools(api, dialect).length, 1);
  }
  assert.notDeepEqual(reader.tools("mcp", "gemini", { current: true }), reader.tools("mcp", "gemini"));
  assert.throws(() => reader.tools("x"), { name: "RangeError", message: /there is no API `x`: the APIs are openai,/ });
  assert.throws(() => reader.tools("mcp", "omp", { now: true }), TypeError);
  assert.equal(omniread.tools("anthropic")[0].name, "read");
});

test("paths are completed", async () => {
  assert.deepEqual(await reader.complete("no"), ["notes.txt"]);
  assert.deepEqual(await reader.complete("", 0), []);
  assert.ok((await failure(() => reader.complete("", -1))) instanceof RangeError);
});

test("a session knows what has changed", async () => {
  const directory = temporary();
  const file = join(directory, "a.txt");
  writeFileSync(file, "one\ntwo\n");
  const reader = new omniread.Reader(directory);
  const session = reader.session();
  assert.equal(await session.stale("a.txt"), "unread");
  await session.read("a.txt");
  assert.equal(await session.stale("a.txt"), "same");
  writeFileSync(file, "one\nTWO\n");
  assert.equal(await session.stale(pathToFileURL(file)), "changed");
  const changes = await session.changes("a.txt");
  assert.equal(changes.state, "changed");
  assert.deepEqual(changes.hunks, [{ old_first: 2, old: ["two"], new_first: 2, new: ["TWO"] }]);
  assert.equal(await session.recordWrite("a.txt", "one\nTWO\n"), true);
  assert.deepEqual((await session.changes("a.txt")).hunks, []);
  assert.equal(await session.recordWrite("a.txt", new TextEncoder().encode("one\nTWO\n")), true);
  rmSync(file);
  assert.equal(await session.stale("a.txt"), "gone");
  await session.clear();
  assert.equal(await session.stale("a.txt"), "unread");
  assert.match((await failure(() => session.recordWrite("a.txt", 1))).message, /the content is a string or a Uint8Array/);
  reader.close();
});

test("a session in a directory outlives its reader", async () => {
  const state = join(temporary(), "state");
  for (const staleness of ["unread", "same"]) {
    const reader = new omniread.Reader(files);
    const session = reader.session(state);
    assert.equal(await session.stale("notes.txt"), staleness);
    await session.read("notes.txt");
    session.close();
    reader.close();
  }
  assert.throws(() => reader.session(join(files, "notes.txt")), {
    name: "SessionError",
    code: "ERR_OMNIREAD_SESSION",
    message: /notes\.txt/,
  });
});

test("a session in a root, and one that is damaged, are warnings of the process", async () => {
  const root = temporary();
  const state = join(root, "state");
  const warnings = [];
  const listen = (warning) => warnings.push(warning);
  process.on("warning", listen);
  new omniread.Reader(root).session(state).close();
  for (const name of readdirSync(state)) writeFileSync(join(state, name), "no database".repeat(1000));
  const session = new omniread.Reader(files).session(state);
  assert.equal((await session.read("notes.txt")).kind, "text");
  session.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off("warning", listen);
  assert.deepEqual(warnings.map((warning) => warning.name), ["OmnireadWarning", "OmnireadWarning"]);
  assert.match(warnings[0].message, /is where files are read/);
  assert.match(warnings[1].message, /starts empty/);
});

test("sessions do not share what was shown", async () => {
  const [first, second] = [reader.session(), reader.session()];
  await first.read("notes.txt");
  assert.deepEqual([await first.stale("notes.txt"), await second.stale("notes.txt")], ["same", "unread"]);
  await first.read("notes.txt", { repeat: true });
  assert.ok((await first.read("notes.txt", { repeat: true })).details.repeats);
});

test("the limits of a reader apply", async () => {
  const small = new omniread.Reader(files, { maxFileSize: 10 }).session();
  assert.equal((await failure(() => small.read("notes.txt"))).facts.limit, "max-file-size");
  // A read checks its time every ten milliseconds, which is enough for a page of a document.
  const directory = temporary();
  writeFileSync(join(directory, "long.csv"), `id,name\n${"1,a\n".repeat(2_000_000)}`);
  const short = new omniread.Reader(directory, { timeout: 1 }).session();
  const error = await failure(() => short.read("long.csv?q=select count(*) from data"));
  assert.ok(error instanceof omniread.ReadTimeoutError, String(error));
  assert.equal(error.code, "ETIMEDOUT");
  // Which of the limits of time ends the read of a document depends on the moment.
  const { readError } = require(join(dirname(require.resolve("omniread/package.json")), "lib/errors.js"));
  const late = { kind: "limit", message: "it exceeds the limit `time`", limit: "document-time" };
  assert.equal(readError({ error: late }, "a.pdf").code, "ETIMEDOUT");
});

test("arguments of a reader are checked", () => {
  const wrong = (roots, options, expected) => assert.throws(() => new omniread.Reader(roots, options), expected);
  wrong(join(files, "no-such"), {}, { name: "ConfigError", code: "ERR_OMNIREAD_CONFIG", message: /no-such/ });
  wrong(files, { deny: [""] }, omniread.ConfigError);
  wrong(files, { allowNet: ["https://example.com/path"] }, omniread.ConfigError);
  wrong(files, { mounts: { http: files } }, omniread.ConfigError);
  wrong(files, { netProxy: "nonsense://" }, omniread.ConfigError);
  wrong(files, { root: files }, { name: "TypeError", message: /a reader has no option `root`: the options are allowNet,/ });
  wrong(files, { constructor: 1 }, TypeError);
  wrong(files, { deny: [1] }, TypeError);
  wrong(1, {}, TypeError);
  wrong(new URL("https://example.com/"), {}, TypeError);
  assert.throws(() => new omniread.Reader(files).session(new URL("https://example.com/")), TypeError);
  for (const timeout of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    wrong(files, { timeout }, { name: "RangeError", message: /`timeout` is a number of milliseconds/ });
  }
  wrong(files, { timeout: "1s" }, TypeError);
  wrong(files, { memory: -1 }, RangeError);
  wrong(files, { memory: 1.5 }, RangeError);
});

test("all arguments of a reader are passed on", async () => {
  const other = temporary();
  writeFileSync(join(other, "plan.md"), "the plan\n");
  const reader = new omniread.Reader([pathToFileURL(files), other], {
    allowNet: "127.0.0.1:1",
    deny: ".env",
    engineMemory: 1 << 30,
    home: other,
    maxFileSize: undefined,
    memory: 64 << 20,
    mounts: { docs: other },
    netHeaders: { "127.0.0.1": { "X-Token": "secret" } },
    netMaxBytes: 1000,
    netTimeout: 500,
    netUserAgent: "test",
    password: "secret",
    timeout: null,
  });
  const session = reader.session();
  assert.ok((await session.read("docs://plan.md")).text.includes("the plan"));
  assert.ok((await session.read("~/plan.md")).text.includes("the plan"));
  assert.equal((await failure(() => session.read(".env"))).reason, "denied");
  assert.ok(reader.roots.some((root) => root.endsWith(files.split("/").at(-1))));
  assert.equal((await failure(() => session.read("http://127.0.0.1:1/"))).facts.error.kind, "connect");
});

test("closed readers and sessions refuse reads", async () => {
  const reader = new omniread.Reader(files);
  const [session, other] = [reader.session(), reader.session()];
  session.close();
  assert.deepEqual([session.closed, other.closed, reader.closed], [true, false, false]);
  assert.match((await failure(() => session.read("notes.txt"))).message, /the session is closed/);
  await other.read("notes.txt");
  reader.close();
  reader.close();
  assert.deepEqual([other.closed, reader.closed], [true, true]);
  for (const use of [
    () => other.read("notes.txt"),
    () => other.readSync("notes.txt"),
    () => reader.session(),
    () => reader.tools("mcp"),
    () => reader.complete(""),
    () => reader.roots,
  ]) {
    const error = await failure(use);
    assert.ok(error instanceof omniread.ClosedError, String(error));
    assert.deepEqual([error.code, error.message], ["ERR_OMNIREAD_CLOSED", "the reader is closed"]);
  }
});

test("readers and sessions are closed by `using`", { skip: Symbol.dispose === undefined }, async () => {
  const reader = new omniread.Reader(files);
  const session = reader.session();
  await session[Symbol.asyncDispose]();
  assert.equal(session.closed, true);
  reader[Symbol.dispose]();
  assert.equal(reader.closed, true);
});

test("the function reads below the current directory", async () => {
  const before = process.cwd();
  try {
    process.chdir(files);
    assert.ok((await omniread.read("notes.txt")).text.includes("line 1"));
    assert.ok(omniread.readSync("notes.txt").text.includes("line 1"));
    process.chdir(join(files, "empty"));
    await assert.rejects(omniread.read("notes.txt"), omniread.PathNotFoundError);
  } finally {
    process.chdir(before);
  }
});

test("`require` and `import` have the same classes", () => {
  const required = createRequire(import.meta.url)("omniread");
  assert.equal(required.Reader, omniread.Reader);
  assert.equal(omniread.default, required);
  assert.deepEqual(Object.keys(required).sort(), Object.keys(omniread).filter((name) => name !== "default").sort());
});

test("a link out of a root is refused", { skip: process.platform === "win32" }, async () => {
  const root = temporary();
  symlinkSync(join(files, "notes.txt"), join(root, "link.txt"));
  const error = await failure(() => new omniread.Reader(root).session().read("link.txt"));
  assert.equal(error.reason, "link_outside_roots");
});

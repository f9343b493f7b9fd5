// The component in Node: with preview2-shim, and as the page runs it.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { WASIShim } from "@bytecodealliance/preview2-shim/instantiation";
import { dist } from "./browser.mjs";
import { assets, load, tree } from "../node.mjs";
import { fresh, Missing } from "../src/component.js";
import { wasi } from "../src/wasi.js";
import { zip } from "../zip.mjs";

const top = mkdtempSync(join(tmpdir(), "omniread-node-"));
const directory = join(top, "files");
const examples = new URL("../../../examples/", import.meta.url);
let instantiate;
let modules;
let ways;

before(async () => {
  ({ instantiate, modules } = await load(dist));
  mkdirSync(directory);
  // Only a read that leaves the directory finds it.
  writeFileSync(join(top, "outside.txt"), "outside\n");
  for (const name of ["app.db", "letter.docx", "manual.pdf", "sales.xlsx", "chart.svg"]) {
    writeFileSync(join(directory, name), readFileSync(new URL(name, examples)));
  }
  writeFileSync(join(directory, "notes.txt"), "one\ntwo\nthree\n");
  const inner = zip([["deep/b.txt", Buffer.from("inner\n")]]);
  writeFileSync(join(directory, "all.zip"), zip([["a.txt", Buffer.from("member\n")], ["in.zip", inner]]));
  const shim = new WASIShim({ sandbox: { preopens: { "/": directory } } }).getImportObject();
  const own = wasi(tree(directory));
  const create = (module, imports) => new WebAssembly.Instance(module, imports);
  ways = {
    shim: () => instantiate((name) => modules.get(name), shim, create),
    page: () => fresh(instantiate, modules, own),
  };
});

after(() => rmSync(top, { recursive: true }));

/** The blocks of a reply, or the failure, of a path by each way. They must be the same. */
function read(path) {
  const [shim, page] = Object.values(ways).map((make) => {
    try {
      return make().read.read(`/${path}`).blocks;
    } catch (error) {
      assert.ok(Object.hasOwn(error, "payload"), `${error}`);
      return error.payload;
    }
  });
  assert.deepEqual(page, shim);
  return page;
}

const READS = [
  ["text", "notes.txt:2-2", /2:two/],
  ["member", "all.zip:a.txt", /^member/],
  ["nested member", "all.zip:in.zip:deep/b.txt", /^inner/],
  ["table", "app.db:users:1", /name: Ada/],
  ["workbook", "sales.xlsx:Sales:B4:C5", /899\.50|12/],
  ["document", "letter.docx", /Sales of the lamp/],
  ["page", "manual.pdf:page:1", /Keep the lamp away from water/],
];

for (const [name, path, expected] of READS) {
  test(`${name} is read in Node`, () => assert.match(read(path)[0].val, expected));
}

test("image is read in Node", () => {
  const image = read("chart.svg:img").find(({ tag }) => tag === "image");
  assert.equal(image.val.mime, "image/webp");
  const page = read("manual.pdf:page:1:img").find(({ tag }) => tag === "image");
  assert.match(page.val.data, /^iVBORw0KGgo/);
});

test("error is a failure with similar names in Node", () => {
  const failure = read("note.txt");
  assert.equal(failure.reason.tag, "not-found");
  assert.match(failure.hint, /notes\.txt/);
});

test("a path out of the directory is refused", () => {
  assert.match(readFileSync(join(directory, "../outside.txt"), "utf8"), /outside/);
  for (const path of ["../outside.txt", "../../etc/passwd", "../files/../outside.txt", "x/../../outside.txt"]) {
    const { reason, text } = read(path);
    assert.deepEqual(reason, { tag: "not-found", val: [] }, path);
    assert.ok(text.includes(`Path '/${path}' not found`), text);
  }
});

test("only the engines that a read needs are made", () => {
  for (const [path, engines] of [["notes.txt", []], ["app.db", ["sqlite"]], ["manual.pdf", ["pdf"]], ["manual.pdf:page:1:img", ["pdf", "images"]]]) {
    const instance = ways.page();
    instance.read.read(`/${path}`);
    assert.deepEqual(instance.engines, engines, path);
  }
});

test("a read that needs a module that is not compiled says which", () => {
  const { modules: listed } = JSON.parse(readFileSync(join(assets(dist), "manifest.json"), "utf8"));
  const some = new Map(listed.map(({ name, exports }) => [name, exports ? { missing: name, exports } : modules.get(name)]));
  const make = () => fresh(instantiate, some, wasi(tree(directory)));
  assert.match(make().read.read("/notes.txt").blocks[0].val, /1:one/);
  let missing;
  assert.throws(
    () => make().read.read("/app.db"),
    (error) => {
      missing = error.module;
      return error instanceof Missing;
    },
  );
  some.set(missing, modules.get(missing));
  assert.match(make().read.read("/app.db").blocks[0].val, /users \(10 rows\)/);
});

test("files cannot be written, and directories cannot be left", () => {
  const [[root]] = wasi(tree(directory))["wasi:filesystem/preopens"].getDirectories();
  const fails = (code, work) => assert.throws(work, (error) => error === code);
  const open = (path, flags = {}, rights = { read: true }) => root.openAt({}, path, flags, rights);
  fails("read-only", () => open("notes.txt", {}, { write: true }));
  fails("read-only", () => open("new.txt", { create: true }));
  fails("read-only", () => open("notes.txt").writeViaStream(0n));
  fails("not-permitted", () => open("../notes.txt"));
  fails("not-permitted", () => open("/notes.txt"));
  fails("no-entry", () => open("missing"));
  fails("no-entry", () => open("__proto__"));
  fails("not-directory", () => open("notes.txt/"));
  fails("not-directory", () => open("notes.txt/x"));
  fails("is-directory", () => open(".").read(1n, 0n));
  const [bytes, end] = open("notes.txt").read(3n, 4n);
  assert.deepEqual([Buffer.from(bytes).toString(), end], ["two", false]);
  assert.deepEqual(open("notes.txt").read(10n, 1000n), [new Uint8Array(), true]);
  assert.ok(open("notes.txt").isSameObject(open("./notes.txt")));
});

test("a file whose bytes cannot be read is a failure, and its stream throws what the generated code takes", () => {
  const bad = {
    size: 100,
    modified: 0,
    read() {
      throw "io";
    },
  };
  const imports = wasi({ entries: new Map([["bad.txt", bad], ["bad.zip", bad]]) });
  for (const path of ["/bad.txt", "/bad.txt:raw", "/bad.zip"]) {
    assert.throws(
      () => fresh(instantiate, modules, imports).read.read(path),
      ({ payload }) => payload.reason.tag === "io",
    );
  }
  const [[root]] = imports["wasi:filesystem/preopens"].getDirectories();
  const stream = root.openAt({}, "bad.txt", {}, { read: true }).readViaStream(0n);
  for (const read of ["read", "blockingRead"]) {
    assert.throws(
      () => stream[read](10n),
      ({ payload: { tag, val } }) =>
        tag === "last-operation-failed" && val instanceof imports["wasi:io/error"].Error && val.toDebugString() === "io",
    );
  }
});

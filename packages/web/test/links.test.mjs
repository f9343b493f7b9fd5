// Tests of the links and the tokens of replies, without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { escaped, hashOf, linksIn, linksInNote, linksOfFailure, outlineOf, pathOf } from "../src/links.js";
import { estimator } from "../src/tokens.js";

/** The links of a text, as the text of each and its path. */
function found(text, details, exact) {
  return linksIn(text, details, exact).map(({ start, end, path }) => [text.slice(start, end), path]);
}

test("locations of paths are read back", () => {
  for (const path of ["a b.txt", "x.db?q=select 1", "100%.txt", "page.html#id", "日本.txt", "a\\:b", "%41"]) {
    assert.equal(pathOf(hashOf(path)), path);
  }
  assert.equal(pathOf("#100%"), "100%");
  assert.equal(escaped("a:b"), "a\\:b");
});

test("entries of a directory are linked with the directories around them", () => {
  const text = ".\n  - src/            1m ago\n    - a  b.rs    1.1KB  1m ago\n    - … 2 more\n  - x: y.txt    2B  just now\n";
  const details = { kind: { tag: "directory", val: {} }, path: ".", next: undefined };
  assert.deepEqual(found(text, details), [
    ["src/", "src"],
    ["a  b.rs", "src/a  b.rs"],
    ["… 2 more", "src"],
    ["x: y.txt", "x\\: y.txt"],
  ]);
  assert.equal(found(text, { ...details, path: "top" })[1][1], "top/src/a  b.rs");
});

test("members of an archive and of a directory in it are linked", () => {
  const kind = { tag: "archive", val: {} };
  const text = "logs/\na (1).txt (2.1KB)\n\n[zip archive: 2 files, 2.1KB unpacked]";
  assert.deepEqual(found(text, { kind, path: "a.zip" }), [
    ["logs/", "a.zip:logs/"],
    ["a (1).txt", "a.zip:a (1).txt"],
  ]);
  assert.deepEqual(found("app.log (18.4KB)", { kind, path: "a.zip:logs/" }), [["app.log", "a.zip:logs/app.log"]]);
});

test("a notice names the path that continues", () => {
  const kind = { tag: "text", val: {} };
  const details = { kind, path: "a.txt", next: "a.txt:301" };
  assert.deepEqual(found("300:x\n\n[Showing lines 1-300 of 700. Use :301 to continue]", details), [[":301", "a.txt:301"]]);
  assert.deepEqual(found("30:x\n… 1,910 lines (:31-1940)\n1941:y", details), [[":31-1940", "a.txt:31-1940"]]);
  assert.deepEqual(found("1:x\n\n[Use a.txt: for its rows as a table]", details), [["a.txt:", "a.txt:"]]);
  // Lines of the file are no notices.
  assert.deepEqual(found("1:[Use :301 to continue]", details), []);
  assert.deepEqual(found("[Use :301 to continue]", details, true), []);
});

test("rows that follow are those of the database, not of the table", () => {
  const details = {
    kind: { tag: "database", val: { part: "schema", table: "users" } },
    path: "app.db:users",
    next: "app.db:users?limit=20&offset=5",
  };
  const note = "5 more rows; append :users?limit=20&offset=5 to the database path to continue";
  const link = [[":users?limit=20&offset=5", details.next]];
  assert.deepEqual(found(`|1|\n\n[${note}]`, details), link);
  const [{ start, end, path }] = linksInNote(note, { ...details, next: undefined });
  assert.deepEqual([[note.slice(start, end), path]], link);
});

test("a page as an image has a path for half of its size", () => {
  // The second form is that of components of earlier versions.
  for (const path of ["a.pdf:page:1:img", "a.pdf:page:1\\:img"]) {
    const details = { kind: { tag: "image", val: {} }, path };
    assert.deepEqual(found("[Image 'a.pdf:page:1:img': about 2240 tokens, `:half` about 560]", details).at(-1), [":half", "a.pdf:page:1:img:half"]);
  }
});

test("lines that are too long are not searched", () => {
  const long = 10_000;
  const cases = [
    ["text", `… ${"a:".repeat(long)}\``],
    ["text", `[${":a".repeat(long)}(]`],
    ["archive", `${"a (1".repeat(long)}`],
    ["document", `x\n\nAttachments:\n- ${"a (b/c, ".repeat(long)}`],
    ["directory", `  - ${"a  1 ".repeat(long)}\u2028`],
    ["document", `:a ${"A1 ".repeat(long)}\n\n---\n`],
  ];
  for (const [tag, text] of cases) {
    const started = performance.now();
    assert.deepEqual(found(text, { kind: { tag, val: {} }, path: "a" }), [], tag);
    const milliseconds = performance.now() - started;
    assert.ok(milliseconds < 500, `${text.slice(0, 20)}: ${milliseconds} ms`);
  }
  // The lines around a long one have their links.
  const kind = { tag: "archive", val: {} };
  assert.deepEqual(found(`a\n${"b".repeat(5000)}\nc`, { kind, path: "x.zip" }), [["a", "x.zip:a"], ["c", "x.zip:c"]]);
});

test("similar names of a failure are linked", () => {
  const failure = {
    reason: { tag: "not-found", val: ["a b.pdf"] },
    hint: "similar names: `a b.pdf`",
    text: "Path 'a.pdf' not found\nhint: similar names: `a b.pdf`",
  };
  assert.deepEqual(linksOfFailure(failure).map(({ path }) => path), ["a b.pdf"]);
});

test("outlines have headings, declarations and units", () => {
  const reply = (path, text, structured = "{}") => ({
    details: { path, kind: { tag: "text", val: {} } },
    structured,
    blocks: [{ tag: "text", val: text }],
  });
  const markdown = "1:# Top\n2:```sh\n3:# no heading\n4:```\n5-9:## Below …\n";
  assert.deepEqual(outlineOf(reply("a.md", markdown)), [
    { title: "# Top", path: "a.md:1" },
    { title: "## Below", path: "a.md:5-9" },
  ]);
  const code = "1:use x;\n3:impl A {\n4-9:    fn b() { … }\n10:}\n";
  assert.deepEqual(outlineOf(reply("a.rs", code, '{"summary":{}}')), [
    { title: "impl A", path: "a.rs:3" },
    { title: "    fn b() {", path: "a.rs:4-9" },
  ]);
  assert.deepEqual(outlineOf(reply("a.rs", code)), []);
  const units = { kind: "cell", count: 2n };
  const notebook = { details: { path: "n.ipynb", kind: { tag: "document", val: { units } } }, blocks: [] };
  assert.deepEqual(outlineOf(notebook).map(({ path }) => path), ["n.ipynb:cell:0", "n.ipynb:cell:1"]);
});

test("tokens are those of the crate", () => {
  const table = (name) => new Int8Array(readFileSync(new URL(`../../../guest/tokens/src/${name}`, import.meta.url)));
  const tokens = estimator(table("three.bin"), table("six.bin"));
  // From `details.tokens` of the command line.
  assert.equal(tokens(""), 0);
  assert.equal(tokens("привет мир, Ärger und 日本語テキスト   \n\n\t\tx\n"), 19);
  assert.equal(tokens("x"), 1);
  assert.equal(tokens("=".repeat(1000)), 17);
  // From the tests of the crate.
  assert.equal(tokens("123456789"), 3);
  assert.equal(tokens("1234567890"), 4);
  assert.equal(tokens(" ".repeat(1000)), 9);
  assert.equal(tokens("\n".repeat(1000)), 51);
});

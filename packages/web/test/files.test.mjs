// Tests of the lists of what is opened, with objects like those of a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fromDrop, fromHandle } from "../src/files.js";

const denied = () => Object.assign(new Error("it may not be read"), { name: "NotAllowedError" });

const file = (name, bad) => ({
  kind: "file",
  name,
  getFile: async () => {
    if (bad) throw denied();
    return `bytes of ${name}`;
  },
});

const folder = (name, children, bad) => ({
  kind: "directory",
  name,
  async *values() {
    yield* children;
    if (bad) throw denied();
  },
});

test("a folder with parts that cannot be read is opened without them, and they are counted", async () => {
  const children = [file("a.txt"), folder("closed", [file("first.txt")], true), file("bad.txt", true), file("z.txt")];
  const { opened, cut, unread } = await fromHandle(folder("top", children));
  assert.deepEqual(opened.get("top"), [
    ["top", null],
    ["top/a.txt", "bytes of a.txt"],
    ["top/closed", null],
    ["top/closed/first.txt", "bytes of first.txt"],
    ["top/z.txt", "bytes of z.txt"],
  ]);
  assert.deepEqual([cut, unread], [false, 2]);
});

test("a folder that cannot be read at all is an error", async () => {
  await assert.rejects(fromHandle(folder("top", [], true)), /it may not be read/);
});

const entry = (name, bad) => ({
  name,
  isDirectory: false,
  file: (resolve, reject) => (bad ? reject(denied()) : resolve(`bytes of ${name}`)),
});

const directoryEntry = (name, children, bad) => ({
  name,
  isDirectory: true,
  createReader() {
    const parts = [children, []];
    return { readEntries: (resolve, reject) => (bad ? reject(denied()) : resolve(parts.shift())) };
  },
});

test("a drop with parts that cannot be read is opened without them, and they are counted", async () => {
  const top = directoryEntry("top", [entry("a.txt"), directoryEntry("closed", [], true), entry("bad.txt", true), entry("z.txt")]);
  const items = [top, entry("alone.txt", true)].map((dropped) => ({ kind: "file", webkitGetAsEntry: () => dropped }));
  const { opened, unread } = await fromDrop({ items, files: [] });
  assert.deepEqual([...opened], [
    ["top", [["top", null], ["top/a.txt", "bytes of a.txt"], ["top/closed", null], ["top/z.txt", "bytes of z.txt"]]],
  ]);
  assert.equal(unread, 3);
});

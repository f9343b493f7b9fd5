// The declarations: their types, and that they say what the package has.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as omniread from "omniread";
import { exists, isBun, PROJECT, removeAtEnd } from "./files.mjs";

const require = createRequire(import.meta.url);
const PACKAGE = dirname(require.resolve("omniread/package.json"));
const declarations = readFileSync(join(PACKAGE, "lib/index.d.ts"), "utf8");

/** The program of a package of the tests. */
function program(name, file) {
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), file);
  } catch {
    return undefined;
  }
}

const compiler = program("typescript", "bin/tsc");
const skip = compiler === undefined || isBun ? "the compiler of TypeScript is not installed, or another run has checked" : false;

/** A directory with the sample programs. It is beside the tests, so that the compiler finds the packages that they find. */
let place;
before(() => {
  place = mkdtempSync(fileURLToPath(new URL("./compiled-", import.meta.url)));
  removeAtEnd(place);
  for (const name of ["sample.mts", "sample.cts"]) {
    copyFileSync(fileURLToPath(new URL(`./types/${name}`, import.meta.url)), join(place, name));
  }
});

function compile(...args) {
  const fixed = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--outDir", "out"];
  const done = spawnSync(process.execPath, [compiler, ...fixed, ...args], { cwd: place, encoding: "utf8" });
  assert.equal(done.status, 0, done.stdout + done.stderr);
}

test("a program has no type errors, and runs", { skip }, () => {
  compile("--module", "nodenext", "--target", "es2022", "--types", "node", "sample.mts", "sample.cts");
  const done = spawnSync(process.execPath, [join(place, "out/sample.mjs"), join(place, "files")], { encoding: "utf8" });
  assert.equal(done.stderr, "");
  assert.deepEqual(done.stdout.split("\n").slice(0, -1), [
    "hello",
    "null text text",
    "true",
    "same 0 true",
    "ENOENT not_found missing",
    "[ 'Read' ] [ 'a.txt' ]",
    "true true",
  ]);
});

test("the declarations need no other types, and no library of a browser", { skip }, () => {
  compile("--module", "nodenext", "--target", "es2022", "--lib", "es2022", "--types", "", "--noEmit", "sample.cts");
});

test("declarations have the names of the package", () => {
  const names = [...declarations.matchAll(/^export (?:class|function|const) (\w+)/gm)].map((match) => match[1]);
  const exported = Object.keys(omniread).filter((name) => name !== "default");
  assert.deepEqual([...new Set(names)].sort(), exported.sort());
});

/** The names that an interface or a class declares. */
function declared(kind, name) {
  const body = declarations.split(new RegExp(`^export ${kind} ${name}\\b[^{]*\\{\\n`, "m"))[1].split(/^\}/m)[0];
  const members = [...body.matchAll(/^ {2}(?:readonly |get |private )*([\w$]+)\??[(:]/gm)].map((match) => match[1]);
  return [...new Set(members)].filter((member) => member !== "constructor").sort();
}

test("declarations of classes have their members", () => {
  for (const name of ["Reader", "Session", "Reply"]) {
    const members = Object.getOwnPropertyNames(omniread[name].prototype).filter((member) => member !== "constructor");
    assert.deepEqual(declared("class", name), members.sort(), name);
  }
});

test("options and names are those of the library", () => {
  const options = [...Object.keys(omniread.OPTIONS), "lines", "stdin"].sort();
  assert.deepEqual(declared("interface", "ReplyOptions"), options);
  const union = (name) => [...declarations.split(`export type ${name} =`)[1].split(";")[0].matchAll(/"([^"]+)"/g)].map((it) => it[1]);
  assert.deepEqual(union("Dialect"), [...omniread.DIALECTS]);
  assert.deepEqual(union("Api"), [...omniread.APIS]);
  const { CLASSES } = require(join(PACKAGE, "lib/errors.js"));
  const reasons = union("Reason");
  assert.ok(Object.keys(CLASSES).every((reason) => reasons.includes(reason)));
  const page = join(PROJECT, "docs/reference/errors.md");
  if (exists(page)) {
    const text = readFileSync(page, "utf8");
    assert.deepEqual(reasons.filter((reason) => !text.includes(`\`${reason}\``)), []);
  }
});

test("the options of a reader are those that it takes", () => {
  assert.throws(
    () => new omniread.Reader(null, { no: 1 }),
    (error) => {
      const taken = error.message.split("the options are ")[1].split(", ").sort();
      assert.deepEqual(declared("interface", "ReaderOptions"), taken);
      return true;
    },
  );
});

test("everything public is documented", () => {
  const lines = declarations.split("\n");
  lines.forEach((line, at) => {
    const isPublic = /^export (?!type \{)/.test(line) || /^ {2}(?!\/\*\*| \*|private|constructor|\[|\)|\||toString|constructor)\S.*[;{]$/.test(line);
    const inShort = /^(interface|export interface (URLLike|SignalLike|Text|Changes))/;
    if (!isPublic || inShort.test(line)) return;
    const owner = lines.slice(0, at).findLast((each) => each.startsWith("export "));
    if (!line.startsWith("export") && (inShort.test(owner) || owner.startsWith("export type") || / code: "/.test(line))) return;
    if (lines[at - 1].trim().startsWith("/**") || lines[at - 1].trim().endsWith("*/")) return;
    assert.fail(`line ${at + 1} has no comment: ${line}`);
  });
});

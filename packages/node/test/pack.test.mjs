// The packages, and the program that writes them.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { exists, isBun, PROJECT, temporary } from "./files.mjs";

const require = createRequire(import.meta.url);

test("the compiled part has the licences of what it contains", () => {
  const { target } = require(join(dirname(require.resolve("omniread/package.json")), "lib/native.js"));
  const directory = dirname(require.resolve(`@omniread/${target()}`));
  const text = readFileSync(join(directory, "THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const name of ["napi", "omniread-reader", "sqlite", "wasmtime"]) assert.ok(text.includes(`\n${name} `), name);
  assert.ok(text.includes("Permission is hereby granted"));
  assert.ok(exists(join(directory, "LICENSE-MIT")) && exists(join(directory, "LICENSE-APACHE")));
});

function pack(...words) {
  return spawnSync(process.execPath, [join(PROJECT, "packages/node/pack.mjs"), ...words], { encoding: "utf8" });
}

/** A library and notices, as the program takes them, and a directory that it has not made. */
function inputs() {
  const directory = temporary();
  const [library, notices, mine] = ["library.so", "notices.txt", "mine"].map((name) => join(directory, name));
  writeFileSync(library, "code");
  writeFileSync(notices, "licences");
  mkdirSync(mine);
  writeFileSync(join(mine, "important.txt"), "");
  return { library, notices, mine, out: join(directory, "packages") };
}

test("wrong arguments change no file", { skip: isBun }, () => {
  const { library, notices, mine, out } = inputs();
  const pair = `linux-x64-gnu=${library}`;
  assert.equal(pack(out, pair, "--notices", notices).status, 0);
  const before = readdirSync(out);
  for (const [words, message] of [
    [[], "name a directory for the packages"],
    [[out, pair, "--notices"], "name a directory for the packages"],
    [[out, "linux-x64-gnu"], "`linux-x64-gnu` is not TARGET=LIBRARY: the targets are darwin-arm64, "],
    [[out, `plan9-x64=${library}`], "is not TARGET=LIBRARY"],
    [[out, pair, "linux-arm64-gnu="], "is not TARGET=LIBRARY"],
    [[out, pair, pair], "there are two libraries for linux-x64-gnu"],
    [[out, `linux-x64-gnu=${library}.missing`], `there is no file \`${library}.missing\`: build it first`],
    [[out, pair, "--notices", `${notices}.missing`], `there is no file \`${notices}.missing\``],
    [[mine, pair], "has files that this program did not write: name a new directory"],
    [[library, pair], "has files that this program did not write"],
  ]) {
    const { status, stderr } = pack(...words);
    assert.equal(status, 1, words.join(" "));
    assert.ok(stderr.startsWith("pack.mjs: ") && stderr.includes(message), stderr);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
  }
  assert.deepEqual(readdirSync(out), before);
  assert.deepEqual(readdirSync(mine), ["important.txt"]);
});

test("packed files have their licences, and packages of another system are replaced", { skip: isBun }, () => {
  const { library, notices, out } = inputs();
  assert.equal(pack(out, `linux-arm64-gnu=${library}`).status, 0);
  const { status, stdout, stderr } = pack(out, "--notices", notices, `linux-x64-gnu=${library}`);
  assert.equal(status, 0, stderr);
  const [part, main] = stdout.trim().split("\n");
  const members = (file) => execFileSync("tar", ["-tzf", file], { encoding: "utf8" }).trim().split("\n").sort();
  const documents = ["package/LICENSE-APACHE", "package/LICENSE-MIT", "package/README.md"];
  const expected = [...documents, "package/THIRD-PARTY-NOTICES.txt", "package/omniread.node", "package/package.json"];
  assert.deepEqual(members(part), expected.sort());
  assert.ok(members(main).includes("package/lib/index.js"));
  assert.ok(readdirSync(out).every((name) => !name.includes("arm64")));
});

// Tests of what the build refuses.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build, clear } from "../build.mjs";

test("a missing component is named, with the fix", async () => {
  const out = mkdtempSync(join(tmpdir(), "omniread-web-"));
  try {
    await assert.rejects(build(join(out, "missing.wasm"), join(out, "dist")), /no component at .*missing\.wasm: run `cargo build --release`/);
  } finally {
    rmSync(out, { recursive: true });
  }
});

/** The smallest component: it exports nothing. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0);

test("a component of another version is refused, and nothing is removed", async () => {
  const out = mkdtempSync(join(tmpdir(), "omniread-web-"));
  try {
    writeFileSync(join(out, "other.wasm"), EMPTY);
    await assert.rejects(build(join(out, "other.wasm"), out), /does not export omniread:read\/read@0\.1\.0/);
    assert.deepEqual(readdirSync(out), ["other.wasm"]);
  } finally {
    rmSync(out, { recursive: true });
  }
});

test("a file or a directory of the user is not removed, and an earlier build is", async () => {
  const out = mkdtempSync(join(tmpdir(), "omniread-web-"));
  try {
    const file = join(out, "index.html");
    writeFileSync(file, "mine\n");
    await assert.rejects(clear(file), /is not a directory that can be listed: ENOTDIR/);
    await assert.rejects(clear(out), /has other files/);
    assert.equal(readFileSync(file, "utf8"), "mine\n");
    await clear(join(out, "missing"));
    writeFileSync(join(out, ".nojekyll"), "");
    await clear(out);
    assert.equal(existsSync(out), false);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

// Tests of what the build refuses.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "../build.mjs";

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

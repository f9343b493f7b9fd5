#!/usr/bin/env node
// Compares a warm read of the package with the call of the library in Rust.
//
//     cargo build --release --package omniread-node --example warm
//     node packages/node/bench/warm.mjs target/release/examples/warm
//
// Both processes read in turns, so that the load of the machine is that of both. It prints the minimum and the median of
// all turns in microseconds, and fails if the minimum of `readSync` is more than half above that of Rust: a ratio, because
// the difference, which should be at most 25 microseconds, grows with the load. `read` wakes up another thread and then
// this one, which takes what the system needs for it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { Reader } from "omniread";

const TURNS = 10;
const READS = 400;
/** The reads of a turn that follow a pause, as those of an agent do: the caches of the processor are colder then. */
const APART = 40;
/** The pause in milliseconds. */
const PAUSE = 1;
/** The largest ratio of `readSync` to Rust. */
const MOST = 1.5;

const directory = mkdtempSync(join(tmpdir(), "omniread-warm-"));
const lines = Array.from({ length: 2000 }, (_, at) => `line ${at + 1} of a text\n`);
writeFileSync(join(directory, "notes.txt"), lines.join(""));
const path = "notes.txt:100-140";

async function turn(read) {
  const times = [];
  for (let at = 0; at < READS; at += 1) {
    const start = process.hrtime.bigint();
    await read();
    times.push(Number(process.hrtime.bigint() - start));
  }
  return times.sort((one, other) => one - other);
}

/** The same for reads that do not wait: without a promise. */
function turnSync(read) {
  const times = [];
  for (let at = 0; at < READS; at += 1) {
    const start = process.hrtime.bigint();
    read();
    times.push(Number(process.hrtime.bigint() - start));
  }
  return times.sort((one, other) => one - other);
}

/** Reads with a pause before each. */
async function turnApart(read) {
  const times = [];
  for (let at = 0; at < APART; at += 1) {
    await setTimeout(PAUSE);
    const start = process.hrtime.bigint();
    await read();
    times.push(Number(process.hrtime.bigint() - start));
  }
  return times.sort((one, other) => one - other);
}

const rust = spawn(process.argv[2], [directory, path, String(READS)], { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: rust.stdout });
const session = new Reader(directory).session();
const found = {};
const add = (name, times) => (found[name] ??= []).push(times);
for (let at = 0; at < TURNS; at += 1) {
  const line = once(answers, "line");
  rust.stdin.write("\n");
  add("Rust", (await line)[0].split(" ").map(Number));
  for (const [name, times] of [
    ["read", await turn(() => session.read(path))],
    ["read with the text", await turn(async () => (await session.read(path)).text)],
    ["readSync", turnSync(() => session.readSync(path))],
    ["readSync with the text", turnSync(() => session.readSync(path).text)],
    ["read after a pause", await turnApart(() => session.read(path))],
    ["readSync after a pause", await turnApart(async () => session.readSync(path))],
  ]) {
    add(name, [times[0], times[times.length / 2]]);
  }
}
rust.stdin.end();
rmSync(directory, { recursive: true });

const least = (name, at) => Math.min(...found[name].map((times) => times[at])) / 1000;
for (const name of Object.keys(found)) {
  console.log(`${name.padEnd(22)} minimum ${least(name, 0).toFixed(1).padStart(7)} us, median ${least(name, 1).toFixed(1).padStart(7)} us`);
}
const [waiting, blocking] = ["read", "readSync"].map((name) => least(name, 0) - least("Rust", 0));
console.log(`difference of the minimum: ${waiting.toFixed(1)} us, with readSync ${blocking.toFixed(1)} us`);
process.exitCode = Number(least("readSync", 0) > MOST * least("Rust", 0));

// Times of reads in Node with a fresh instance each: `node bench.mjs [--count 300] [PATH...]`.
//
// `shim` is the program of docs/embedding/javascript.md: preview2-shim, all core modules. `page` is what
// the page does: engines at their first call, its own WASI. `prepared` is the part of it that a read waits
// for if the instance was made after the read before.

import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { WASIShim } from "@bytecodealliance/preview2-shim/instantiation";
import { load, tree } from "./node.mjs";
import { fresh } from "./src/component.js";
import { wasi } from "./src/wasi.js";

const here = dirname(fileURLToPath(import.meta.url));
const project = resolve(here, "../..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "300" },
    dist: { type: "string", default: process.env.OMNIREAD_WEB_DIST ?? join(here, "dist") },
  },
});
const count = Number(values.count);
const paths = positionals.length
  ? positionals
  : ["LICENSE-MIT:1-3", "examples/app.db:users", "examples/sales.xlsx", "examples/manual.pdf:page:1", "examples/chart.svg:img"];

const before = performance.now();
const { instantiate, modules } = await load(resolve(values.dist));
console.log(`Node ${process.version}, ${modules.size} modules compiled in ${Math.round(performance.now() - before)} ms`);

const shim = new WASIShim({ sandbox: { preopens: { "/": project } } }).getImportObject();
const own = wasi(tree(project), (bytes) => process.stderr.write(bytes));
let inModules = 0;
const create = (module, imports) => {
  const started = performance.now();
  const instance = new WebAssembly.Instance(module, imports);
  inModules += performance.now() - started;
  return instance;
};
const ways = {
  shim: () => instantiate((name) => modules.get(name), shim, create),
  page: () => fresh(instantiate, modules, own),
};

const text = (value) => value.toFixed(2).padStart(9);
const least = (list) => Math.min(...list);
const median = (list) => [...list].sort((one, other) => one - other)[list.length >> 1];

console.log(`${count} reads each, milliseconds. CPU is that of the process, with its collector and compiler, per read.\n`);
console.log("path                         way    instance: min  modules     read: min  sum: min   median      CPU");
for (const path of paths) {
  // Alternating, so that other programs disturb both alike.
  const found = Object.fromEntries(Object.keys(ways).map((way) => [way, { made: [], read: [], sum: [], inside: [], cpu: 0 }]));
  for (let round = -20; round < count; round += 1) {
    for (const [way, make] of Object.entries(ways)) {
      inModules = 0;
      const cpu = process.cpuUsage();
      const started = performance.now();
      const { read } = make();
      const made = performance.now();
      const inside = inModules;
      read.read(`/${path}`);
      const done = performance.now();
      if (round < 0) continue;
      const { user, system } = process.cpuUsage(cpu);
      const times = found[way];
      times.cpu += (user + system) / 1000;
      times.made.push(made - started);
      times.read.push(done - made);
      times.sum.push(done - started);
      times.inside.push(inside);
    }
  }
  for (const [way, { made, read, sum, inside, cpu }] of Object.entries(found)) {
    const share = way === "shim" ? text(least(inside)) : "        -";
    const columns = [text(least(made)), share, text(least(read)), text(least(sum)), text(median(sum)), text(cpu / count)];
    console.log(`${path.padEnd(28)} ${way.padEnd(6)} ${columns.join(" ")}`);
  }
}
process.exit();

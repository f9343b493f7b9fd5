// Writes the page into a directory: `node build.mjs [--component FILE] [--out DIRECTORY]`.
//
// jco makes JavaScript and core modules of the portable component. Nothing else is generated.

import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { transpile } from "@bytecodealliance/jco-transpile";
import { zip } from "./zip.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const project = resolve(here, "../..");

/** The examples, each with what it shows, and the path that the page links. */
const EXAMPLES = [
  ["sales.xlsx", "workbook"],
  ["manual.pdf", "PDF", "manual.pdf:page:2"],
  ["manual.pdf", "page as image", "manual.pdf:page:1:img"],
  ["chart.svg", "picture", "chart.svg:img"],
  ["app.db", "SQLite"],
  ["orders.csv", "table", "orders.csv:?where=price>10"],
  ["letter.docx", "letter"],
  ["deck.pptx", "slides"],
  ["novel.epub", "e-book"],
  ["mail.eml", "mail", "mail.eml:"],
  ["ages.ipynb", "notebook"],
  ["manual.html", "web page", "manual.html:"],
  ["news.xml", "feed", "news.xml:"],
  ["app.sql", "text"],
];

/** The archive that is made of the examples. */
const ARCHIVE = "all.zip";

/** Orders of engines: those of common files are compiled first. */
const ORDER = ["pdf", "documents", "images", "sqlite"];

const ENGINE = /^omniread:parts\/(sqlite|images|documents|pdf)@|^(wasi:http)\/types@/;

/** An entry of the manifest. The exports of engines are listed, for reads before they are compiled. */
function described(name, bytes) {
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(bytes));
  const entry = { name, size: bytes.length };
  const engine = exports.map(({ name }) => ENGINE.exec(name)).find(Boolean);
  if (!engine) return entry;
  const other = exports.find(({ kind }) => kind !== "function" && kind !== "memory");
  if (other) throw new Error(`${name} exports a ${other.kind}, which cannot be deferred`);
  const order = ORDER.indexOf(engine[1]);
  return { ...entry, order: order < 0 ? ORDER.length : order, exports };
}

/** The files and imports of the component as jco generates them. */
async function generate(path) {
  await stat(path).catch(() => {
    throw new Error(`there is no component at ${path}: run \`cargo build --release\`, or pass --component`);
  });
  const generated = await transpile(path, {
    name: "omniread",
    instantiation: "sync",
    base64Cutoff: 0,
    emitTypescriptDeclarations: false,
    minify: true,
    // Failures are thrown as errors with the field `payload`, so that they differ from defects.
    noComponentErrorWrapping: false,
  });
  const network = generated.imports.filter((name) => /^wasi:(sockets|http)/.test(name));
  if (network.length) throw new Error(`the component imports ${network.join(", ")}: take omniread-full.wasm`);
  if (!generated.exports.some(([name]) => name === "omniread:read/read@0.1.0")) {
    throw new Error(`${path} does not export omniread:read/read@0.1.0: it is of another version`);
  }
  return generated.files;
}

async function component(files, out) {
  const modules = [];
  for (const [file, bytes] of Object.entries(files)) {
    if (file.endsWith(".d.ts")) continue;
    await writeFile(join(out, file), bytes);
    if (file.endsWith(".wasm")) modules.push(described(file, bytes));
  }
  return modules;
}

async function examples(out) {
  const names = [...new Set(EXAMPLES.map(([name]) => name))];
  const members = [];
  for (const name of names) {
    const bytes = await readFile(join(project, "examples", name));
    await writeFile(join(out, name), bytes);
    members.push([name.includes(".db") || name.endsWith("sql") ? `data/${name}` : name, bytes]);
  }
  await writeFile(join(out, ARCHIVE), zip(members));
  const listed = EXAMPLES.map(([name, title, path]) => ({ name, title, path }));
  return [...listed, { name: ARCHIVE, title: "archive" }];
}

/** Removes an earlier build, and nothing else. */
export async function clear(out) {
  const names = await readdir(out).catch((error) => {
    if (error.code === "ENOENT") return [];
    // Such as a file of that name.
    throw new Error(`${out} is not a directory that can be listed: ${error.code}`);
  });
  if (names.length && !(names.includes("index.html") && names.includes(".nojekyll"))) {
    throw new Error(`${out} has other files: pass an empty directory with --out`);
  }
  await rm(out, { recursive: true, force: true });
}

/** Twelve hex digits of a hash of all that the page consists of. */
async function version(files, sources) {
  const hash = createHash("sha256");
  for (const [name, bytes] of Object.entries(files)) hash.update(name).update(bytes);
  for (const name of sources) hash.update(name).update(await readFile(join(here, "src", name)));
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  return hash.digest("hex").slice(0, 12);
}

export async function build(from, out) {
  const files = await generate(from);
  await clear(out);
  const sources = (await readdir(join(here, "src"))).sort();
  // A directory for each version, so that a browser never mixes files of two of them.
  const name = await version(files, sources);
  const assets = join(out, name);
  await mkdir(join(assets, "component"), { recursive: true });
  await mkdir(join(assets, "examples"));
  for (const source of sources) {
    if (source !== "index.html") await cp(join(here, "src", source), join(assets, source));
  }
  for (const table of ["three.bin", "six.bin"]) {
    await cp(join(project, "guest/tokens/src", table), join(assets, table));
  }
  const modules = await component(files, join(assets, "component"));
  const manifest = { modules, examples: await examples(join(assets, "examples")) };
  await writeFile(join(assets, "manifest.json"), `${JSON.stringify(manifest)}\n`);
  const page = await readFile(join(here, "src/index.html"), "utf8");
  await writeFile(join(out, "index.html"), page.replace(/(href|src)="(icon\.svg|style\.css|app\.js)"/g, `$1="${name}/$2"`));
  // GitHub Pages would process the files otherwise.
  await writeFile(join(out, ".nojekyll"), "");
  return manifest;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.env.CARGO_TARGET_DIR ?? join(project, "target");
  const { values } = parseArgs({
    options: {
      component: { type: "string", default: join(target, "dist/omniread-full.wasm") },
      out: { type: "string", default: join(here, "dist") },
    },
  });
  try {
    const { modules } = await build(resolve(values.component), resolve(values.out));
    const size = modules.reduce((sum, module) => sum + module.size, 0);
    const first = modules.filter(({ exports }) => !exports).reduce((sum, module) => sum + module.size, 0);
    console.log(`${values.out}: ${modules.length} modules, ${(size / 1e6).toFixed(1)} MB`);
    console.log(`the first read needs ${(first / 1e6).toFixed(1)} MB of them`);
  } catch (error) {
    console.error(`build.mjs: ${error.message}`);
    process.exitCode = 1;
  }
}

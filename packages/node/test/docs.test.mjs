// The programs of the documentation.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, test } from "node:test";
import { exists, output, png, PROJECT, temporary } from "./files.mjs";

const PAGE = join(PROJECT, "docs/embedding/node.md");
const README = join(PROJECT, "packages/node/README.md");
const require = createRequire(import.meta.url);
const skip = !exists(PAGE) && "this is not a checkout of the project";

/** The directory with the files of the examples. */
let example;
before(() => {
  example = temporary();
  mkdirSync(join(example, "project/src"), { recursive: true });
  if (skip) return;
  copyFileSync(join(PROJECT, "examples/manual.pdf"), join(example, "report.pdf"));
  const lines = Array.from({ length: 2000 }, (_, at) => `print(${at});\n`);
  writeFileSync(join(example, "project/src/main.js"), lines.join(""));
  writeFileSync(join(example, "project/logo.png"), png(8, 4));
});

/** The blocks of JavaScript of a page. The manual has fewer pages than the report. */
function programs(page) {
  const blocks = [...readFileSync(page, "utf8").matchAll(/```js\n(.*?)```/gs)];
  return blocks.map((block) => block[1].replace("page:3", "page:1"));
}

/** Runs a program in the directory of the examples. */
function run(program) {
  return output(`process.chdir(${JSON.stringify(example)});\nawait main();\nasync function main() {\n${imported(program)}\n}`);
}

/** The program as the body of a function, so that it runs after the change of the directory. */
function imported(program) {
  return program.replace(/^import (\{.*\}) from "omniread";$/gm, 'const $1 = await import("omniread");');
}

test("the programs of the page run", { skip }, async () => {
  const [read, tools] = programs(PAGE);
  assert.ok((await run(read)).includes("print(1999)"));
  const head = 'import { Reader } from "omniread";\nconst reader = new Reader("project");\nconst session = reader.session();\n';
  const [missing, found] = ["missing", "src/main.js"].map((name) => JSON.stringify(join(example, "project", name)));
  const calls = `console.log(JSON.stringify([await run("Read", { file_path: ${missing} }), await run("Read", { file_path: ${found} })]));`;
  const results = JSON.parse(await run(`${head}${tools}${calls}`));
  assert.deepEqual(results.map((result) => result.is_error), [true, false]);
  assert.ok(results[1].content.includes("print(0)"));
});

test("the program of the README runs", { skip }, async () => {
  const [program] = programs(README);
  const out = await run(program);
  assert.match(out, /image\/png \d+ 8 4\n/);
  assert.match(out, /Read EACCES /);
});

test("the page has the table of errors", { skip }, () => {
  const text = readFileSync(PAGE, "utf8");
  const { CLASSES, readError } = require("../node_modules/omniread/lib/errors.js");
  for (const [reason, kind] of Object.entries(CLASSES)) {
    const row = text.split("\n").find((line) => line.startsWith(`| \`${kind.prototype.constructor.name}\` |`));
    assert.ok(row?.includes(`\`${reason}\``), reason);
    const facts = { kind: reason, message: "", error: { kind: "refused" } };
    const { code } = readError({ error: facts, structured: {}, text: "" });
    assert.ok(code.startsWith("ERR_OMNIREAD_") ? row.includes("| |") : row.includes(`\`${code}\``), row);
  }
});

test("the page names every option of a reader", { skip }, () => {
  const { SETTINGS } = require("../node_modules/omniread/lib/arguments.js");
  const text = readFileSync(PAGE, "utf8");
  assert.deepEqual(Object.keys(SETTINGS).filter((name) => !text.includes(`\`${name}\``)), []);
});

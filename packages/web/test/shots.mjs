// Writes screenshots of the page: `node test/shots.mjs DIRECTORY`.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, open, read, shown, start } from "./browser.mjs";
import { make } from "./inputs.mjs";

const SHOTS = [
  ["start", "examples"],
  ["text", "wasi.js"],
  ["pdf", "examples/manual.pdf"],
  ["pdf-image", "examples/manual.pdf:page:1:img"],
  ["workbook", "examples/sales.xlsx"],
  ["picture", "hills.png"],
  ["archive", "examples/all.zip"],
  ["log", "large.log"],
  ["outline", "outline.md"],
  ["missing", "examples/manuel.pdf"],
];

const out = process.argv[2];
if (!out) {
  console.error("usage: node test/shots.mjs DIRECTORY");
  process.exit(2);
}
mkdirSync(out, { recursive: true });
const directory = mkdtempSync(join(tmpdir(), "omniread-web-"));
const server = await start();
const browser = await launch();
try {
  make(directory);
  const { page } = await open(browser, server);
  await shown(page, "examples");
  const opened = ["hills.png", "large.log", "outline.md"].map((name) => join(directory, name));
  opened.push(fileURLToPath(new URL("../src/wasi.js", import.meta.url)));
  await (await page.$("#file-input")).uploadFile(...opened);
  await shown(page, ".");
  await (await page.$("#folder-input")).uploadFile(join(directory, "project"));
  await shown(page, "project");
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    for (const [name, path] of SHOTS) {
      await read(page, path);
      // An image is drawn after the reply.
      await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
      await page.evaluate(() => document.activeElement.blur());
      await page.screenshot({ path: join(out, `${name}-${scheme}.png`) });
    }
  }
  await page.setViewport({ width: 390, height: 844, deviceScaleFactor: 2 });
  await read(page, "examples/manual.pdf:page:2");
  await page.screenshot({ path: join(out, "narrow-dark.png") });
  console.log(`wrote ${2 * SHOTS.length + 1} images to ${out}`);
} finally {
  await browser.close();
  server.close();
  rmSync(directory, { recursive: true, force: true });
}

// The page in Firefox: a few reads, if Firefox is installed.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import puppeteer from "puppeteer-core";
import { read, shown, start, text } from "./browser.mjs";

const firefox = [process.env.FIREFOX, "/usr/bin/firefox", "/usr/bin/firefox-esr"].find((path) => path && existsSync(path));

test("Firefox reads the same", { skip: !firefox && "there is no Firefox" }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "omniread-web-"));
  const server = await start();
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, protocolTimeout: 300_000 });
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await shown(page, "examples");
    await read(page, "examples/all.zip:data/app.db:users");
    assert.match(await text(page), /\|1\|Ada\|36\|/);
    await read(page, "examples/sales.xlsx:Sales");
    assert.match(await text(page), /899\.50 EUR/);
    await read(page, "examples/manual.pdf:page:1:img");
    await page.waitForFunction(() => document.querySelector("#reply img").naturalWidth === 1109);
    writeFileSync(join(directory, "own.txt"), "one\ntwo\n");
    await (await page.$("#file-input")).uploadFile(join(directory, "own.txt"));
    await shown(page, "own.txt");
    assert.match(await text(page), /2:two/);
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    server.close();
    rmSync(directory, { recursive: true });
  }
});

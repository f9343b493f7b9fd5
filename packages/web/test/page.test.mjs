// Tests of the page in Chromium: `npm run build && npm test`.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assets } from "../node.mjs";
import { chromium, dist, launch, links, open, read, shown, start, text, texts } from "./browser.mjs";
import { LOG_BYTES, make } from "./inputs.mjs";

let browser;
let server;
let page;
let problems;
let requested;
let address;
const directory = mkdtempSync(join(tmpdir(), "omniread-web-"));
const input = (name) => join(directory, name);

before(async () => {
  assert.ok(chromium, "there is no Chromium: install it, or set CHROMIUM");
  make(directory);
  server = await start();
  browser = await launch();
  ({ page, problems, requested, address } = await open(browser, server));
  await shown(page, "examples");
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(directory, { recursive: true, force: true });
});

const facts = () => page.$eval(".facts", (list) => list.innerText.replaceAll("\n", " | "));
const status = () => page.$eval("#status", (line) => line.textContent);
const hash = () => page.evaluate(() => decodeURIComponent(location.hash.slice(1)));

async function choose(...names) {
  await page.evaluate(() => delete document.getElementById("reply").dataset.path);
  const chooser = await page.$("#file-input");
  await chooser.uploadFile(...names.map(input));
}

/** The bytes of memory that the facts of a reply state. */
async function memory() {
  const [, value, unit] = /([\d.]+) (\w+) of memory/.exec(await facts());
  return Number(value) * { kB: 1e3, MB: 1e6, GB: 1e9 }[unit];
}

test("the examples are listed at the start", async () => {
  assert.match(await text(page), /^\.\n(  - .*\n)*  - sales\.xlsx +2\.7KB/);
  assert.ok((await links(page)).includes("examples/sales.xlsx"));
  assert.equal(await hash(), "examples");
  assert.equal(await status(), "");
});

test("a text has lines, a range and what follows", async () => {
  await choose("long.txt");
  await shown(page, "long.txt");
  await read(page, "long.txt:10-12");
  assert.match(await text(page), /^\[long\.txt#[0-9A-F]{4}\]\n9:line 9\n10:line 10\n/);
  await read(page, "long.txt:1-");
  assert.match(await facts(), /lines 1 to 300 of 700/);
  const { length } = await text(page);
  assert.match(await facts(), new RegExp(`${length.toLocaleString("en")} characters`));
  assert.deepEqual(await links(page), ["long.txt:301"]);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("n");
  await shown(page, "long.txt:301");
  assert.match(await text(page), /\n301:line 301\n/);
  assert.equal(await hash(), "long.txt:301");
});

test("back and forward read the paths of the address bar", async () => {
  await read(page, "long.txt:1-2");
  await read(page, "long.txt:5-6");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Backspace");
  await shown(page, "long.txt:1-2");
  assert.equal(await page.$eval("#path", ({ value }) => value), "long.txt:1-2");
  await page.click("#forward");
  await shown(page, "long.txt:5-6");
});

test("keys focus the path and read it", async () => {
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "path");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  assert.equal(await page.evaluate(() => document.activeElement.id), "path");
  await page.keyboard.type("examples/app.sql:1-1");
  await page.keyboard.press("Enter");
  await shown(page, "examples/app.sql:1-1");
});

test("a member of an archive is read by its link", async () => {
  await read(page, "examples/all.zip");
  assert.ok((await links(page)).includes("examples/all.zip:manual.pdf"));
  await page.click('#reply a[href="#examples/all.zip:data/"]');
  await shown(page, "examples/all.zip:data/");
  await page.click('#reply a[href="#examples/all.zip:data/app.db"]');
  await shown(page, "examples/all.zip:data/app.db");
  await page.click('#reply a[href="#examples/all.zip:data/app.db:users"]');
  await shown(page, "examples/all.zip:data/app.db:users");
  assert.match(await text(page), /\|1\|Ada\|36\|/);
  assert.match(await facts(), /with sqlite/);
});

test("a table of a database has links to its rows", async () => {
  await read(page, "examples/app.db");
  assert.deepEqual(await links(page), ["examples/app.db:adults", "examples/app.db:notes", "examples/app.db:users"]);
  await read(page, "examples/app.db:users");
  assert.deepEqual(await links(page), ["examples/app.db:users?limit=20&offset=5"]);
  await page.click("#reply .block a");
  await shown(page, "examples/app.db:users?limit=20&offset=5");
});

test("a workbook has links to its sheets", async () => {
  await read(page, "examples/sales.xlsx");
  assert.deepEqual(await links(page), ["examples/sales.xlsx:Sales", "examples/sales.xlsx:Rates"]);
  await read(page, "examples/sales.xlsx:Sales:B4:C5");
  assert.match(await text(page), /899\.50|12/);
});

test("a page of a PDF is text, and an image of its size", async () => {
  await read(page, "examples/manual.pdf");
  const parts = await page.$$eval(".outline a", (found) => found.map(({ textContent }) => textContent));
  assert.deepEqual(parts, ["page 1", "page 2", "page 3"]);
  await page.click('.outline a[href$=":page:2"]');
  await shown(page, "examples/manual.pdf:page:2");
  assert.match(await text(page), /\|Bulb\|B-12\|4\.50 EUR\|/);
  await page.click('.outline a[href$=":page:2:img"]');
  await shown(page, "examples/manual.pdf:page:2:img");
  await read(page, "examples/manual.pdf:page:1:img");
  await page.waitForFunction(() => document.querySelector("#reply img").naturalWidth > 0);
  assert.equal(await page.$eval("#reply img", ({ naturalWidth }) => naturalWidth), 1109);
  assert.match(await page.$eval("figcaption", ({ textContent }) => textContent), /1,109 × 1,568 pixels/);
  assert.match(await facts(), /2,240 for images/);
  await page.click("#reply .block a");
  await shown(page, "examples/manual.pdf:page:1:img:half");
});

test("a picture is shown with its caption", async () => {
  await read(page, "examples/chart.svg:img");
  await page.waitForFunction(() => document.querySelector("#reply img").naturalWidth === 512);
  assert.match(await page.$eval("figcaption", ({ textContent }) => textContent), /^image\/webp · 512 × 288 pixels/);
});

test("a dialect changes the reply, and passes a PDF on", async () => {
  await page.select("#dialect", "gateway");
  await read(page, "examples/manual.pdf");
  assert.match(await page.$eval("#reply", (reply) => reply.innerText), /Passed to the model unchanged: manual\.pdf · application\/pdf/);
  await page.select("#dialect", "claude");
  await read(page, "examples/app.sql");
  assert.match(await text(page), /^ {5}1\t/);
  await page.select("#dialect", "omp");
  await shown(page, "examples/app.sql");
});

test("a text is shown exactly, and is not parsed as HTML", async () => {
  await choose("markup.txt", "odd: name #1.txt");
  await shown(page, ".");
  await read(page, "markup.txt:raw");
  assert.equal((await texts(page)).join(""), readFileSync(input("markup.txt"), "utf8"));
  assert.doesNotMatch(await page.title(), /broken/);
});

test("a name with a colon and a number sign is opened by its link", async () => {
  await page.click('#files a[title*="odd"]');
  await shown(page, "odd\\: name #1.txt");
  assert.match(await text(page), /1:odd/);
});

test("an unknown path names similar ones, with links", async () => {
  await read(page, "examples/manuel.pdf");
  assert.match(await text(page), /not found\nhint: similar names: `examples\/manual\.pdf`/);
  assert.deepEqual(await links(page), ["examples/manual.pdf"]);
  assert.match(await facts(), /failure: not found/);
});

test("a path out of the files is refused", async () => {
  for (const path of ["../../etc/passwd", "/etc/passwd", "examples/../../etc/passwd"]) {
    await read(page, path);
    assert.match(await facts(), /^failure: not found \|/);
    assert.equal(await text(page), `Path '${path}' not found`);
  }
});

test("a folder is opened with its files and its empty folders", async () => {
  await page.evaluate(() => delete document.getElementById("reply").dataset.path);
  await (await page.$("#folder-input")).uploadFile(input("project"));
  await shown(page, "project");
  assert.match(await text(page), /README\.md/);
  assert.ok((await links(page)).includes("project/src/main.rs"));
  await read(page, "main.rs");
  assert.match(await text(page), /project\/src\/main\.rs/);
  assert.match(await page.$eval("#files", ({ innerText }) => innerText), /project\/\s*3 files/);
});

test("dropped files and folders are opened", async () => {
  await page.evaluate(() => delete document.getElementById("reply").dataset.path);
  const session = await page.createCDPSession();
  const data = { items: [], files: [input("long.txt"), input("project")], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await session.send("Input.dispatchDragEvent", { type, x: 500, y: 400, data });
  }
  await shown(page, ".");
  assert.match(await text(page), /  - project\//);
  await read(page, "project/src/deep/data.json");
  assert.match(await text(page), /"name": "deep"/);
  await read(page, "project/empty");
  assert.match(await facts(), /^directory/);
  assert.equal(await page.$eval("#drop", ({ hidden }) => hidden), true);
});

test("a folder of showDirectoryPicker is listed", async () => {
  const listed = await page.evaluate(async () => {
    const { fromHandle } = await import(new URL("files.js", document.querySelector("script[src]").src));
    const top = await (await navigator.storage.getDirectory()).getDirectoryHandle("picked", { create: true });
    const below = await top.getDirectoryHandle("below", { create: true });
    await top.getDirectoryHandle("empty", { create: true });
    await below.getFileHandle("a.txt", { create: true });
    const { opened, cut } = await fromHandle(top);
    return { cut, paths: opened.get("picked").map(([path, blob]) => [path, blob !== null]).sort() };
  });
  const paths = [["picked", false], ["picked/below", false], ["picked/below/a.txt", true], ["picked/empty", false]];
  assert.deepEqual(listed, { cut: false, paths });
});

const opened = () => page.$eval("#opened", ({ textContent }) => textContent);

test("a folder whose subfolder cannot be read is opened, and a note says it", async () => {
  await page.evaluate(() => {
    delete document.getElementById("reply").dataset.path;
    const file = { kind: "file", name: "a.txt", getFile: async () => new File(["one\n"], "a.txt") };
    const closed = {
      kind: "directory",
      name: "closed",
      values: async function* () {
        throw new DOMException("no", "NotReadableError");
      },
    };
    window.showDirectoryPicker = async () => ({ kind: "directory", name: "partly", values: async function* () { yield* [closed, file]; } });
  });
  await page.click("#open-folder");
  await shown(page, "partly");
  assert.match(await text(page), /a\.txt/);
  assert.equal(await opened(), "1 file or folder could not be read.");
  // The note does not end with a read.
  await read(page, "partly/a.txt");
  assert.match(await text(page), /1:one/);
  assert.equal(await opened(), "1 file or folder could not be read.");
  await page.evaluate(() => {
    window.showDirectoryPicker = async () => ({ kind: "directory", name: "none", values: async function* () { throw new Error("the disk is gone"); } });
  });
  await page.click("#open-folder");
  await page.waitForFunction(() => document.getElementById("status").textContent === "Cannot open it: the disk is gone");
  await page.click('#files button[aria-label="Close partly"]');
  assert.equal(await opened(), "");
});

test("a folder named examples hides those of the page until it is closed", async () => {
  mkdirSync(input("examples"));
  writeFileSync(input("examples/own.txt"), "own\n");
  await page.evaluate(() => delete document.getElementById("reply").dataset.path);
  await (await page.$("#folder-input")).uploadFile(input("examples"));
  await shown(page, "examples");
  assert.equal(await opened(), "The examples of this page are hidden until you close yours.");
  assert.deepEqual(await links(page), ["examples/own.txt"]);
  assert.equal(await page.$eval("#examples-section", ({ hidden }) => hidden), true);
  await page.click('#files button[aria-label="Close examples"]');
  assert.equal(await opened(), "");
  assert.equal(await page.$eval("#examples-section", ({ hidden }) => hidden), false);
  await read(page, "examples");
  assert.ok((await links(page)).includes("examples/app.sql"));
  await read(page, "examples/own.txt");
  assert.match(await facts(), /^failure: not found/);
});

const focused = () => page.evaluate(() => document.activeElement.id);

test("the focus stays at the button and at what is next, and goes from a link to the reply", async () => {
  await read(page, "long.txt:1-3");
  assert.equal(await focused(), "path");
  await page.evaluate(() => delete document.getElementById("reply").dataset.path);
  await page.focus("#read");
  await page.keyboard.press("Enter");
  await shown(page, "long.txt:1-3");
  assert.equal(await focused(), "read");
  assert.equal(await page.$eval("#read", ({ textContent }) => textContent), "Read");
  await read(page, "long.txt:1-");
  await page.focus("#next");
  await page.keyboard.press("Enter");
  await shown(page, "long.txt:301");
  assert.equal(await focused(), "next");
  await page.keyboard.press("Enter");
  await shown(page, "long.txt:601");
  assert.equal(await focused(), "reply-heading");
  await read(page, "long.txt:1-");
  for (const [from, path] of [["#reply .block a", "long.txt:301"], ['#history a[href="#examples"]', "examples"], ['#reply a[href="#examples/ages.ipynb"]', "examples/ages.ipynb"]]) {
    await page.focus(from);
    await page.keyboard.press("Enter");
    await shown(page, path);
    assert.equal(await focused(), "reply-heading", from);
  }
});

test("single keys can be turned off, and stay off", async () => {
  await read(page, "long.txt:1-");
  const press = async (key) => {
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(key);
  };
  await page.click("#shortcuts");
  for (const key of ["/", "n", "Backspace"]) await press(key);
  // Other keys work. If one of these had, the hash would have changed by now.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  assert.equal(await focused(), "");
  assert.equal(await hash(), "long.txt:1-");
  assert.equal(await page.evaluate(() => localStorage.getItem("omniread.shortcuts")), "false");
  await page.click("#shortcuts");
  await press("/");
  assert.equal(await focused(), "path");
});

test("a copy is announced, also one that the browser refuses", async () => {
  await read(page, "long.txt:1-1");
  for (const [refused, title] of [[false, "Copied"], [true, "Not copied"]]) {
    await page.evaluate((refused) => {
      navigator.clipboard.writeText = async (text) => {
        if (refused) throw new DOMException("no", "NotAllowedError");
        window.copied = text;
      };
      document.querySelector("button.copy").click();
    }, refused);
    await page.waitForFunction((title) => document.querySelector("button.copy").textContent === title, {}, title);
    const said = await page.$eval("#announcement", ({ textContent }) => textContent);
    assert.equal(said, refused ? "The browser did not copy the text." : "Copied");
  }
  assert.equal(await page.evaluate(() => window.copied), await text(page));
});

test("a file that is closed is not read any more", async () => {
  await choose("markup.txt");
  await shown(page, "markup.txt");
  await page.click('#files button[aria-label="Close markup.txt"]');
  await read(page, "markup.txt");
  assert.match(await facts(), /failure: not found/);
});

test("a file that changed after it was opened is not read", async () => {
  writeFileSync(input("changing.txt"), "one\n");
  await choose("changing.txt");
  await shown(page, "changing.txt");
  // The browser compares the times in whole milliseconds or seconds.
  writeFileSync(input("changing.txt"), "one\ntwo\n");
  utimesSync(input("changing.txt"), new Date(), new Date(Date.now() + 5000));
  await read(page, "changing.txt:1-");
  assert.match(await facts(), /failure: io/);
  assert.match(await page.$eval("#reply", ({ innerText }) => innerText), /open it again/);
  await choose("changing.txt");
  await shown(page, "changing.txt");
  assert.match(await text(page), /2:two/);
});

test("a deep archive fails at the limit, and the next read works", async () => {
  await choose("deep.zip", "bomb.gz");
  await shown(page, ".");
  await read(page, "deep.zip:level2.zip:level3.zip:level4.zip");
  assert.match(await text(page), /level5\.zip/);
  await read(page, "deep.zip:level2.zip:level3.zip:level4.zip:level5.zip");
  assert.match(await facts(), /^failure: limit/);
  assert.match(await text(page), /is nested in more than 4 archives/);
  await read(page, "bomb.gz");
  assert.match(await text(page), /^\[Cannot read binary file 'bomb\.gz'/);
  assert.ok((await memory()) < 64e6);
  await read(page, "examples/app.sql");
  assert.match(await text(page), /create table/i);
});

/** The memory of all processes of the browser that show pages, in bytes. */
async function rendererMemory() {
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const sizes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, "utf8"));
    return Number(kilobytes) * 1024;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

test("a log of 100 MB and an archive of 1 GB are not copied to memory", async (context) => {
  const before = await rendererMemory();
  await choose("large.log", "large.zip");
  await shown(page, ".");
  await read(page, "large.log");
  assert.match(await text(page), /ERROR request 777 failed/);
  assert.ok((await links(page)).length > 0);
  let most = await memory();
  for (const path of ["large.log:-20", "large.log:1000000", "large.zip", "large.zip:notes.txt"]) {
    await read(page, path);
    most = Math.max(most, await memory());
  }
  assert.match(await text(page), /^one\ntwo/);
  const grown = (await rendererMemory()) - before;
  context.diagnostic(`memory of an instance: at most ${(most / 1e6).toFixed(1)} MB; the process grew by ${(grown / 1e6).toFixed(1)} MB`);
  assert.ok(most < 0.3 * LOG_BYTES, `${most} bytes of memory`);
  // The heap of JavaScript grows by the tests before.
  if (process.platform === "linux") assert.ok(grown < LOG_BYTES, `the process grew by ${grown} bytes`);
});

const SLOW = "large.csv:?q=select name, value, max(id || name) from data group by name, value order by 3 limit 3";

test("a read is cancelled with Esc, and the next one works", async () => {
  await choose("large.csv");
  await shown(page, "large.csv");
  await page.evaluate((path) => {
    delete document.getElementById("reply").dataset.path;
    document.getElementById("path").value = path;
  }, SLOW);
  await page.focus("#path");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#main[aria-busy=true]");
  assert.equal(await page.$eval("#main", (main) => main.getAttribute("aria-busy")), "true");
  await new Promise((resolve) => setTimeout(resolve, 300));
  await page.keyboard.press("Escape");
  await shown(page, SLOW);
  assert.match(await facts(), /failure: cancelled/);
  await read(page, "long.txt:1-1");
  assert.match(await text(page), /1:line 1/);
});

test("a read is cancelled with the button that begins it, which keeps the focus", async () => {
  await page.evaluate((path) => {
    delete document.getElementById("reply").dataset.path;
    document.getElementById("path").value = path;
  }, SLOW);
  await page.focus("#read");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("read").textContent === "Cancel");
  assert.equal(await focused(), "read");
  await page.keyboard.press("Enter");
  await shown(page, SLOW);
  assert.match(await facts(), /failure: cancelled/);
  assert.equal(await focused(), "read");
});

test("a read that takes too long is ended", async () => {
  await page.select("#limit", "1000");
  await read(page, SLOW);
  assert.match(await facts(), /failure: limit/);
  assert.match(await text(page), /1 s|1000/);
  await page.select("#limit", "20000");
  await read(page, "long.txt:1-1");
  assert.match(await text(page), /1:line 1/);
});

test("the time limit does not include the start of a worker", async () => {
  const other = await browser.createBrowserContext();
  try {
    const created = await other.newPage();
    await created.evaluateOnNewDocument(() => {
      const Original = Worker;
      window.Worker = class extends Original {
        #wait = window.slow ? new Promise((resolve) => setTimeout(resolve, 2000)) : null;

        postMessage(...values) {
          if (this.#wait) this.#wait.then(() => super.postMessage(...values));
          else super.postMessage(...values);
        }
      };
    });
    await created.goto(address);
    await shown(created, "examples");
    await (await created.$("#file-input")).uploadFile(input("large.csv"));
    await shown(created, "large.csv");
    await created.select("#limit", "1000");
    // A read that replaces another has a new worker.
    const replace = async (path) => {
      await created.evaluate((path) => (location.hash = encodeURI(path)), SLOW);
      await created.waitForSelector("#main[aria-busy=true]");
      await created.evaluate(() => (window.slow = true));
      await read(created, path);
    };
    await replace("examples/app.sql");
    assert.match(await text(created), /create table/i);
    await replace(SLOW.replace("limit 3", "limit 4"));
    assert.match(await created.$eval(".facts", ({ innerText }) => innerText), /failure: limit/);
    const [, milliseconds] = /"elapsed": (\d+)/.exec(await created.$eval("#reply .data", ({ textContent }) => textContent));
    assert.ok(milliseconds >= 1000 && milliseconds < 2000, milliseconds);
  } finally {
    await other.close();
  }
});

test("a new read replaces one that is running", async () => {
  await page.evaluate((path) => (location.hash = encodeURI(path)), SLOW);
  await page.waitForSelector("#main[aria-busy=true]");
  await read(page, "long.txt:3-3");
  assert.match(await text(page), /3:line 3/);
  assert.equal(await page.$eval("#main", (main) => main.getAttribute("aria-busy")), "false");
});

/** Waits until the page waits for the end of its worker. */
const watched = (page) => page.waitForFunction(async () => (await navigator.locks.query()).pending.length > 0);

test("a worker that is closed during a read gives a message", async () => {
  const other = await browser.createBrowserContext();
  try {
    const created = await other.newPage();
    await created.evaluateOnNewDocument(() => {
      const Original = Worker;
      window.started = [];
      window.Worker = class extends Original {
        constructor(...values) {
          super(...values);
          window.started.push(this);
        }
      };
    });
    await created.goto(address);
    await shown(created, "examples");
    await (await created.$("#file-input")).uploadFile(input("large.csv"));
    await shown(created, "large.csv");
    await created.evaluate((path) => (location.hash = encodeURI(path)), SLOW);
    await created.waitForSelector("#main[aria-busy=true]");
    await new Promise((resolve) => setTimeout(resolve, 300));
    await watched(created);
    await created.evaluate(() => window.started.at(-1).terminate());
    await shown(created, SLOW, 10_000);
    assert.match(await text(created), /the worker ended/);
    await read(created, "examples/app.sql");
    assert.match(await text(created), /create table/i);
  } finally {
    await other.close();
  }
});

/** Bytes that a read may leave: an instance has more. */
const MOST_KEPT = 300_000;

/** Ends what the collectors of the page and of its worker can end. */
async function collect() {
  const sessions = [await page.createCDPSession(), ...page.workers().map(({ client }) => client)];
  for (const session of sessions) await session.send("HeapProfiler.collectGarbage");
  await sessions[0].detach();
}

test("many reads do not use more memory each", async (context) => {
  const some = async () => {
    for (let count = 0; count < 100; count += 1) await read(page, `long.txt:${count + 1}-${count + 2}`);
    await collect();
    return rendererMemory();
  };
  // The first ones fill caches.
  const before = await some();
  const started = performance.now();
  const grown = (await some()) - before;
  const each = (performance.now() - started) / 100;
  context.diagnostic(`100 reads: ${each.toFixed(1)} ms each with the test, the process grew by ${(grown / 1e6).toFixed(1)} MB`);
  assert.ok((await memory()) < 10e6);
  if (process.platform === "linux") assert.ok(grown < 100 * MOST_KEPT, `the process grew by ${grown} bytes`);
});

test("the theme is that of the system until it is chosen", async () => {
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  assert.equal(await back(), "rgb(20, 24, 29)");
  await page.click("#theme");
  assert.equal(await back(), "rgb(255, 255, 255)");
  await page.click("#theme");
  assert.equal(await back(), "rgb(20, 24, 29)");
  await page.click("#theme");
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
  assert.equal(await back(), "rgb(255, 255, 255)");
});

test("every control has a name, and texts have contrast", async () => {
  const { nodes } = await (await page.createCDPSession()).send("Accessibility.getFullAXTree");
  const controls = nodes.filter(({ ignored, role }) => !ignored && /^(button|link|textbox|searchbox|combobox|checkbox)$/.test(role?.value));
  assert.ok(controls.length > 10);
  for (const { role, name } of controls) assert.ok(name?.value, `a ${role.value} has no name`);
  // Who speaks to the computer says the text of a button.
  const others = await page.$$eval("button[aria-label]", (buttons) =>
    buttons.filter(({ ariaLabel, textContent }) => /\w/.test(textContent) && !ariaLabel.includes(textContent)).map(({ id }) => id),
  );
  assert.deepEqual(others, []);
  const described = controls.map(({ description }) => description?.value ?? "");
  assert.ok(described.some((text) => text.startsWith("An opened file")));
  for (const text of described) assert.ok(text.length < 100, text);
  for (const theme of ["light", "dark"]) {
    const low = await page.evaluate((theme) => {
      document.documentElement.dataset.theme = theme;
      const style = getComputedStyle(document.documentElement);
      const luminance = (name) => {
        const hex = style.getPropertyValue(name).trim().slice(1);
        const [red, green, blue] = [0, 2, 4].map((at) => {
          const value = parseInt(hex.slice(at, at + 2), 16) / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const pairs = ["text", "faint", "accent", "notice"].flatMap((front) => [[front, "back"], [front, "panel"]]);
      pairs.push(["error", "error-back"], ["accent", "accent-back"]);
      const found = pairs.filter(([front, back]) => {
        const [one, other] = [luminance(`--${front}`), luminance(`--${back}`)];
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < 4.5;
      });
      delete document.documentElement.dataset.theme;
      return found;
    }, theme);
    assert.deepEqual(low, [], theme);
  }
});

test("a narrow screen has no scroll bar across", async () => {
  await page.setViewport({ width: 375, height: 700 });
  await read(page, "examples/sales.xlsx");
  const [width, visible] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(width <= visible, `${width} of ${visible} pixels`);
  await page.setViewport({ width: 1280, height: 900 });
});

test("a path in the address bar is read at the start", async (context) => {
  const other = await browser.createBrowserContext();
  try {
    const opened = await open(browser, server, "#examples/manual.pdf:page:3", { context: other });
    await shown(opened.page, "examples/manual.pdf:page:3");
    assert.match(await text(opened.page), /Clean the shade once a month/);
    const times = () => opened.page.evaluate(() => Object.fromEntries(performance.getEntriesByType("mark").map(({ name, startTime }) => [name, startTime])));
    const cold = await times();
    await opened.page.reload();
    await shown(opened.page, "examples/manual.pdf:page:3");
    const warm = await times();
    const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;
    context.diagnostic(`first read of a PDF page: cold after ${seconds(cold["first-read"])}, warm after ${seconds(warm["first-read"])}`);
    assert.ok(cold["first-read"] < 15_000);
  } finally {
    await other.close();
  }
});

test("a server without the component is named", async () => {
  const { modules } = JSON.parse(readFileSync(join(assets(dist), "manifest.json"), "utf8"));
  const [{ name: largest }] = modules.filter(({ exports }) => !exports).sort((one, next) => next.size - one.size);
  const other = await browser.newPage();
  try {
    await other.setRequestInterception(true);
    other.on("request", (request) => {
      if (request.url().endsWith(largest)) request.respond({ status: 404, body: "" });
      else request.continue();
    });
    await other.goto(address);
    await other.waitForFunction(() => document.getElementById("status").textContent.includes("cannot start"));
    assert.match(await other.$eval("#status", ({ textContent }) => textContent), /cannot load .*\.wasm: the server replied 404/);
  } finally {
    await other.close();
  }
});

test("a worker that cannot be started gives a message", async () => {
  const other = await browser.newPage();
  try {
    await other.evaluateOnNewDocument(() => {
      const Original = Worker;
      window.Worker = class extends Original {
        constructor(url, options) {
          const missing = `import ${JSON.stringify(new URL("missing.js", location))};`;
          super(window.broken ? URL.createObjectURL(new Blob([missing], { type: "text/javascript" })) : url, options);
          window.started = this;
        }
      };
    });
    await other.goto(address);
    await shown(other, "examples");
    await watched(other);
    await other.evaluate(() => {
      window.broken = true;
      window.started.terminate();
    });
    await read(other, "examples/app.sql", 10_000);
    assert.match(await text(other), /cannot read `examples\/app\.sql`: the worker cannot be started/);
    await other.evaluate(() => (window.broken = false));
    await read(other, "examples/app.sql");
    assert.match(await text(other), /create table/i);
  } finally {
    await other.close();
  }
});

test("a folder of many files is opened", async (context) => {
  for (let count = 0; count < 5_000; count += 1) {
    const below = input(`many/${count % 50}`);
    if (count < 50) mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `${count}.txt`), `file ${count}\n`);
  }
  await page.evaluate(() => delete document.getElementById("reply").dataset.path);
  const started = performance.now();
  await (await page.$("#folder-input")).uploadFile(input("many"));
  await shown(page, "many");
  context.diagnostic(`5,000 files: ${Math.round(performance.now() - started)} ms`);
  assert.match(await facts(), /50 entries/);
  await read(page, "many/49/4949.txt");
  assert.match(await text(page), /1:file 4949/);
});

/** A server that allows all origins to read it, and counts the requests. */
async function secondServer() {
  const requests = [];
  const second = createServer((request, response) => {
    requests.push(request.url);
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/javascript" });
    response.end("1;");
  });
  await new Promise((listening) => second.listen(0, "127.0.0.1", listening));
  return { second, requests, url: `http://127.0.0.1:${second.address().port}/` };
}

/** Whether a script can fetch an address. */
const fetches = (url) => fetch(url).then(() => true, () => false);

test("no request leaves the page or its worker", async () => {
  const { second, requests, url } = await secondServer();
  const without = await browser.newPage();
  try {
    // Without the policy, the request arrives.
    await without.goto(`${url}page`);
    await without.goto(`${address}missing`);
    assert.equal(await without.evaluate(fetches, `${url}control`), true);
    assert.ok(requests.includes("/control"));
    const [worker, ...others] = page.workers();
    assert.deepEqual(others, []);
    for (const [name, context] of [["page", page], ["worker", worker]]) {
      requests.length = 0;
      assert.equal(await context.evaluate(fetches, url), false, name);
      // What belongs to the page can be read.
      assert.equal(await context.evaluate(fetches, `${address}index.html`), true, name);
      assert.deepEqual(requests, [], name);
    }
    const imported = (url) => import(url).then(() => true, () => false);
    assert.equal(await worker.evaluate(imported, url), false);
    const connected = (url) =>
      new Promise((resolve) => {
        const socket = new WebSocket(url.replace("http", "ws"));
        socket.onopen = () => resolve(true);
        socket.onerror = () => resolve(false);
      });
    assert.equal(await worker.evaluate(connected, url), false);
    assert.deepEqual(requests, []);
    const left = requested.filter((requested) => ![address, `blob:${address}`, url].some((start) => requested.startsWith(start)));
    assert.deepEqual(left, []);
    // The console has the refusals of this test, and nothing else.
    const refusal = /Content Security Policy|WebSocket connection to/;
    assert.deepEqual(problems.filter((problem) => !refusal.test(problem)), []);
  } finally {
    await without.close();
    second.close();
  }
});

// A browser with the page, for tests.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { serve } from "../serve.mjs";

const CHROMIUM = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The program of the browser, or undefined. `CHROMIUM` names another one. */
export const chromium = CHROMIUM.find((path) => path && existsSync(path));

export async function launch() {
  // The sandbox of Chromium does not start for root, as in containers.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return puppeteer.launch({ executablePath: chromium, args, protocolTimeout: 300_000 });
}

/** The directory that `build.mjs` wrote. */
export const dist = process.env.OMNIREAD_WEB_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));

export const start = () => serve(dist);

/** A page, with the addresses that it and its workers requested. */
export async function open(browser, server, hash = "", { context } = {}) {
  const page = await (context ?? browser).newPage();
  const requested = [];
  const problems = [];
  const watch = async (session) => {
    await session.send("Network.enable");
    session.on("Network.requestWillBeSent", ({ request }) => requested.push(request.url));
  };
  await watch(await page.createCDPSession());
  page.on("workercreated", (worker) => watch(worker.client).catch(() => {}));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warn") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.setViewport({ width: 1280, height: 900 });
  const address = `http://127.0.0.1:${server.address().port}/`;
  await page.goto(address + hash);
  return { page, address, requested, problems };
}

/** Waits for the reply of a path. */
export async function shown(page, path, timeout = 60_000) {
  await page.waitForFunction(
    (path) => {
      const { dataset } = document.getElementById("reply");
      const busy = document.getElementById("main").getAttribute("aria-busy") === "true";
      return !busy && dataset.path === path;
    },
    { timeout },
    path,
  );
}

/** Types a path and presses Enter. */
export async function read(page, path, timeout) {
  await page.evaluate((path) => {
    delete document.getElementById("reply").dataset.path;
    document.getElementById("path").value = path;
  }, path);
  await page.focus("#path");
  await page.keyboard.press("Enter");
  await shown(page, path, timeout);
}

/** The text blocks of the reply that is shown, exactly. */
export const texts = (page) =>
  page.$$eval("#reply .block pre", (blocks) => blocks.map((block) => block.textContent));

/** The first text block. */
export const text = async (page) => (await texts(page))[0];

/** The paths that the reply links. */
export const links = (page) =>
  page.$$eval("#reply .block a", (found) => found.map((link) => decodeURIComponent(link.hash.slice(1))));

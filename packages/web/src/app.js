// The page: what the user opens and reads, and the path in the address bar.

import { fromDrop, fromHandle, fromInput, MOST_FILES } from "./files.js";
import { escaped, hashOf, pathOf } from "./links.js";
import { Reader, Replaced } from "./reader.js";
import { estimator } from "./tokens.js";
import { announce, bytes, element, number, showFailure, showReply } from "./view.js";

const DIALECTS = ["omp", "gateway", "comma", "gemini", "claude", "opencode", "codex"];
const HISTORY = 50;

const base = new URL(".", import.meta.url);
const find = (id) => document.getElementById(id);
const form = find("form");
const input = find("path");
const reply = find("reply");
const status = find("status");
const next = find("next");
const readButton = find("read");

let tokens = () => 0;
const history = [];

/** Settings that survive a reload, if the browser stores them. */
const settings = {
  get: (name) => {
    try {
      return localStorage.getItem(`omniread.${name}`);
    } catch {
      return null;
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem(`omniread.${name}`, value);
    } catch {
      // They last as long as the page.
    }
  },
};

function say(text) {
  status.textContent = text;
}

function progress({ loaded, total, ready }) {
  find("progress").hidden = ready;
  find("progress").value = total ? loaded / total : 0;
  if (!ready) say(`Loading the reader: ${bytes(loaded)} of ${bytes(total)}. This happens once.`);
}

const reader = new Reader(base, progress);

let busy = false;

/** One button reads and cancels, so that it keeps the focus. */
function setBusy(now) {
  busy = now;
  find("main").setAttribute("aria-busy", busy);
  readButton.textContent = busy ? "Cancel" : "Read";
}

function setNext(path) {
  next.hidden = !path;
  if (path) {
    next.href = hashOf(path);
    next.title = `${path} (n)`;
  } else {
    next.removeAttribute("href");
  }
}

function remember(path) {
  const before = history.indexOf(path);
  if (before >= 0) history.splice(before, 1);
  history.unshift(path);
  history.length = Math.min(history.length, HISTORY);
  find("history-section").hidden = false;
  find("history").replaceChildren(...history.map((entry) => pathItem(entry, entry)));
}

function pathItem(path, title, ...more) {
  return element("li", {}, element("a", { href: hashOf(path), title: path }, title), ...more);
}

function markCurrent(path) {
  for (const link of document.querySelectorAll(".paths a")) {
    if (pathOf(new URL(link.href).hash) === path) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Whether a read removes an element that has the focus: one in the reply or a list, or what was next. */
const isReplaced = (focused) => focused === next || Boolean(focused?.closest("#reply, .paths"));

/** Focuses what a read leads to, unless the user has moved the focus meanwhile. */
function followFocus(from) {
  const now = document.activeElement;
  if (now !== from && now !== document.body) return;
  const target = from === next && next.href ? next : find("reply-heading");
  target.focus({ preventScroll: true });
}

/** The link that changed the address. A browser takes its focus if the path is also the `id` of an element. */
let clicked = null;
addEventListener("click", ({ target }) => (clicked = target.closest?.('a[href^="#"]:not(.skip)')), true);

let shown = 0;

async function read(path) {
  const focused = clicked ?? document.activeElement;
  clicked = null;
  const follows = isReplaced(focused);
  shown += 1;
  const number = shown;
  input.value = path;
  document.title = `${path} · omniread`;
  setBusy(true);
  setNext(null);
  const waiting = setTimeout(() => say(`Reading ${path}`), 300);
  const began = performance.now();
  try {
    const limit = Number(find("limit").value);
    const answer = await reader.read(path, find("dialect").value, limit);
    if (number !== shown) return;
    say("");
    if (answer.reply) {
      showReply(reply, { path, reply: answer.reply, facts: answer.facts, tokens });
      setNext(answer.reply.details.next);
    } else {
      showFailure(reply, { path, failure: answer.failure, tokens });
    }
    remember(path);
    markCurrent(path);
    if (follows) followFocus(focused);
    // A heading that has the focus is announced.
    if (answer.reply && document.activeElement !== find("reply-heading")) announce(`Read ${path}`);
    reply.dataset.path = path;
    reply.dataset.milliseconds = performance.now() - began;
    // For measurements: from the start of navigation.
    if (number === 1) performance.mark("first-read");
    scrollTo(0, 0);
  } catch (error) {
    if (!(error instanceof Replaced)) say(`Cannot read: ${error?.message ?? error}`);
  } finally {
    clearTimeout(waiting);
    if (number === shown) setBusy(false);
  }
}

/** Reads a path, and puts it into the address bar. */
function go(path) {
  const hash = hashOf(path);
  if (location.hash === hash || pathOf(location.hash) === path) read(path);
  else location.hash = hash;
}

// What the user opened.

/** The tops: their names, and the number and size of their files. */
const tops = new Map();

/** The name and the files of the examples, which a folder of the user with that name replaces. */
const EXAMPLES = "examples";
let examples = null;

/** Opens the examples, unless the user has opened files of that name. */
function openExamples() {
  const replaced = tops.has(EXAMPLES);
  find("examples-section").hidden = replaced;
  if (!replaced && examples) reader.open(EXAMPLES, examples);
}

/** Says what was not opened as the user may expect. It stays until something else is opened or closed. */
const note = (...sentences) => (find("opened").textContent = sentences.join(" "));

function showFiles() {
  const items = [...tops].map(([name, { files, size, folder }]) => {
    const close = element("button", { type: "button", "aria-label": `Close ${name}`, title: "Close" }, "×");
    close.onclick = () => {
      tops.delete(name);
      reader.close(name);
      if (name === EXAMPLES) openExamples();
      showFiles();
      note();
      say(`Closed ${name}`);
      find("open-files").focus();
    };
    const what = folder ? `${number(files)} ${files === 1 ? "file" : "files"}` : bytes(size);
    const title = folder ? `${name}/` : name;
    return pathItem(escaped(name), title, element("span", { class: "what" }, what), close);
  });
  find("files").replaceChildren(...items);
  markCurrent(reply.dataset.path);
}

function add({ opened, cut, unread = 0 }) {
  let replaced = 0;
  let hides = false;
  for (const [name, entries] of opened) {
    const files = entries.filter(([, blob]) => blob);
    const folder = entries.some(([path, blob]) => !blob || path !== name);
    const size = files.reduce((sum, [, blob]) => sum + blob.size, 0);
    if (tops.has(name)) replaced += 1;
    else if (name === EXAMPLES) hides = true;
    tops.set(name, { files: files.length, size, folder });
    reader.open(name, entries);
    if (name === EXAMPLES) find("examples-section").hidden = true;
  }
  showFiles();
  note();
  if (opened.size === 0) return say("Nothing was opened: the browser passed no files.");
  const names = [...opened.keys()];
  const path = names.length === 1 ? escaped(names[0]) : ".";
  const notes = [];
  if (unread) notes.push(`${number(unread)} ${unread === 1 ? "file or folder" : "files or folders"} could not be read.`);
  if (hides) notes.push("The examples of this page are hidden until you close yours.");
  if (cut) notes.push(`Only the first ${number(MOST_FILES)} files were opened.`);
  if (replaced) notes.push(`${number(replaced)} with the same name ${replaced === 1 ? "was" : "were"} closed.`);
  note(...notes);
  go(path);
}

/** Opens what the browser lists, or says why it cannot. */
async function addListed(list) {
  try {
    add(await list);
  } catch (error) {
    say(`Cannot open it: ${error?.message ?? error}`);
  }
}

const counting = (count) => say(`Listing files: ${number(count)}`);

async function openFolder() {
  if (!window.showDirectoryPicker) return find("folder-input").click();
  let handle;
  try {
    handle = await showDirectoryPicker({ id: "omniread", mode: "read" });
  } catch (error) {
    if (error.name === "AbortError") return;
    // A browser may refuse it in a frame, and still have the other way.
    return find("folder-input").click();
  }
  await addListed(fromHandle(handle, counting));
}

find("open-files").onclick = () => find("file-input").click();
find("open-folder").onclick = openFolder;
for (const id of ["file-input", "folder-input"]) {
  find(id).onchange = ({ target }) => {
    if (target.files.length) add(fromInput(target.files));
    // The same file can be chosen again after it changed.
    target.value = "";
  };
}

let dragged = 0;
const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
addEventListener("dragenter", (event) => {
  if (!hasFiles(event)) return;
  dragged += 1;
  find("drop").hidden = false;
});
addEventListener("dragleave", (event) => {
  if (!hasFiles(event)) return;
  dragged = Math.max(0, dragged - 1);
  find("drop").hidden = dragged === 0;
});
addEventListener("dragover", (event) => {
  if (hasFiles(event)) event.preventDefault();
});
addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  dragged = 0;
  find("drop").hidden = true;
  addListed(fromDrop(event.dataTransfer, counting));
});

// The path.

form.onsubmit = (event) => {
  event.preventDefault();
  const path = input.value.trim();
  if (path) go(path);
};
find("back").onclick = () => window.history.back();
find("forward").onclick = () => window.history.forward();
readButton.onclick = (event) => {
  if (!busy) form.requestSubmit();
  // The second click of a double click is not meant to cancel.
  else if (event.detail < 2) reader.cancel();
};
find("skip").onclick = (event) => {
  event.preventDefault();
  find("reply-heading")?.focus();
};

addEventListener("hashchange", () => {
  const path = pathOf(location.hash);
  if (path) read(path);
});

addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (key === "Escape") {
    if (!busy) return;
    event.preventDefault();
    return reader.cancel();
  }
  if (key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey) {
    event.preventDefault();
    return input.select();
  }
  const types = target.closest?.("input:not([type=checkbox]), select, textarea");
  if (!shortcuts.checked || types || ctrlKey || metaKey || altKey) return;
  if (key === "/") {
    event.preventDefault();
    input.select();
  } else if (key === "n" && next.href) {
    location.href = next.href;
  } else if (key === "Backspace") {
    event.preventDefault();
    window.history.back();
  }
});

// Options.

const dialect = find("dialect");
dialect.append(...DIALECTS.map((name) => element("option", { value: name }, name)));
if (DIALECTS.includes(settings.get("dialect"))) dialect.value = settings.get("dialect");
dialect.onchange = () => {
  settings.set("dialect", dialect.value);
  const path = pathOf(location.hash);
  if (path) read(path);
};

const wrap = find("wrap");
// On a narrow screen, most lines are longer than the screen.
wrap.checked = (settings.get("wrap") ?? `${innerWidth < 700}`) === "true";
const applyWrap = () => document.body.classList.toggle("wrap", wrap.checked);
wrap.onchange = () => {
  settings.set("wrap", wrap.checked);
  applyWrap();
};
applyWrap();

// They disturb some who speak to the computer or press keys by accident.
const shortcuts = find("shortcuts");
shortcuts.checked = settings.get("shortcuts") !== "false";
shortcuts.onchange = () => settings.set("shortcuts", shortcuts.checked);

const THEMES = [
  ["", "Auto"],
  ["light", "Light"],
  ["dark", "Dark"],
];
function applyTheme(name) {
  const [theme, title] = THEMES.find(([value]) => value === name) ?? THEMES[0];
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  find("theme").textContent = title;
  find("theme").setAttribute("aria-label", `Colours: ${title}`);
}
find("theme").onclick = () => {
  const now = document.documentElement.dataset.theme ?? "";
  const at = THEMES.findIndex(([value]) => value === now);
  const [theme] = THEMES[(at + 1) % THEMES.length];
  settings.set("theme", theme);
  applyTheme(theme);
};
applyTheme(settings.get("theme") ?? "");

// The start.

async function get(name) {
  const response = await fetch(new URL(name, base));
  if (!response.ok) throw new Error(`cannot load ${name}: the server replied ${response.status}`);
  return response;
}

async function loadExamples(names) {
  examples = await Promise.all(
    names.map(async (name) => {
      const blob = await (await get(`examples/${name}`)).blob();
      return [`examples/${name}`, new File([blob], name)];
    }),
  );
  openExamples();
}

async function start() {
  try {
    const manifest = await (await get("manifest.json")).json();
    const table = async (name) => new Int8Array(await (await get(name)).arrayBuffer());
    const opened = loadExamples(manifest.examples.map(({ name }) => name));
    const items = manifest.examples.map(({ name, path, title }) =>
      pathItem(`examples/${path ?? name}`, path ?? name, element("span", { class: "what" }, title)),
    );
    find("examples").replaceChildren(...items);
    const estimates = Promise.all([table("three.bin"), table("six.bin")]);
    await Promise.all([reader.load(manifest), opened]);
    tokens = estimator(...(await estimates));
    performance.mark("loaded");
    say("");
    const path = pathOf(location.hash);
    if (path) return read(path);
    // Not an entry of its own in the history.
    window.history.replaceState(null, "", hashOf("examples"));
    read("examples");
  } catch (error) {
    find("progress").hidden = true;
    say(`The page cannot start: ${error.message ?? error}`);
  }
}

if (typeof WebAssembly !== "object" || !WebAssembly.compileStreaming) {
  say("The page cannot start: this browser has no WebAssembly.");
} else {
  start();
}

// Shows a reply or a failure.

import { hashOf, linksIn, linksInNote, linksOfFailure, outlineOf } from "./links.js";

/** Makes an element. Texts are never parsed as HTML. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const NUMBER = new Intl.NumberFormat("en");
export const number = (value) => NUMBER.format(value);

export function bytes(count) {
  const value = Number(count);
  if (value < 1000) return `${value} bytes`;
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
    if (value >= size) return `${(value / size).toFixed(value < size * 10 ? 1 : 0)} ${unit}`;
  }
  return "";
}

function duration(milliseconds) {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Adds a text with links to an element. Its text content is exactly the text. */
function linked(target, text, links) {
  let from = 0;
  for (const { start, end, path } of links) {
    target.append(text.slice(from, start), element("a", { href: hashOf(path) }, text.slice(start, end)));
    from = end;
  }
  target.append(text.slice(from));
  return target;
}

const exactText = (text, links) => linked(element("pre", { tabindex: "0" }), text, links);

let announced;

/** Says something to screen readers. */
export function announce(text) {
  const region = document.getElementById("announcement");
  clearTimeout(announced);
  region.textContent = text;
  // The same text again is a change only if the region was empty.
  announced = setTimeout(() => (region.textContent = ""), 1500);
}

function copyButton(text) {
  const button = element("button", { type: "button", class: "copy", title: "Copy this text" }, "Copy");
  // Only pages of a secure origin may copy.
  button.hidden = !navigator.clipboard;
  button.onclick = async () => {
    // The user or the browser may refuse it.
    const copied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    button.textContent = copied ? "Copied" : "Not copied";
    announce(copied ? "Copied" : "The browser did not copy the text.");
    setTimeout(() => (button.textContent = "Copy"), 1500);
  };
  return button;
}

/** The addresses of images that are shown, which keep their bytes in memory. */
let addresses = [];

function address({ mime, bytes: content }) {
  const made = URL.createObjectURL(new Blob([content], { type: mime }));
  addresses.push(made);
  return made;
}

function payloadOf(details) {
  return details.kind.val?.payload;
}

function imageBlock(block, { path, details }) {
  const { mime, bytes: content } = block.val;
  const caption = element("figcaption", {}, `${mime} · ${bytes(content.length)}`);
  const image = element("img", { src: address(block.val), alt: `Image of ${path}` });
  const size = payloadOf(details)?.dimensions;
  const describe = (width, height) => {
    caption.textContent = `${mime} · ${number(width)} × ${number(height)} pixels · ${bytes(content.length)}`;
  };
  if (size) describe(size.width, size.height);
  else image.onload = () => describe(image.naturalWidth, image.naturalHeight);
  image.onerror = () => caption.append(" · this browser cannot show it");
  return element("figure", { class: "block" }, caption, image);
}

function attachmentBlock(block, { details }) {
  const { mime, bytes: content } = block.val;
  const name = details.path.split(/[/:]/).pop();
  const link = element("a", { href: address(block.val), download: name }, name);
  return element("p", { class: "block" }, "Passed to the model unchanged: ", link, ` · ${mime} · ${bytes(content.length)}`);
}

function blockOf(block, context) {
  const { details } = context;
  if (block.tag === "image") return imageBlock(block, context);
  if (block.tag === "attachment") return attachmentBlock(block, context);
  const exact = block.tag === "text" && details.kind.tag === "text" && details.kind.val.raw;
  const pre = exactText(block.val, linksIn(block.val, details, exact));
  pre.classList.add(block.tag);
  return element("div", { class: "block" }, pre, copyButton(block.val));
}

const totalOf = (total) => (total.tag === "exact" ? number(total.val) : `at least ${number(total.val)}`);

/** Lines that were not counted have negative numbers, from the end. */
function range({ first, last }) {
  if (last === -1n) return first === last ? "the last" : `the last ${number(-first)}`;
  return first === last ? number(first) : `${number(first)} to ${number(last)}`;
}

function spans(shown) {
  const ranges = shown.map(range);
  return ranges.length > 3 ? `${ranges.slice(0, 3).join(", ")}, …` : ranges.join(", ");
}

/** What the reply is, in a few words each. */
function factsOf(reply, text, milliseconds, facts, tokens) {
  const { details, blocks } = reply;
  const { kind, window } = details;
  const found = [{ text: kind.val?.format ?? kind.tag, strong: true }];
  const estimate = tokens(text);
  const images = Number(details.imageTokens);
  if (estimate || images) {
    const parts = images ? ` (${number(images)} for images)` : "";
    found.push({ text: `about ${number(estimate + images)} tokens${parts}`, strong: true });
  }
  if (text) found.push({ text: `${number([...text].length)} characters` });
  if (kind.tag === "database") found.push({ text: `${number(kind.val.rows)} of ${totalOf(kind.val.total)} ${kind.val.part === "tables" ? "tables" : "rows"}` });
  else if (kind.val?.entries) found.push({ text: `${totalOf(kind.val.entries)} entries` });
  else if (window?.shown.length) found.push({ text: `lines ${spans(window.shown)} of ${totalOf(window.total)}` });
  if (kind.val?.units) found.push({ text: `${number(kind.val.units.count)} ${kind.val.units.kind}s` });
  const size = kind.val?.dimensions;
  const scaled = size && payloadOf(details)?.dimensions?.width !== size.width;
  if (scaled) found.push({ text: `${number(size.width)} × ${number(size.height)} pixels in the file` });
  if (details.size !== undefined && kind.tag !== "directory") found.push({ text: `${bytes(details.size)} stored` });
  const encoding = kind.val?.encoding;
  if (encoding && encoding !== "utf-8") found.push({ text: `${encoding}${kind.val.guessed ? " (guessed)" : ""}` });
  const pictures = blocks.filter(({ tag }) => tag === "image").length;
  if (pictures > 1) found.push({ text: `${pictures} images` });
  const engines = facts.engines.length ? ` with ${facts.engines.join(", ")}` : "";
  found.push({ text: `read in ${duration(milliseconds)}${engines}` });
  found.push({ text: `${bytes(facts.memory)} of memory` });
  return element("ul", { class: "facts" }, ...found.map((fact) => element("li", { class: fact.strong && "strong" }, fact.text)));
}

function outline(reply, path) {
  const parts = outlineOf(reply, path);
  if (parts.length < 2) return "";
  const long = reply.details.kind.tag === "text";
  const list = parts.map(({ title, path }) => element("li", {}, element("a", { href: hashOf(path) }, title)));
  return element(
    "details",
    { class: "outline", open: "" },
    element("summary", {}, long ? "Outline" : "Parts"),
    element("ol", { class: long && "long" }, ...list),
  );
}

/** Numbers of 64 bits as JSON numbers, without bytes and the text that is above. */
function asData(details) {
  const plain = (key, value) => {
    if (typeof value === "bigint") return Number(value);
    return key === "display" ? undefined : value;
  };
  return JSON.stringify(details, plain, 2);
}

function data(details, structured) {
  let fields = structured;
  try {
    const parsed = JSON.parse(structured);
    // The text again.
    delete parsed.displayContent;
    fields = JSON.stringify(parsed, null, 2);
  } catch {
    // It is shown as it is.
  }
  return element(
    "details",
    {},
    element("summary", {}, "Details"),
    element("pre", { tabindex: "0", class: "data" }, asData(details)),
    element("p", { class: "caption" }, "Fields of the dialect"),
    element("pre", { tabindex: "0", class: "data" }, fields),
  );
}

function clear(target, path) {
  for (const made of addresses) URL.revokeObjectURL(made);
  addresses = [];
  target.replaceChildren(element("h2", { id: "reply-heading", tabindex: "-1" }, path));
}

/** Shows a reply. `tokens` estimates the tokens of a text. */
export function showReply(target, { path, reply, facts, tokens }) {
  clear(target, path);
  const { details, blocks } = reply;
  const isText = ({ tag }) => tag === "text" || tag === "notice";
  const text = blocks.filter(isText).map(({ val }) => val).join("");
  target.append(factsOf(reply, text, facts.milliseconds, facts, tokens));
  const repair = details.suffixResolution;
  if (repair) {
    const link = element("a", { href: hashOf(repair.to) }, repair.to);
    target.append(element("p", { class: "caption" }, `${repair.from} does not exist. This is `, link, "."));
  }
  if (details.notes.length) {
    const items = details.notes.map((note) => linked(element("li"), note, linksInNote(note, details)));
    target.append(element("ul", { class: "notes", "aria-label": "Notes" }, ...items));
  }
  target.append(outline(reply, path));
  const context = { path, details };
  target.append(...blocks.map((block) => blockOf(block, context)));
  if (details.next) {
    target.append(element("p", { class: "follows" }, "Next: ", element("a", { href: hashOf(details.next) }, details.next)));
  }
  target.append(data(details, reply.structured));
}

/** Shows a failure as the model gets it. */
export function showFailure(target, { path, failure, tokens }) {
  clear(target, path);
  const estimate = tokens(failure.text);
  const facts = [
    element("li", { class: "strong" }, `failure: ${failure.reason.tag.replaceAll("-", " ")}`),
    element("li", { class: "strong" }, `about ${number(estimate)} tokens`),
  ];
  const pre = exactText(failure.text, linksOfFailure(failure));
  pre.classList.add("failure");
  pre.setAttribute("role", "alert");
  target.append(element("ul", { class: "facts" }, ...facts), element("div", { class: "block" }, pre));
  if (failure.hint && !failure.text.includes(failure.hint)) {
    target.append(element("p", { class: "caption" }, `Hint: ${failure.hint}`));
  }
  if (failure.reason.tag === "limit" && failure.reason.val.name === "time") {
    target.append(element("p", { class: "caption" }, "The time limit of this page is above. Press Read to try again."));
  }
  if (failure.reason.tag === "io") {
    target.append(element("p", { class: "caption" }, "A file that changed after it was opened cannot be read: open it again."));
  }
  target.append(data(failure.reason, failure.structured));
}

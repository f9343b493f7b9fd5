// The paths that a reply names, as links. Only functions of texts: nothing here knows the page.

/** A name as a part of a path. A colon in it needs the escape form. */
export const escaped = (name) =>
  name.includes(":") ? name.replaceAll("\\", "\\\\").replaceAll(":", "\\:") : name;

/** The path that a location such as `#examples/app.db:users` names. */
export function pathOf(hash) {
  const text = hash.replace(/^#/, "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The location of a path. It stays readable. */
export const hashOf = (path) => `#${encodeURI(path).replaceAll("#", "%23")}`;

const join = (directory, name) => (directory === "." ? name : `${directory}/${name}`);

/** UTF-16 units of the longest line that is searched: some patterns take the square of its length. */
const LONGEST_LINE = 4_000;

/** The lines of a text with their offsets, without those that are too long to be searched. */
function* lines(text) {
  let start = 0;
  for (;;) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    if (end - start <= LONGEST_LINE) yield [text.slice(start, end), start];
    if (found < 0) return;
    start = end + 1;
  }
}

/** `  - name/   4.5KB  just now` in the tree of a directory. */
const ENTRY = /^( *)- (.+?)(\/)?(?: {2,}[\d.,]+[KMGTP]?B)? {2,}\S+(?: \S+)*$/;
const MORE = /^( *)- (… [\d,]+ more.*)$/;

function directoryLinks(text, path) {
  const found = [];
  // The directories around a line, with their indentation.
  const around = [{ indent: -1, path }];
  for (const [line, start] of lines(text)) {
    const more = MORE.exec(line);
    const match = more ?? ENTRY.exec(line);
    if (!match) continue;
    const [, spaces, name, slash] = match;
    const indent = spaces.length;
    while (around.at(-1).indent >= indent) around.pop();
    const parent = around.at(-1).path;
    const at = start + indent + 2;
    const target = more ? parent : join(parent, escaped(name));
    if (!more && slash) around.push({ indent, path: target });
    if (target !== path) found.push({ start: at, end: at + name.length + (slash ? 1 : 0), path: target });
  }
  return found;
}

/** `name/` or `name (4.5KB)` in the listing of an archive. */
function archiveLinks(text, path) {
  const found = [];
  for (const [line, start] of lines(text)) {
    if (line === "" || line.startsWith("[")) continue;
    const name = /^(.+?)(?: \([\d.,]+[KMGTP]?B[^)]*\))?$/.exec(line)[1];
    if (name.startsWith("… ")) continue;
    const target = path + (path.endsWith("/") ? "" : ":") + escaped(name);
    found.push({ start, end: start + name.length, path: target });
  }
  return found;
}

/** `name (8 rows)` in the list of the tables of a database. */
function tableLinks(text, path) {
  const found = [];
  for (const [line, start] of lines(text)) {
    const match = /^(.+?) \((?:[a-z ]+, )?[\d,]+\+? rows?\)$/.exec(line);
    if (match) found.push({ start, end: start + match[1].length, path: `${path}:${match[1]}` });
  }
  return found;
}

/** `12-34:` before the first line of what an outline does not show. */
function outlineLinks(text, path) {
  const found = [];
  for (const [line, start] of lines(text)) {
    const range = /^(\d+-\d+):/.exec(line)?.[1];
    if (range) found.push({ start, end: start + range.length, path: `${path}:${range}` });
  }
  return found;
}

/** The selectors in the contents before a document: `:Sales A1:E8, 7 rows`, `:page:3 Title`. */
function contentsLinks(text, path) {
  const end = text.indexOf("\n---\n");
  const found = [];
  if (end < 0) return found;
  for (const [line, start] of lines(text.slice(0, end))) {
    const match = /^(:.+?) [A-Z]+\d+(?::[A-Z]+\d+)?, /.exec(line) ?? /^(:\S+)/.exec(line);
    if (match) found.push({ start, end: start + match[1].length, path: path + match[1] });
  }
  return found;
}

/** The attachments after a mail: `- letter.docx (application/…, 2.2 KB)`. */
function attachmentLinks(text, path) {
  const heading = text.lastIndexOf("\nAttachments:\n");
  if (heading < 0) return [];
  const found = [];
  const from = heading + 1;
  for (const [line, start] of lines(text.slice(from))) {
    const name = /^- (.+) \(\S+\/\S+, [^)]*\)$/.exec(line)?.[1];
    if (!name) continue;
    const at = from + start + 2;
    found.push({ start: at, end: at + name.length, path: `${path}:${escaped(name)}` });
  }
  return found;
}

/** A path or selector in a notice, in backticks or without them. */
const NAMED = /`([^`]+)`|(?<![^\s(])((?:[^\s()[\]`]+)?:[\w.@?+:-][^\s()[\]`]*|[^\s()[\]`:]+:)(?=[\s)\];,.]|$)/g;

/** The paths that the notices of a text name: `[… Use :301 to continue]`, `… 9 lines (:31-39)`. */
function noticeLinks(text, path, next) {
  const found = [];
  const file = path.split(":")[0];
  for (const [line, start] of lines(text)) {
    if (!/^\s*\[.*\]$|^… |^hint: /.test(line)) continue;
    for (const match of line.matchAll(NAMED)) {
      const named = (match[1] ?? match[2]).replace(/[.,;]+$/, "");
      const at = start + match.index + (match[1] ? 1 : 0);
      const target = resolve(named, path, next, file);
      if (target) found.push({ start: at, end: at + named.length, path: target });
    }
  }
  return found;
}

function resolve(named, path, next, file) {
  if (named.startsWith(":")) {
    if (next?.endsWith(named)) return next;
    return path.replace(/\/$/, "") + named;
  }
  // Not the name of a sheet, a column or a tool.
  const known = file !== "" && named.startsWith(file) && named !== path;
  return known ? named : null;
}

/** The links in a note of a reply, which is also a notice in the text. */
export function linksInNote(note, details) {
  return linksIn(`[${note}]`, { ...details, kind: baseOnly(details.kind) }).map(({ start, end, path }) => {
    return { start: start - 1, end: end - 1, path };
  });
}

/** A kind by which only the path before selectors is found. */
function baseOnly(kind) {
  if (kind.tag === "image") return { tag: "image" };
  return { tag: "note", val: { table: kind.val?.table } };
}

/** Links of which none overlaps an earlier one, in order. */
function disjoint(links) {
  const sorted = links.sort((one, other) => one.start - other.start);
  let end = 0;
  return sorted.filter((link) => {
    if (link.start < end || link.end <= link.start) return false;
    end = link.end;
    return true;
  });
}

/**
 * The links in a text block of a reply, as `{start, end, path}`.
 *
 * @param {string} text
 * @param {object} details of the reply
 * @param {boolean} exact whether the text is that of a file, without anything else
 */
export function linksIn(text, details, exact = false) {
  const { kind, path, next } = details;
  if (exact) return [];
  // The path of what the selectors in notices follow. Components of earlier versions write the path of a
  // page as an image with an escaped colon.
  let base = kind.tag === "image" ? path.replace(/\\:img$/, ":img") : path;
  const found = [];
  if (kind.tag === "directory") found.push(...directoryLinks(text, path));
  if (kind.tag === "archive") found.push(...archiveLinks(text, path));
  if (kind.tag === "database") {
    if (kind.val.part === "tables") found.push(...tableLinks(text, path));
  }
  const table = kind.val?.table;
  if (table && path.endsWith(`:${table}`)) base = path.slice(0, -table.length - 1);
  if (kind.tag === "text") found.push(...outlineLinks(text, path));
  if (kind.tag === "document") found.push(...contentsLinks(text, path), ...attachmentLinks(text, path));
  if (kind.tag !== "several") found.push(...noticeLinks(text, base, next));
  return disjoint(found);
}

/** The links in the text of a failure: its similar names and those of its hint. */
export function linksOfFailure(failure) {
  const { text, reason } = failure;
  const found = [];
  const near = reason.tag === "not-found" ? reason.val : [];
  for (const match of text.matchAll(/`([^`]+)`/g)) {
    const named = match[1];
    const isPath = near.includes(named) || (failure.hint?.includes(match[0]) && /[:./]/.test(named));
    if (!isPath || named.startsWith(":")) continue;
    found.push({ start: match.index + 1, end: match.index + 1 + named.length, path: named });
  }
  return disjoint(found);
}

/** Units of a document that are listed at most. */
const MOST_UNITS = 200;

/**
 * The outline of a reply: the parts of a document, and the declarations or headings of a text.
 *
 * @param {string} requested the path that was read: a single page of a PDF is also there as an image
 * @returns {{title: string, path: string}[]}
 */
export function outlineOf(reply, requested = "") {
  const { kind, path } = reply.details;
  const text = reply.blocks.find(({ tag }) => tag === "text")?.val ?? "";
  const units = kind.tag === "document" ? kind.val.units : undefined;
  if (units && units.kind !== "sheet") {
    const first = units.kind === "cell" ? 0 : 1;
    const count = Math.min(Number(units.count), MOST_UNITS);
    const found = Array.from({ length: count }, (_, at) => {
      const selector = `${units.kind}:${first + at}`;
      return { title: selector.replace(":", " "), path: `${path}:${selector}` };
    });
    const page = /:page:\d+$/.exec(requested)?.[0];
    if (page && kind.val.format.startsWith("PDF")) {
      found.push({ title: `${page.slice(1).replace(":", " ")} as an image`, path: `${path}${page}:img` });
    }
    if (units.count > MOST_UNITS) found.push({ title: `… ${Number(units.count)} in all`, path });
    return found;
  }
  if (kind.tag === "document") {
    return contentsLinks(text, path).map((link) => {
      return { title: text.slice(link.start + 1, link.end), path: link.path };
    });
  }
  return kind.tag === "text" && !kind.val.raw ? declarations(text, reply) : [];
}

/** The headings of Markdown, and in an outline the declarations of code, with their lines. */
function declarations(text, { details, structured }) {
  const { path } = details;
  const found = [];
  const isMarkdown = /\.(md|markdown|mdx)$/i.test(path);
  const isOutline = structured.includes('"summary":');
  let inCode = false;
  for (const [line] of lines(text)) {
    const [, first, last, content] = /^(\d+)(?:-(\d+))?:(.*)$/.exec(line) ?? [];
    if (content === undefined) continue;
    if (isMarkdown && /^\s*(```|~~~)/.test(content)) inCode = !inCode;
    const heading = isMarkdown && !inCode && /^#{1,6} /.test(content);
    const declaration = isOutline && !isMarkdown && (last || /\S\s*[{:]$/.test(content));
    if (!heading && !declaration) continue;
    const title = content.replace(/ … \}$| …$| \{$/, "");
    const selector = last ? `${first}-${last}` : first;
    found.push({ title, path: `${path}:${selector}` });
    if (found.length === MOST_UNITS) {
      found.push({ title: "… the text has the others", path });
      break;
    }
  }
  return found;
}

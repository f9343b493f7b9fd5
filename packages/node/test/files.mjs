// Files that the tests read, and processes that they start.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";

/** The checkout of the project. The tests of an installed package run elsewhere, so that `.ci/node` names it. */
export const PROJECT = process.env.OMNIREAD_TEST_PROJECT ?? fileURLToPath(new URL("../../..", import.meta.url));

/** A guard against hangs: processes under load start slowly. */
export const GUARD = 60_000;

export const isBun = process.versions.bun !== undefined;

/** A red image. */
export function png(width, height) {
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length);
    ends.writeUInt32BE(zlib.crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3)]);
  for (let at = 1; at < row.length; at += 3) row[at] = 0xff;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = zlib.deflateSync(Buffer.concat(Array(height).fill(row)));
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** An archive whose members are not compressed. */
export function zip(members) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, text] of Object.entries(members)) {
    const [names, data] = [Buffer.from(name), Buffer.from(text)];
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(zlib.crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(names.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, names, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), fields, tail, names]));
    parts.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, index, Buffer.from("PK\x05\x06"), end]);
}

/** A document of one paragraph. */
function docx(text) {
  const office = "http://schemas.openxmlformats.org";
  return zip({
    "[Content_Types].xml":
      `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ` +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ' +
      'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels":
      `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="r" ` +
      `Type="${office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml":
      `<w:document xmlns:w="${office}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p>` +
      "</w:body></w:document>",
  });
}

const removed = [];
process.on("exit", () => {
  for (const path of removed) rmSync(path, { recursive: true, force: true });
});

/** A path that is removed when the process ends. */
export function removeAtEnd(path) {
  removed.push(path);
  return path;
}

/** A directory that is removed when the process ends. */
export function temporary() {
  return removeAtEnd(mkdtempSync(join(tmpdir(), "omniread-")));
}

/** A directory with one file of each kind. Tests do not change it. */
export function makeFiles() {
  const directory = temporary();
  const write = (name, data) => writeFileSync(join(directory, name), data);
  write("notes.txt", Array.from({ length: 1000 }, (_, at) => `line ${at + 1}\n`).join(""));
  write("people.csv", "name,age\nAda,36\nGrace,85\n");
  write("red.png", png(8, 4));
  write(".env", "SECRET=1\n");
  write("letter.docx", docx("Dear reader"));
  write("pack.zip", zip({ "inner/a.txt": "in the archive\n" }));
  for (const name of ["app.db", "manual.pdf"]) {
    copyFileSync(join(PROJECT, "examples", name), join(directory, name));
  }
  mkdirSync(join(directory, "empty"));
  return directory;
}

/** Waits for a time. */
export function pause(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}

/**
 * A process that runs a module. Its standard input is a pipe that stays open.
 *
 * The module lies beside the tests, so that it finds the package that they find.
 */
export function start(program, ...args) {
  const module = fileURLToPath(new URL(`./program-${process.pid}-${(start.count = (start.count ?? 0) + 1)}.mjs`, import.meta.url));
  writeFileSync(module, program);
  removeAtEnd(module);
  const child = spawn(process.execPath, [module, ...args.map(String)], { stdio: "pipe" });
  const guard = setTimeout(() => child.kill("SIGKILL"), GUARD);
  child.out = "";
  child.error = "";
  child.stdout.on("data", (data) => (child.out += data));
  child.stderr.on("data", (data) => (child.error += data));
  child.ended = new Promise((resolve) =>
    child.on("close", (code, signal) => {
      clearTimeout(guard);
      resolve({ code, signal, out: child.out, error: child.error });
    }),
  );
  return child;
}

/** The output of a program, which ends without an error. */
export async function output(program, ...args) {
  const { code, signal, out, error } = await start(program, ...args).ended;
  assert.deepEqual({ code, signal, error }, { code: 0, signal: null, error: "" });
  return out;
}

/** Waits until a process has printed a text. */
export async function printed(child, text) {
  const deadline = Date.now() + GUARD;
  while (!child.out.includes(text)) {
    assert.ok(Date.now() < deadline && child.exitCode === null, `not printed: ${text}\n${child.out}\n${child.error}`);
    await pause(10);
  }
}

/** Whether a path exists. */
export const exists = existsSync;

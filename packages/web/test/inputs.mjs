// Files for the tests, in a directory that `make` fills.

import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import { checksum, zip } from "../zip.mjs";

/** The bytes of the large log. */
export const LOG_BYTES = 100_000_000;

/** A log with an error in each 50,000 lines. */
function log(path) {
  const file = openSync(path, "w");
  let size = 0;
  let lines = 0;
  while (size < LOG_BYTES) {
    let some = "";
    for (let count = 0; count < 10_000; count += 1, lines += 1) {
      const time = `2026-05-01T10:${`${Math.floor(lines / 60) % 60}`.padStart(2, "0")}:${`${lines % 60}`.padStart(2, "0")}Z`;
      some +=
        lines % 50_000 === 777
          ? `${time} ERROR request ${lines} failed: no space left on device\n`
          : `${time} INFO request ${lines} served in ${(lines * 31) % 997} ms\n`;
    }
    size += writeSync(file, some);
  }
  closeSync(file);
}

/** An archive of 1 GB on paper: its first member is a hole in the file. */
function largeZip(path) {
  const size = 1_000_000_000;
  const small = zip([["notes.txt", Buffer.from("one\ntwo\n")]]);
  const central = small.readUInt32LE(small.length - 6);
  const shift = size;
  const file = openSync(path, "w");
  ftruncateSync(file, size);
  // The offsets of an archive count from its begin.
  const moved = Buffer.from(small);
  moved.writeUInt32LE(central + shift, small.length - 6);
  moved.writeUInt32LE(shift, central + 42);
  writeSync(file, moved, 0, moved.length, size);
  closeSync(file);
}

/** A table that takes seconds to sort. */
function table(path) {
  const file = openSync(path, "w");
  writeSync(file, "id,name,value\n");
  for (let from = 0; from < 3_000_000; from += 10_000) {
    let some = "";
    for (let row = from; row < from + 10_000; row += 1) some += `${row},user number ${row % 977},${(row * 7) % 1000}\n`;
    writeSync(file, some);
  }
  closeSync(file);
}

/** A picture of hills at sunset as PNG, larger than a model gets it. */
function picture(path, width = 2400, height = 1500) {
  const rows = Buffer.alloc(height * (width * 3 + 1));
  const hills = [
    [0.62, 0.05, 3, [126, 87, 120]],
    [0.72, 0.07, 5, [84, 62, 98]],
    [0.85, 0.06, 8, [45, 40, 70]],
  ];
  for (let y = 0, at = 0; y < height; y += 1) {
    at += 1; // The filter of the row: none.
    for (let x = 0; x < width; x += 1) {
      const [right, down] = [x / width, y / height];
      const sun = Math.hypot((right - 0.68) * (width / height), down - 0.45);
      let colour = [250 - 90 * down, 150 + 40 * down, 110 + 60 * (1 - down)];
      if (sun < 0.1) colour = [255, 236, 170];
      else if (sun < 0.35) colour = colour.map((value, part) => value + [5, 50, 20][part] * (1 - sun / 0.35));
      for (const [base, swing, waves, shade] of hills) {
        if (down > base - swing * Math.sin(right * waves * 2 + waves)) colour = shade;
      }
      for (const value of colour) rows[at++] = Math.min(255, value);
    }
  }
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const made = Buffer.alloc(body.length + 8);
    made.writeUInt32BE(data.length, 0);
    body.copy(made, 4);
    made.writeUInt32BE(checksum(body), body.length + 4);
    return made;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows, { level: 1 })), chunk("IEND", Buffer.alloc(0))];
  writeFileSync(path, Buffer.concat([signature, ...parts]));
}

export function make(directory) {
  const at = (name) => join(directory, name);
  picture(at("hills.png"));
  log(at("large.log"));
  largeZip(at("large.zip"));
  table(at("large.csv"));
  writeFileSync(at("long.txt"), Array.from({ length: 700 }, (_, line) => `line ${line + 1}\n`).join(""));
  writeFileSync(at("odd: name #1.txt"), "odd\n");
  writeFileSync(at("markup.txt"), "<img src=x onerror=\"document.title='broken'\"> & <b>bold</b>\n");
  let nested = Buffer.from("the end\n");
  for (let depth = 9; depth > 0; depth -= 1) {
    nested = zip([[depth === 9 ? "end.txt" : `level${depth + 1}.zip`, nested]]);
  }
  writeFileSync(at("deep.zip"), nested);
  writeFileSync(at("bomb.gz"), gzipSync(Buffer.alloc(300_000_000)));
  const sections = Array.from({ length: 40 }, (_, at) => `## Section ${at + 1}\n\n${`A sentence of section ${at + 1}.\n`.repeat(12)}\n`);
  writeFileSync(at("outline.md"), `# A long text\n\n${sections.join("")}`);
  mkdirSync(at("project/src/deep"), { recursive: true });
  mkdirSync(at("project/empty"), { recursive: true });
  writeFileSync(at("project/README.md"), "# Project\n\nA folder.\n");
  writeFileSync(at("project/src/main.rs"), "fn main() {\n    println!(\"hello\");\n}\n");
  writeFileSync(at("project/src/deep/data.json"), '{"name": "deep"}\n');
}

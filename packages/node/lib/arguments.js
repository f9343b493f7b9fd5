"use strict";

// Converts the arguments of readers and reads for the compiled part, and checks their types.

const { fileURLToPath } = require("node:url");
const { argumentError } = require("./errors.js");

/** The arguments of a reader besides its roots, each with the conversion of its value. */
const SETTINGS = {
  allowNet: texts,
  deny: texts,
  engineMemory: bytes,
  home: directory,
  maxFileSize: bytes,
  memory: bytes,
  mounts: (name, value) => record(name, value, directories),
  netAuthorities: directories,
  netHeaders: (name, value) => record(name, value, (inner, headers) => record(inner, headers, text)),
  netMaxBytes: bytes,
  netProxy: text,
  netTimeout: milliseconds,
  netUserAgent: text,
  password: text,
  timeout: (name, value) => (value === null ? null : milliseconds(name, value)),
};

/** The arguments of a reader as JSON. */
function settings(roots, options) {
  const all = { roots: roots === undefined || roots === null ? [] : directories("roots", roots) };
  for (const [name, value] of Object.entries(object("options", options))) {
    const convert = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
    if (!convert) {
      const names = Object.keys(SETTINGS).join(", ");
      throw argumentError(TypeError, `a reader has no option \`${name}\`: the options are ${names}`);
    }
    // A value that is not there is the default, so that an argument can be passed on. No time limit is `null`.
    if (value === undefined || (value === null && name !== "timeout")) continue;
    all[name] = convert(name, value);
  }
  return JSON.stringify(all);
}

/** The options of a read as a list of names and texts, as the table of options parses them. */
function readOptions(options, known) {
  const pairs = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || name === "dialect" || name === "signal") continue;
    if (!Object.hasOwn(known, name) && name !== "lines" && name !== "stdin") {
      const names = [...Object.keys(known), "lines", "stdin", "dialect", "signal"].join(", ");
      throw argumentError(TypeError, `there is no option \`${name}\`: the options are ${names}`);
    }
    pairs.push(name, optionText(name, value));
  }
  return pairs;
}

function optionText(name, value) {
  if (name === "stdin" && typeof value !== "boolean") {
    throw argumentError(TypeError, `option \`stdin\` is a boolean, not ${kind(value)}`);
  }
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string" || Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(",");
  throw argumentError(
    TypeError,
    `option \`${name}\` is a boolean, an integer, a string or an array of strings, not ${kind(value)}`,
  );
}

/** A path of a read: text, the bytes of a name, or a URL. A URL of a file is its path. */
function path(value) {
  if (typeof value === "string") return value.isWellFormed?.() === false ? surrogateBytes(value) : value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof URL) return value.protocol === "file:" ? filePath(value) : value.href;
  throw argumentError(TypeError, `a path is a string, a Uint8Array or a URL, not ${kind(value)}`);
}

/** The path of a URL of a file, with its query and fragment, which are part of a path of a read. */
function filePath(url) {
  return fileURLToPath(url) + decodeURIComponent(url.search + url.hash);
}

/** The bytes of text with half of a pair of surrogates, which no name in UTF-8 has. The library reports them. */
function surrogateBytes(value) {
  return Buffer.concat([Buffer.from(value), Buffer.from([0xed, 0xa0, 0x80])]);
}

function directory(name, value) {
  if (typeof value === "string") return value;
  if (value instanceof URL && value.protocol === "file:") return fileURLToPath(value);
  throw argumentError(TypeError, `\`${name}\` is a path or a URL of a file, not ${kind(value)}`);
}

function directories(name, value) {
  return list(value).map((each) => directory(name, each));
}

function texts(name, value) {
  return list(value).map((each) => text(name, each));
}

function text(name, value) {
  if (typeof value === "string") return value;
  throw argumentError(TypeError, `\`${name}\` is a string, not ${kind(value)}`);
}

function bytes(name, value) {
  if (typeof value !== "number") {
    throw argumentError(TypeError, `\`${name}\` is a number of bytes, not ${kind(value)}`);
  }
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw argumentError(RangeError, `\`${name}\` is a number of bytes, not ${value}`);
}

function milliseconds(name, value) {
  if (typeof value !== "number") {
    throw argumentError(TypeError, `\`${name}\` is a number of milliseconds, not ${kind(value)}`);
  }
  if (Number.isFinite(value) && value >= 0) return value;
  throw argumentError(RangeError, `\`${name}\` is a number of milliseconds, not ${value}`);
}

function record(name, value, convert) {
  const entries = Object.entries(object(name, value));
  return Object.fromEntries(entries.map(([key, each]) => [key, convert(`${name}.${key}`, each)]));
}

function object(name, value) {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw argumentError(TypeError, `\`${name}\` is an object, not ${kind(value)}`);
}

function list(value) {
  return Array.isArray(value) ? value : [value];
}

function kind(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a value of the type ${typeof value}`;
}

module.exports = { SETTINGS, directory, object, path, readOptions, settings };

// The part of WASI 0.2 that the component imports: a tree of files that can only be read, clocks, and
// streams without content. There are no sockets and no HTTP, as the component imports none.
//
// A directory is `{ entries: Map<string, node>, modified }`. A file is `{ size, modified, read }`, where
// `read(offset, length)` returns at most that many bytes as a `Uint8Array`, and `modified` is in
// milliseconds since 1970 or `undefined`.
//
// A function fails by throwing the error code of WASI, as the generated code expects it. The error of a
// stream is a variant, which the generated code takes as the `payload` of what is thrown.

/** Bytes that one call returns at most. The caller asks again for the rest. */
const READ_BYTES = 8 << 20;

let nodes = 0;
const numbers = new WeakMap();

/** A number for each file or directory, by which two descriptors of it are the same. */
function number(node) {
  let found = numbers.get(node);
  if (found === undefined) {
    found = nodes += 1;
    numbers.set(node, found);
  }
  return found;
}

function time(milliseconds) {
  if (!Number.isFinite(milliseconds) || milliseconds < 0) return undefined;
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanoseconds: Math.floor((milliseconds - seconds * 1000) * 1e6) };
}

function stat(node) {
  const modified = time(node.modified);
  return {
    type: node.entries ? "directory" : "regular-file",
    linkCount: 1n,
    size: BigInt(node.entries ? 0 : node.size),
    dataAccessTimestamp: modified,
    dataModificationTimestamp: modified,
    statusChangeTimestamp: modified,
  };
}

function hash(node) {
  const changed = BigInt(Math.floor(node.modified ?? 0));
  return { lower: BigInt(number(node)), upper: (changed << 20n) ^ BigInt(node.size ?? 0) };
}

/** The node at a path below a directory. `..` does not lead out of it. */
function find(directory, path) {
  if (path.startsWith("/")) throw "not-permitted";
  const passed = [directory];
  for (const name of path.split("/")) {
    const here = passed.at(-1);
    if (!here.entries) throw "not-directory";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (passed.length === 1) throw "not-permitted";
      passed.pop();
      continue;
    }
    const next = here.entries.get(name);
    if (!next) throw "no-entry";
    passed.push(next);
  }
  return passed.at(-1);
}

class DirectoryEntryStream {
  #entries;

  constructor(entries) {
    this.#entries = entries;
  }

  readDirectoryEntry() {
    const { done, value } = this.#entries.next();
    if (done) return undefined;
    const [name, node] = value;
    return { name, type: node.entries ? "directory" : "regular-file" };
  }
}

class Descriptor {
  #node;

  constructor(node) {
    this.#node = node;
  }

  stat() {
    return stat(this.#node);
  }

  statAt(_flags, path) {
    return stat(find(this.#node, path));
  }

  openAt(_flags, path, { create, directory, exclusive, truncate }, { write, mutateDirectory }) {
    if (create || exclusive || truncate || write || mutateDirectory) throw "read-only";
    const node = find(this.#node, path);
    if (directory && !node.entries) throw "not-directory";
    return new Descriptor(node);
  }

  read(length, offset) {
    const { entries, size } = this.#node;
    if (entries) throw "is-directory";
    const start = Number(offset);
    const wanted = Math.min(Number(length), READ_BYTES, size - start);
    if (wanted <= 0) return [new Uint8Array(), true];
    const bytes = this.#node.read(start, wanted);
    return [bytes, start + bytes.length >= size];
  }

  readViaStream(offset) {
    if (this.#node.entries) throw "is-directory";
    return new InputStream(this.#node, Number(offset));
  }

  readDirectory() {
    if (!this.#node.entries) throw "not-directory";
    return new DirectoryEntryStream(this.#node.entries.entries());
  }

  readlinkAt(path) {
    find(this.#node, path);
    throw "invalid";
  }

  getFlags() {
    return { read: true };
  }

  metadataHash() {
    return hash(this.#node);
  }

  metadataHashAt(_flags, path) {
    return hash(find(this.#node, path));
  }

  isSameObject(other) {
    return this.#node === other.#node;
  }

  writeViaStream() {
    throw "read-only";
  }

  appendViaStream() {
    throw "read-only";
  }
}

class Pollable {
  block() {}
}

/** The cause of a failed stream. */
class StreamError {
  #code;

  constructor(code) {
    this.#code = code;
  }

  toDebugString() {
    return this.#code;
  }
}

/** The bytes of a file after an offset. Without a file, there are none. */
class InputStream {
  #node;
  #offset;

  constructor(node, offset) {
    this.#node = node;
    this.#offset = offset;
  }

  read(length) {
    const left = this.#node ? this.#node.size - this.#offset : 0;
    const wanted = Math.min(Number(length), READ_BYTES, left);
    if (left <= 0) throw { payload: { tag: "closed" } };
    let bytes;
    try {
      bytes = this.#node.read(this.#offset, wanted);
    } catch (code) {
      throw { payload: { tag: "last-operation-failed", val: new StreamError(`${code}`) } };
    }
    this.#offset += bytes.length;
    return bytes;
  }

  blockingRead(length) {
    return this.read(length);
  }

  subscribe() {
    return new Pollable();
  }
}

class OutputStream {
  #write;

  constructor(write) {
    this.#write = write;
  }

  checkWrite() {
    return 65536n;
  }

  write(bytes) {
    this.#write(bytes);
  }

  blockingWriteAndFlush(bytes) {
    this.#write(bytes);
  }

  blockingFlush() {}

  subscribe() {
    return new Pollable();
  }
}

/** Only named by imports. An object of it is never made. */
class Unused {}

/**
 * The imports of the component.
 *
 * @param {object} root the directory that may be read. It is named `/`.
 * @param {(bytes: Uint8Array) => void} print called with what the component prints, such as the message
 *   of a defect
 */
export function wasi(root, print = () => {}) {
  const output = new OutputStream(print);
  const terminal = () => undefined;
  return {
    "wasi:cli/environment": { getEnvironment: () => [], getArguments: () => [] },
    "wasi:cli/exit": {
      exit() {
        throw new Error("the component ended itself");
      },
    },
    "wasi:cli/stdin": { getStdin: () => new InputStream(null, 0) },
    "wasi:cli/stdout": { getStdout: () => output },
    "wasi:cli/stderr": { getStderr: () => output },
    "wasi:cli/terminal-input": { TerminalInput: Unused },
    "wasi:cli/terminal-output": { TerminalOutput: Unused },
    "wasi:cli/terminal-stdin": { getTerminalStdin: terminal },
    "wasi:cli/terminal-stdout": { getTerminalStdout: terminal },
    "wasi:cli/terminal-stderr": { getTerminalStderr: terminal },
    "wasi:clocks/monotonic-clock": { now: () => BigInt(Math.floor(performance.now() * 1e6)) },
    "wasi:clocks/wall-clock": { now: () => time(Date.now()) },
    "wasi:filesystem/preopens": { getDirectories: () => [[new Descriptor(root), "/"]] },
    "wasi:filesystem/types": { Descriptor, DirectoryEntryStream },
    "wasi:io/error": { Error: StreamError },
    "wasi:io/poll": { Pollable },
    "wasi:io/streams": { InputStream, OutputStream },
    "wasi:random/insecure-seed": {
      insecureSeed: () => [...crypto.getRandomValues(new BigUint64Array(2))],
    },
  };
}

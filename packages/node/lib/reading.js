"use strict";

const { load } = require("./native.js");
const { argumentError, cancelledBefore, readError, ClosedError, ConfigError, SessionError } = require("./errors.js");
const { Reply } = require("./reply.js");
const { directory: directoryOf, object, path: pathOf, readOptions, settings } = require("./arguments.js");

const native = load();

const DIALECTS = Object.freeze(native.dialects());
const APIS = Object.freeze(native.apis());
const OPTIONS = Object.freeze(Object.fromEntries(native.optionTable()));

/** The running reads of this copy of the package on this thread: the functions that settle their promises. */
const running = new Map();

const reads = new native.Reads((number, failed, value) => {
  const settle = running.get(number);
  running.delete(number);
  // Nothing else of omniread keeps the process alive.
  if (running.size === 0) reads.rest();
  settle(failed, value);
});

// Reads that run when the process ends are cancelled, and it waits for them for two seconds at most. The compiled part does
// the same when a worker is terminated, which no event of JavaScript reports. All copies of the package have one listener:
// Node warns of more than ten, and programs such as runners of tests load the package again and again.
const ENDS = Symbol.for("omniread.ends");
if (process[ENDS] === undefined) {
  Object.defineProperty(process, ENDS, { value: new Set() });
  process.on("exit", () => {
    for (const end of process[ENDS]) end();
  });
}
process[ENDS].add(() => reads.shutDown());

/** Runs something on another thread. The promise has what it returns. Its failure is thrown where it was awaited. */
async function run(owners, path, signal, start) {
  if (signal?.aborted) throw cancelledBefore(shown(path), signal.reason);
  const number = checked(start);
  const { failed, value } = await new Promise((resolve) => {
    running.set(number, (failed, value) => resolve({ failed, value }));
    for (const owner of owners) owner.add(number);
    signal?.addEventListener("abort", cancelThis, { once: true });
  });
  for (const owner of owners) owner.delete(number);
  signal?.removeEventListener("abort", cancelThis);
  if (failed) throw failure(value, path, signal);
  return value;

  function cancelThis() {
    reads.cancel(number);
  }
}

/** The error of a failure, which the compiled part returns as JSON. */
function failure(json, path, signal) {
  const facts = JSON.parse(json);
  if (facts.session !== undefined) return new SessionError(facts.session);
  const cause = signal?.aborted && facts.error.kind === "cancelled" ? signal.reason : undefined;
  return readError(facts, shown(path), cause);
}

/** Calls the compiled part, and throws its errors as those of this package. */
function checked(call) {
  try {
    return call();
  } catch (error) {
    switch (error.code) {
      case "ERR_OMNIREAD_CONFIG":
        throw new ConfigError(error.message);
      case "ERR_OMNIREAD_SESSION":
        throw new SessionError(error.message);
      case "ERR_OMNIREAD_CLOSED":
        throw new ClosedError(error.message);
      case "ERR_OMNIREAD_OPTION":
        throw argumentError(RangeError, error.message);
      default:
        throw error;
    }
  }
}

function shown(path) {
  return typeof path === "string" || path === undefined ? path : Buffer.from(path).toString();
}

function oneOf(what, names, name) {
  if (names.includes(name)) return name;
  throw argumentError(RangeError, `there is no ${what} \`${String(name)}\`: the ${what}s are ${names.join(", ")}`);
}

function signalOf(signal) {
  if (signal === undefined || signal === null) return undefined;
  if (typeof signal.aborted === "boolean" && typeof signal.addEventListener === "function") return signal;
  throw argumentError(TypeError, "`signal` is an AbortSignal");
}

/** The arguments of a model as JSON. */
function jsonOf(args) {
  if (typeof args === "string") return args;
  const json = args === null || typeof args !== "object" ? undefined : JSON.stringify(args);
  if (json !== undefined) return json;
  throw argumentError(TypeError, "the arguments of a call are JSON or an object");
}

function refuseSignal(options, name) {
  if (options?.signal) {
    throw argumentError(TypeError, `\`${name}Sync\` blocks this thread, so that no signal can arrive: use \`${name}\``);
  }
}

class Reader {
  #native;
  #sessions = new Set();
  #running = new Set();

  constructor(roots, options) {
    const text = settings(roots, options);
    this.#native = checked(() => new native.Reader(text));
  }

  get roots() {
    return checked(() => this.#native.roots());
  }

  get closed() {
    return this.#native.closed;
  }

  session(directory) {
    const state = directory === undefined || directory === null ? undefined : directoryOf("directory", directory);
    return new Session(this, { native: this.#native, state, readerRuns: this.#running });
  }

  tools(api, dialect = "omp", options) {
    const { current = false, ...others } = object("options", options);
    for (const name of Object.keys(others)) {
      throw argumentError(TypeError, `\`tools\` has no option \`${name}\`: the option is current`);
    }
    oneOf("API", APIS, api);
    oneOf("dialect", DIALECTS, dialect);
    const { failed, value } = checked(() => this.#native.tools(api, dialect, Boolean(current)));
    if (failed) throw failure(value);
    return JSON.parse(value);
  }

  async complete(path, most = 100) {
    if (typeof path !== "string") throw argumentError(TypeError, "the start of a path is a string");
    if (!Number.isSafeInteger(most) || most < 0) throw argumentError(RangeError, `\`most\` is a number, not ${most}`);
    const start = () => reads.complete(this.#native, path, Math.min(most, 0xffff_ffff));
    return JSON.parse(await run([this.#running], path, undefined, start));
  }

  close() {
    for (const number of this.#running) reads.cancel(number);
    this.#native.close();
  }
}

class Session {
  #native;
  #reader;
  #owners;

  /** Called by `Reader.session`. */
  constructor(reader, { native: nativeReader, state, readerRuns }) {
    this.#reader = reader;
    this.#owners = [new Set(), readerRuns];
    const opened = checked(() => new native.Session(nativeReader, state));
    this.#native = opened;
    for (const warning of opened.warnings()) process.emitWarning(warning, { type: "OmnireadWarning" });
  }

  get reader() {
    return this.#reader;
  }

  get closed() {
    return this.#native.closed;
  }

  async read(path, options) {
    const plain = pathOf(path);
    // Most reads have no options, and then nothing is converted.
    if (options === undefined) {
      return new Reply(await this.#run(plain, undefined, () => reads.read(this.#native, plain)));
    }
    const { words, signal } = requestOf(options);
    return new Reply(await this.#run(plain, signal, () => reads.read(this.#native, plain, words)));
  }

  readSync(path, options) {
    refuseSignal(options, "read");
    const plain = pathOf(path);
    const { words } = requestOf(options);
    return replyOf(checked(() => this.#native.read(plain, words)), plain);
  }

  async call(dialect, args, options) {
    const json = jsonOf(args);
    const { words, signal } = callOf(dialect, options);
    return new Reply(await this.#run(undefined, signal, () => reads.call(this.#native, json, words)));
  }

  callSync(dialect, args, options) {
    refuseSignal(options, "call");
    const json = jsonOf(args);
    const { words } = callOf(dialect, options);
    return replyOf(checked(() => this.#native.call(json, words)), undefined);
  }

  async stale(path) {
    const plain = pathOf(path);
    return this.#run(plain, undefined, () => reads.stale(this.#native, plain));
  }

  async changes(path) {
    const plain = pathOf(path);
    return JSON.parse(await this.#run(plain, undefined, () => reads.changes(this.#native, plain)));
  }

  async recordWrite(path, data) {
    const plain = pathOf(path);
    if (typeof data !== "string" && !(data instanceof Uint8Array)) {
      throw argumentError(TypeError, `the content is a string or a Uint8Array, not a value of the type ${typeof data}`);
    }
    const bytes = Buffer.from(data);
    return JSON.parse(await this.#run(plain, undefined, () => reads.recordWrite(this.#native, plain, bytes)));
  }

  async clear() {
    await this.#run(undefined, undefined, () => reads.clear(this.#native));
  }

  close() {
    for (const number of this.#owners[0]) reads.cancel(number);
    this.#native.close();
  }

  #run(path, signal, start) {
    return run(this.#owners, path, signal, start);
  }
}

// Node 18 and older have no such symbols, and neither have programs that run in an old Electron.
for (const Kind of [Reader, Session]) {
  for (const [symbol, close] of [
    [Symbol.dispose, function () { this.close(); }],
    [Symbol.asyncDispose, async function () { this.close(); }],
  ]) {
    if (symbol) Object.defineProperty(Kind.prototype, symbol, { value: close, configurable: true, writable: true });
  }
}

function replyOf({ failed, value }, path) {
  if (failed) throw failure(value, path);
  return new Reply(value);
}

/** A request for the compiled part: its dialect, and then the names and values of its options. */
function requestOf(options) {
  if (options === undefined) return {};
  const all = object("options", options);
  const dialect = oneOf("dialect", DIALECTS, all.dialect ?? "omp");
  return { words: [dialect, ...readOptions(all, OPTIONS)], signal: signalOf(all.signal) };
}

function callOf(dialect, options) {
  oneOf("dialect", DIALECTS, dialect);
  if (options?.dialect !== undefined) throw argumentError(TypeError, "the dialect of a call is its first argument");
  return requestOf({ ...object("options", options), dialect });
}

/** The session of the function `read`: its root is the current directory. */
let kept;

function session() {
  const directory = process.cwd();
  if (kept?.directory !== directory) kept = { directory, session: new Reader(directory).session() };
  return kept.session;
}

async function read(path, options) {
  return session().read(path, options);
}

function readSync(path, options) {
  return session().readSync(path, options);
}

function tools(api, dialect, options) {
  return session().reader.tools(api, dialect, options);
}

module.exports = { APIS, DIALECTS, OPTIONS, Reader, Session, read, readSync, tools, version: native.VERSION };

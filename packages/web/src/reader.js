// The worker that reads, and the compiled modules, which outlive it.

/** Thrown by `Reader.read` if a newer read replaced it. */
export class Replaced extends Error {}

/** Bytes of the modules without which nothing can be read come first. The engines follow one by one. */
const inOrder = (modules) => [
  ...modules.filter(({ exports }) => !exports),
  ...modules.filter(({ exports }) => exports).sort((one, other) => one.order - other.order),
];

async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: the server replied ${response.status}`);
  // A server that does not know the type of `.wasm` files: the bytes are compiled after they arrived.
  if (!response.headers.get("content-type")?.startsWith("application/wasm")) {
    return WebAssembly.compile(await response.arrayBuffer());
  }
  return WebAssembly.compileStreaming(response);
}

/**
 * The address of the script of a worker, which imports `worker.js`. A worker of a `blob:` address has the
 * policy of the page. That of a file has the policy of the response, and a server of files sends none.
 * `worker-src` names both, as browsers check what such a script imports like the script of a worker.
 */
function scriptOf(base) {
  const script = `import ${JSON.stringify(new URL("worker.js", base).href)};`;
  return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}

/** The time after which the engines are compiled, unless a read runs. */
const IDLE_MILLISECONDS = 50;

/** The longest time until a worker has taken a read. It is longer than a copy of a long list of files. */
const START_MILLISECONDS = 30_000;

let workers = 0;

export class Reader {
  #base;
  #script;
  #progress;
  #manifest = null;
  /** Compiled modules by name, and promises of those that are awaited. */
  #compiled = new Map();
  #awaited = new Map();
  /** Settled when the first read can begin. */
  #loaded;
  #settle;
  /** What was opened, by the name at the top: lists of `[path, blob]`. */
  #files = new Map();
  #worker = null;
  /** The functions that take the answers of the worker, by the number of the message. */
  #answers = new Map();
  #id = 0;
  /** The read that is running or waits for a module. */
  #current = null;

  /**
   * @param {URL} base the directory of the page
   * @param {(facts: {loaded: number, total: number, ready: boolean}) => void} progress called while the
   *   modules without which nothing can be read are compiled
   */
  constructor(base, progress) {
    this.#base = base;
    this.#script = scriptOf(base);
    this.#progress = progress;
    this.#loaded = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#loaded.catch(() => {});
  }

  /** Compiles the modules. Resolves when the first read can begin. */
  load(manifest) {
    this.#manifest = manifest;
    this.#load(inOrder(manifest.modules)).then(this.#settle.resolve, this.#settle.reject);
    return this.#loaded;
  }

  async #load(modules) {
    // Its code is loaded while the modules are compiled.
    this.#start();
    const essential = modules.filter(({ exports }) => !exports);
    const total = essential.reduce((sum, { size }) => sum + size, 0);
    let loaded = 0;
    let failed = false;
    this.#progress({ loaded, total, ready: false });
    const each = essential.map(async ({ name, size }) => {
      await this.#compile(name);
      loaded += size;
      // Others may arrive after one that failed.
      if (!failed) this.#progress({ loaded, total, ready: false });
    });
    await Promise.all(each).catch((error) => {
      failed = true;
      throw error;
    });
    this.#progress({ loaded, total, ready: true });
    // The first read comes first.
    const loadEngines = () => this.#loadEngines(modules.filter(({ exports }) => exports));
    setTimeout(() => {
      const current = this.#current;
      if (current) current.finished.then(loadEngines);
      else loadEngines();
    }, IDLE_MILLISECONDS);
  }

  async #loadEngines(engines) {
    for (const { name } of engines) {
      // A read that needs the engine tries again, and reports the failure.
      await this.#compile(name).catch(() => {});
    }
  }

  /** Compiles a module once, and hands it to the worker. */
  #compile(name) {
    const before = this.#awaited.get(name);
    if (before) return before;
    const compiled = compile(new URL(`component/${name}`, this.#base)).then(
      (module) => {
        this.#compiled.set(name, module);
        this.#worker?.postMessage({ type: "modules", added: [[name, module]] });
      },
      (error) => {
        this.#awaited.delete(name);
        throw error;
      },
    );
    this.#awaited.set(name, compiled);
    return compiled;
  }

  /** Starts a worker, in place of one that runs. */
  #start() {
    this.#worker?.terminate();
    this.#lose({ tag: "replaced" });
    const lock = `omniread-${performance.timeOrigin}-${(workers += 1)}`;
    const worker = new Worker(this.#script, { type: "module" });
    this.#worker = worker;
    const ended = (reason) => {
      if (this.#worker !== worker) return;
      worker.terminate();
      // The next message starts one.
      this.#worker = null;
      this.#lose(reason);
    };
    worker.onmessage = ({ data }) => {
      if (this.#worker !== worker) return;
      if (data.taken) {
        this.#answers.get(data.id)?.taken();
      } else if (data.locked === undefined) {
        this.#answers.get(data.id)?.answered(data);
        this.#answers.delete(data.id);
      } else if (data.locked) {
        // Granted when the worker has ended.
        navigator.locks.request(lock, () => ended("the worker ended"));
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      ended(event.message || "the worker cannot be started");
    };
    worker.postMessage({ type: "lock", name: lock });
    const modules = [];
    for (const { name, exports } of this.#manifest.modules) {
      const module = this.#compiled.get(name) ?? (exports && { missing: name, exports });
      if (module) modules.push([name, module]);
    }
    worker.postMessage({ type: "modules", added: modules });
    worker.postMessage({ type: "files", added: [...this.#files.values()].flat(), removed: [] });
  }

  /** Opens files, and closes those with the same name at the top. */
  open(name, entries) {
    this.#files.set(name, entries);
    this.#worker?.postMessage({ type: "files", added: entries, removed: [name] });
  }

  close(name) {
    this.#files.delete(name);
    this.#worker?.postMessage({ type: "files", added: [], removed: [name] });
  }

  /** The worker will not answer. */
  #lose(reason) {
    for (const { lost } of this.#answers.values()) lost(reason);
    this.#answers.clear();
  }

  /** Resolves to the answer. `taken` is called when the worker has taken all that was sent before. */
  #send(message, taken = () => {}) {
    if (!this.#worker) this.#start();
    this.#id += 1;
    const id = this.#id;
    return new Promise((answered, lost) => {
      this.#answers.set(id, { answered, lost, taken });
      this.#worker.postMessage({ ...message, id });
    });
  }

  /** Cancels the read that is running. */
  cancel() {
    this.#current?.interrupt({ tag: "cancelled" });
  }

  /**
   * Reads a path. A read that is running is ended.
   *
   * The time limit begins when the worker has taken the files: it is not used up by the start of a worker
   * or by the copy of a long list of files.
   *
   * @returns {Promise<{reply?: object, failure?: object, facts?: object}>} `failure` is also that of a
   *   read which was cancelled, took too long, or whose worker ended
   */
  async read(path, dialect, milliseconds) {
    this.#current?.interrupt({ tag: "replaced" });
    let started = performance.now();
    const current = { running: false };
    const interrupted = new Promise((_, reject) => {
      current.interrupt = (reason) => {
        // Before the worker is replaced, so that this is the reason.
        reject(reason);
        // Nothing else ends a call of the component.
        if (current.running) this.#start();
        current.running = false;
      };
    });
    interrupted.catch(() => {});
    let finish;
    current.finished = new Promise((resolve) => {
      finish = resolve;
    });
    this.#current = current;
    let timer;
    const taken = () => {
      if (!current.running) return;
      clearTimeout(timer);
      started = performance.now();
      timer = setTimeout(() => current.interrupt({ tag: "time" }), milliseconds);
    };
    try {
      await Promise.race([this.#loaded, interrupted]);
      for (;;) {
        current.running = true;
        timer = setTimeout(() => current.interrupt("the worker does not answer"), START_MILLISECONDS);
        const sent = this.#send({ type: "read", path, dialect }, taken);
        const answer = await Promise.race([sent, interrupted]);
        current.running = false;
        clearTimeout(timer);
        if (answer.crash) throw answer.crash;
        if (!answer.missing) return answer;
        await Promise.race([this.#compile(answer.missing), interrupted]);
      }
    } catch (reason) {
      clearTimeout(timer);
      current.running = false;
      if (reason?.tag === "replaced") throw new Replaced();
      return await this.#describe(path, dialect, reason, { milliseconds, started });
    } finally {
      if (this.#current === current) this.#current = null;
      finish();
    }
  }

  /** The failure of a read that did not end by itself. */
  async #describe(path, dialect, cause, { milliseconds, started }) {
    const elapsed = BigInt(Math.round(performance.now() - started));
    const text = cause?.tag ?? `${cause?.message ?? cause}`;
    let reason = { tag: "internal", val: text };
    if (cause?.tag === "cancelled") reason = { tag: "cancelled", val: path };
    if (cause?.tag === "time") {
      const limit = { name: "time", value: BigInt(milliseconds), ran: undefined, elapsed };
      reason = { tag: "limit", val: limit };
    }
    try {
      const { failure } = await this.#send({ type: "describe", path, dialect, reason });
      if (failure) return { failure };
    } catch {
      // Without a worker, the page describes it.
    }
    const message = `cannot read \`${path}\`: ${text}`;
    return { failure: { reason, message, hint: undefined, text: message, structured: "{}" } };
  }
}

// Reads paths. Each read has an instance of its own, which is made after the reply before it, so that a
// read does not wait for it.

import { instantiate } from "./component/omniread.js";
import { fresh, Missing } from "./component.js";
import { add, date } from "./tree.js";
import { wasi } from "./wasi.js";

// The generated code asks for it, and without it catches an error for each export of each instance.
WebAssembly.promising ??= (call) => call;

/** Bytes of the messages of a defect that are kept. */
const PRINTED_BYTES = 8192;

const root = { entries: new Map() };
const modules = new Map();
const decoder = new TextDecoder();
let printed = "";
const imports = wasi(root, (bytes) => {
  if (printed.length < PRINTED_BYTES) printed += decoder.decode(bytes);
});

let prepared = null;

/** Makes the instance of the next read, unless there is one. */
function prepare() {
  prepared ??= fresh(instantiate, modules, imports);
}

/** Calls a function with an instance that no call has used. */
function call(work) {
  prepare();
  const instance = prepared;
  prepared = null;
  printed = "";
  try {
    return { ...work(instance), instance };
  } catch (error) {
    if (error instanceof Missing) return { missing: error.module, instance };
    // A failure that the component returned.
    if (error && Object.hasOwn(error, "payload")) return { failure: error.payload, instance };
    return { crash: printed.trim() || `${error?.message ?? error}`, instance };
  }
}

/** The default options, which are the same for all reads. */
let defaults = null;

function options() {
  if (!defaults) {
    const { value, crash } = call(({ read }) => ({ value: read.defaults() }));
    if (!value) throw new Error(crash);
    defaults = value;
  }
  return defaults;
}

function read({ path, dialect }) {
  const given = options();
  return call(({ read }) => ({ reply: read.readAs(path, dialect, given) }));
}

/** The failure of a read that was ended, in the format of a dialect. */
function describe({ path, dialect, reason }) {
  const given = options();
  const input = { tag: "path", val: path };
  return call(({ tools }) => ({ failure: tools.describeFailure(dialect, input, given, reason) }));
}

/** The images and attachments of a reply as bytes: base64 would be copied as a long string. */
function unpack(reply) {
  const transferred = [];
  for (const block of reply.blocks) {
    if (block.tag !== "image" && block.tag !== "attachment") continue;
    const text = atob(block.val.data);
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    block.val = { mime: block.val.mime, bytes };
    transferred.push(bytes.buffer);
  }
  return transferred;
}

function answer(message, work) {
  const started = performance.now();
  let result;
  try {
    result = work(message);
  } catch (error) {
    result = { crash: `${error?.message ?? error}` };
  }
  const { reply, failure, crash, missing, instance } = result;
  const milliseconds = performance.now() - started;
  const transferred = reply ? unpack(reply) : [];
  const facts = { milliseconds, engines: instance?.engines ?? [], memory: instance?.memory() ?? 0 };
  postMessage({ id: message.id, reply, failure, crash, missing, facts }, transferred);
  // After the reply is sent.
  setTimeout(() => {
    try {
      prepare();
    } catch {
      // The next read fails in the same way, and reports it.
    }
  });
}

const handlers = {
  // The lock is released when the worker ends for any reason, which the page cannot see otherwise.
  lock({ name }) {
    if (!navigator.locks) return postMessage({ locked: false });
    navigator.locks.request(name, () => {
      postMessage({ locked: true });
      return new Promise(() => {});
    });
  },
  modules({ added }) {
    for (const [name, module] of added) modules.set(name, module);
    prepared = null;
  },
  files({ added, removed }) {
    for (const name of removed) root.entries.delete(name);
    for (const [path, blob] of added) add(root, path, blob);
    date(root);
  },
  read(message) {
    // The messages before it, with modules and files, are done.
    postMessage({ id: message.id, taken: true });
    answer(message, read);
  },
  describe: (message) => answer(message, describe),
};

onmessage = ({ data }) => handlers[data.type](data);

// Instances of the component.
//
// The component consists of core modules: the reader, the engines that it calls (SQLite, images,
// documents, PDF), and small ones that connect them. Most reads call no engine or one. So an engine
// is instantiated at its first call: an instance without engines takes a third of the time, and
// reserves the addresses of two memories instead of seven, of which a browser has a limited number.

/** The exports by which an engine, or the replacement of `wasi:http`, is recognized. */
const ENGINE = /^(omniread:parts\/(sqlite|images|documents|pdf)|(wasi:http\/types))@/;

/** A module that a read needs, but that is not compiled yet. */
export class Missing extends Error {
  constructor(name) {
    super(`the module ${name} is not compiled yet`);
    this.module = name;
  }
}

/** The interfaces of engines that a compiled module exports, such as `sqlite`. */
function engine(exports) {
  for (const { name } of exports) {
    const found = ENGINE.exec(name);
    if (found) return found[2] ?? "http";
  }
  return null;
}

/** Describes each module once, because the lists of exports take time to make. */
const descriptions = new WeakMap();

function describe(module) {
  let description = descriptions.get(module);
  if (!description) {
    const exports = WebAssembly.Module.exports(module);
    description = { exports, engine: engine(exports) };
    descriptions.set(module, description);
  }
  return description;
}

/**
 * The exports of an instance that is made when one of them is used. A memory is an object with
 * `buffer`, which is all that the generated code uses of it.
 */
function deferred(exports, instantiate) {
  let real = null;
  const use = () => (real ??= instantiate());
  const made = {};
  for (const { name, kind } of exports) {
    if (kind === "function") {
      made[name] = (...values) => use()[name](...values);
    } else {
      made[name] = {
        get buffer() {
          return use()[name].buffer;
        },
        real: () => use()[name],
      };
    }
  }
  return made;
}

/** Replaces deferred memories by real ones. */
function resolved(imports) {
  const made = { ...imports };
  for (const [name, values] of Object.entries(imports)) {
    if (Object.values(values).some((value) => value?.real)) {
      const entries = Object.entries(values);
      made[name] = Object.fromEntries(entries.map(([key, value]) => [key, value?.real?.() ?? value]));
    }
  }
  return made;
}

const needsDeferred = (imports) =>
  Object.values(imports ?? {}).some((values) => Object.values(values).some((value) => value?.real));

/**
 * Makes a fresh instance.
 *
 * @param {Function} instantiate the function of the module that jco generated with
 *   `--instantiation sync`
 * @param {Map<string, WebAssembly.Module | object>} modules the compiled modules by name. A module
 *   that is not compiled yet is an array of its exports, with `missing`, its name.
 * @param {object} imports the implementation of WASI
 * @returns {{read: object, tools: object, engines: string[], memory: () => number}} the exports, the
 *   engines that were called so far, and the bytes of memory of all parts
 */
export function fresh(instantiate, modules, imports) {
  const engines = [];
  const memories = [];
  const create = (module, given) => {
    const instance = new WebAssembly.Instance(module, given);
    if (instance.exports.memory) memories.push(instance.exports.memory);
    return instance;
  };
  const core = (name) => modules.get(name);
  const made = instantiate(core, imports, (module, given) => {
    if (module.missing) {
      return { exports: deferred(module.exports, () => fail(module.missing)) };
    }
    const { exports, engine } = describe(module);
    if (!engine && !needsDeferred(given)) return create(module, given);
    return {
      exports: deferred(exports, () => {
        if (engine) engines.push(engine);
        return create(module, resolved(given ?? {})).exports;
      }),
    };
  });
  const memory = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  return { read: made.read, tools: made.tools, engines, memory };
}

function fail(name) {
  throw new Missing(name);
}

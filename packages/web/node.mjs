// The component in Node as the page uses it, for measurements and tests.

import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Without it, the generated code catches an error for each export of each instance.
WebAssembly.promising ??= (call) => call;

/** The directory of the version in a directory that `build.mjs` wrote. */
export function assets(dist) {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  return join(dist, /src="([0-9a-f]+)\/app\.js"/.exec(page)[1]);
}

/** What `build.mjs` generated: the function `instantiate`, and the compiled modules. */
export async function load(dist) {
  const component = join(assets(dist), "component");
  const { instantiate } = await import(pathToFileURL(join(component, "omniread.js")));
  const modules = new Map();
  for (const name of readdirSync(component).filter((name) => name.endsWith(".wasm"))) {
    modules.set(name, await WebAssembly.compile(readFileSync(join(component, name))));
  }
  return { instantiate, modules };
}

/** A file or directory as `wasi.js` reads it. Symlinks are followed, so pass only what you trust. */
export function tree(path) {
  const { mtimeMs: modified, size, isDirectory } = describe(path);
  if (!isDirectory) {
    return {
      size,
      modified,
      read(offset, length) {
        const file = openSync(path);
        try {
          const bytes = new Uint8Array(length);
          return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
        } finally {
          closeSync(file);
        }
      },
    };
  }
  let entries;
  return {
    modified,
    get entries() {
      entries ??= new Map(readdirSync(path).map((name) => [name, tree(join(path, name))]));
      return entries;
    },
  };
}

function describe(path) {
  const found = statSync(path);
  return { mtimeMs: found.mtimeMs, size: found.size, isDirectory: found.isDirectory() };
}

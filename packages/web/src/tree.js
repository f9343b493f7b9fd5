// The files that a user opened, as the tree that `wasi.js` reads.

/** The error codes of WASI for the errors of the File API. */
const CODES = new Map([
  ["NotFoundError", "no-entry"],
  ["NotReadableError", "io"],
  ["SecurityError", "access"],
  ["NotAllowedError", "access"],
]);

/** A file of the user. Only the parts that are read are in memory. */
function file(blob) {
  const reader = new FileReaderSync();
  return {
    size: blob.size,
    modified: blob.lastModified,
    read(offset, length) {
      try {
        return new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + length)));
      } catch (error) {
        throw CODES.get(error.name) ?? "io";
      }
    },
  };
}

/** Adds a file, or a directory if `blob` is null, at a path such as `src/main.rs`. */
export function add(root, path, blob) {
  const names = path.split("/");
  const last = names.pop();
  let directory = root;
  for (const name of names) {
    let next = directory.entries.get(name);
    if (!next?.entries) {
      next = { entries: new Map() };
      directory.entries.set(name, next);
    }
    directory = next;
  }
  if (blob) {
    directory.entries.set(last, file(blob));
  } else if (!directory.entries.get(last)?.entries) {
    directory.entries.set(last, { entries: new Map() });
  }
}

/** Gives each directory the time of its last changed file, because browsers tell none. */
export function date(directory) {
  let latest;
  for (const node of directory.entries.values()) {
    if (node.entries) date(node);
    if (node.modified !== undefined && !(latest >= node.modified)) latest = node.modified;
  }
  directory.modified = latest;
}

// What the user opens, as lists of `[path, blob]`. An empty directory has no blob.
//
// What cannot be read is left out, and counted as `unread`.

/** Files of one folder that are listed at most, so that a home directory does not stop the page. */
export const MOST_FILES = 100_000;

/** Called with the number of files so far. It lets the page draw. */
async function counted(list, report) {
  if (list.length % 1000 === 0) {
    report(list.length);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function full(list, cut) {
  if (list.length < MOST_FILES) return false;
  cut.reached = true;
  return true;
}

/** Counts files and folders that the browser may not read, or that were deleted meanwhile. */
const unreadable = (cut) => () => {
  cut.unread = (cut.unread ?? 0) + 1;
  return null;
};

/** The files of an `<input type=file>`, by the name at the top. */
export function fromInput(files) {
  const opened = new Map();
  const cut = { reached: files.length > MOST_FILES };
  for (const file of [...files].slice(0, MOST_FILES)) {
    const path = file.webkitRelativePath || file.name;
    const top = path.split("/")[0];
    if (!opened.has(top)) opened.set(top, []);
    opened.get(top).push([path, file]);
  }
  return { opened, cut: cut.reached };
}

/** The files of a directory that `showDirectoryPicker` returned. */
export async function fromHandle(handle, report = () => {}) {
  const list = [];
  const cut = {};
  const failed = unreadable(cut);
  const visit = async (directory, path) => {
    list.push([path, null]);
    for await (const child of directory.values()) {
      if (full(list, cut)) return;
      const below = `${path}/${child.name}`;
      if (child.kind === "directory") {
        await visit(child, below).catch(failed);
      } else {
        const file = await child.getFile().catch(failed);
        if (file) list.push([below, file]);
      }
      await counted(list, report);
    }
  };
  await visit(handle, handle.name);
  return { opened: new Map([[handle.name, list]]), cut: Boolean(cut.reached), unread: cut.unread ?? 0 };
}

const entryFile = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

const nextEntries = (reader) => new Promise((resolve, reject) => reader.readEntries(resolve, reject));

/**
 * The files of a drop. Call it in the event: the browser forgets the items after it.
 *
 * @param {DataTransfer} transfer
 */
export async function fromDrop(transfer, report = () => {}) {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry()).filter(Boolean);
  if (entries.length === 0) return fromInput(transfer.files);
  const opened = new Map();
  const cut = {};
  const failed = unreadable(cut);
  for (const top of entries) {
    const list = [];
    const visit = async (entry, path) => {
      if (!entry.isDirectory) {
        const file = await entryFile(entry).catch(failed);
        if (file) list.push([path, file]);
        return counted(list, report);
      }
      list.push([path, null]);
      const reader = entry.createReader();
      // The browser returns a part of the entries at a time.
      for (let some = await nextEntries(reader); some.length; some = await nextEntries(reader)) {
        for (const child of some) {
          if (full(list, cut)) return;
          await visit(child, `${path}/${child.name}`).catch(failed);
        }
      }
    };
    await visit(top, top.name).catch(failed);
    if (list.length) opened.set(top.name, list);
  }
  return { opened, cut: Boolean(cut.reached), unread: cut.unread ?? 0 };
}

"use strict";

// Finds the package with the compiled part for this system. npm installs only the one that fits, because each states its
// system in `os`, `cpu` and `libc`.

const fs = require("node:fs");
const { PackageError } = require("./errors.js");
const { version, optionalDependencies } = require("../package.json");

/** The name of the system as packages have it: `linux-x64-gnu`. */
function target(platform = process.platform, arch = process.arch) {
  if (platform !== "linux") return `${platform}-${arch}`;
  return `${platform}-${arch}-${usesMusl() ? "musl" : "gnu"}`;
}

/** Whether this program was linked with musl: its head names the loader. `process.report` would take milliseconds. */
function usesMusl() {
  const head = Buffer.alloc(4096);
  let file;
  try {
    file = fs.openSync(process.execPath, "r");
    fs.readSync(file, head, 0, head.length, 0);
  } catch {
    // Without `/proc`, the more frequent library is the better guess. The message of a missing package names it.
    return false;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
  return head.includes("/ld-musl-");
}

function load() {
  const system = target();
  const name = `@omniread/${system}`;
  let native;
  try {
    native = require(name);
  } catch (cause) {
    throw problem(system, name, cause);
  }
  if (native.VERSION !== version) {
    throw new PackageError(
      `the package ${name} has version ${native.VERSION}, and omniread in ${__dirname} has version ${version}: install both ` +
        `in one version, with \`npm install omniread@${version} ${name}@${version}\``,
    );
  }
  return native;
}

function problem(system, name, cause) {
  const isMissing = cause?.code === "MODULE_NOT_FOUND" && String(cause.message).includes(name);
  if (isMissing && !Object.hasOwn(optionalDependencies, name)) {
    const systems = Object.keys(optionalDependencies).map((each) => each.replace("@omniread/", ""));
    return new PackageError(
      `omniread has no package for ${system}: it has them for ${systems.join(", ")}. Build one with \`.ci/node\` in a clone ` +
        "of the project, or run `omniread serve` in a process of its own",
      { cause },
    );
  }
  if (isMissing) {
    return new PackageError(
      `the compiled part of omniread is missing: ${name} is not installed beside ${__dirname}. Run \`npm install ` +
        `${name}@${version}\`, or install omniread again on this system, without \`--omit=optional\``,
      { cause },
    );
  }
  return new PackageError(
    `cannot load ${name}: ${cause?.message ?? cause}. Install it again, with \`npm install --force ${name}@${version}\`` +
      (system.endsWith("-gnu") ? "; it needs glibc 2.28 or later" : ""),
    { cause },
  );
}

module.exports = { load, target };

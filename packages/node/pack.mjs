#!/usr/bin/env node
// Writes the npm packages: `omniread`, and one for each system whose compiled part it is given.
//
//     cargo build --release --package omniread-node
//     node packages/node/pack.mjs OUT [--notices FILE] linux-x64-gnu=target/release/libomniread_node.so
//
// OUT gets a directory and a `.tgz` file for each package. It is replaced if this program has written it. `omniread` comes
// last in a release: its optional dependencies are the others. FILE has the licences of the packages in the compiled part,
// which `release/notices.py --package omniread-node FILE` writes.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
/** Marks a directory that this program has written. */
const MARKER = ".written-by-pack";
/** The licences of the packages in the compiled part. */
const NOTICES = "THIRD-PARTY-NOTICES.txt";
const MANIFEST = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));

/** The systems that have a package, with what npm compares with a system, and the name that Rust has for it. */
export const TARGETS = {
  "darwin-arm64": { os: "darwin", cpu: "arm64", rust: "aarch64-apple-darwin" },
  "darwin-x64": { os: "darwin", cpu: "x64", rust: "x86_64-apple-darwin" },
  "linux-arm64-gnu": { os: "linux", cpu: "arm64", libc: "glibc", rust: "aarch64-unknown-linux-gnu" },
  "linux-arm64-musl": { os: "linux", cpu: "arm64", libc: "musl", rust: "aarch64-unknown-linux-musl" },
  "linux-x64-gnu": { os: "linux", cpu: "x64", libc: "glibc", rust: "x86_64-unknown-linux-gnu" },
  "linux-x64-musl": { os: "linux", cpu: "x64", libc: "musl", rust: "x86_64-unknown-linux-musl" },
  "win32-arm64": { os: "win32", cpu: "arm64", rust: "aarch64-pc-windows-msvc" },
  "win32-x64": { os: "win32", cpu: "x64", rust: "x86_64-pc-windows-msvc" },
};

/** The manifest of the package of a system. */
export function manifestOf(target) {
  const { os, cpu, libc, rust } = TARGETS[target];
  const { version, license, repository, engines } = MANIFEST;
  return {
    name: `@omniread/${target}`,
    version,
    description: `The compiled part of omniread for ${rust}`,
    license,
    repository,
    engines,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    main: "omniread.node",
    files: ["omniread.node", "LICENSE-APACHE", "LICENSE-MIT", NOTICES],
  };
}

/** The version that cargo compiles into the module. */
function cargoVersion() {
  const workspace = readFileSync(join(HERE, "../../Cargo.toml"), "utf8");
  return workspace.split("[workspace.package]")[1].match(/^version = "(.*)"$/m)[1];
}

/** A reason why the packages would not fit together. */
function mismatch() {
  const { name, version, optionalDependencies } = MANIFEST;
  const expected = Object.fromEntries(Object.keys(TARGETS).map((target) => [`@omniread/${target}`, version]));
  if (version !== cargoVersion()) {
    return `${name} has version ${version}, and Cargo.toml has ${cargoVersion()}: write one version in both`;
  }
  const found = JSON.stringify(optionalDependencies);
  if (found !== JSON.stringify(expected)) {
    return `the optional dependencies in package.json are ${found}: write ${JSON.stringify(expected)}`;
  }
  return undefined;
}

/** Packs a directory, and returns the path of its file. */
function pack(directory, out) {
  // The licences of the project are links here, which npm leaves out of a package.
  for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(HERE, name), join(directory, name));
  const arguments_ = ["pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", out];
  const packed = JSON.parse(execFileSync("npm", arguments_, { cwd: directory, encoding: "utf8", shell: process.platform === "win32" }));
  const { filename } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
  return join(out, filename.replace("@", "").replace("/", "-"));
}

/** The arguments. A wrong one is an error with a message, before a file is changed. */
function parsed(words) {
  const rest = [...words];
  const at = rest.indexOf("--notices");
  const [notices] = at < 0 ? [] : rest.splice(at, 2).slice(1);
  const [out, ...pairs] = rest;
  if (!out || (at >= 0 && !notices)) throw new Error("name a directory for the packages, and TARGET=LIBRARY for each system");
  const libraries = new Map();
  for (const pair of pairs) {
    const split = pair.indexOf("=");
    const [target, library] = [pair.slice(0, split), pair.slice(split + 1)];
    if (split < 0 || !Object.hasOwn(TARGETS, target) || !library) {
      throw new Error(`\`${pair}\` is not TARGET=LIBRARY: the targets are ${Object.keys(TARGETS).join(", ")}`);
    }
    if (libraries.has(target)) throw new Error(`there are two libraries for ${target}: name one of them`);
    libraries.set(target, library);
  }
  for (const file of [...libraries.values(), ...(notices ? [notices] : [])]) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`there is no file \`${file}\`: build it first`);
  }
  return { out: resolve(out), notices, libraries };
}

/** Makes the directory of the packages. What this program wrote there before is removed. */
function replace(out) {
  if (existsSync(out)) {
    const others = !statSync(out).isDirectory() || (readdirSync(out).length > 0 && !existsSync(join(out, MARKER)));
    if (others) throw new Error(`\`${out}\` has files that this program did not write: name a new directory`);
    rmSync(out, { recursive: true });
  }
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, MARKER), "");
}

function main(words) {
  let out, notices, libraries;
  try {
    ({ out, notices, libraries } = parsed(words));
    const problem = mismatch();
    if (problem) throw new Error(problem);
    replace(out);
  } catch (error) {
    console.error(`pack.mjs: ${error.message}`);
    return 1;
  }
  for (const [target, library] of libraries) {
    const directory = join(out, target);
    mkdirSync(directory);
    copyFileSync(library, join(directory, "omniread.node"));
    if (notices) copyFileSync(notices, join(directory, NOTICES));
    const name = `\`@omniread/${target}\``;
    writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifestOf(target), null, 2)}\n`);
    writeFileSync(
      join(directory, "README.md"),
      `# ${name}\n\nThe compiled part of [omniread](https://www.npmjs.com/package/omniread) for ${TARGETS[target].rust}. ` +
        "`npm install omniread` installs it where it fits.\n",
    );
    console.log(pack(directory, out));
  }
  const directory = join(out, "omniread");
  mkdirSync(directory);
  for (const name of ["package.json", "README.md"]) copyFileSync(join(HERE, name), join(directory, name));
  cpSync(join(HERE, "lib"), join(directory, "lib"), { recursive: true });
  console.log(pack(directory, out));
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main(process.argv.slice(2));

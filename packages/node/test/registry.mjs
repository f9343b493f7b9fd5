#!/usr/bin/env node
// A registry with the packed packages, as npm would have them, so that a test installs `omniread` as users do.
//
//     node test/registry.mjs PACKED PACK.MJS
//
// It prints its address. It has the packages of all systems, but only those in PACKED can be downloaded. It has no other
// package. `-/downloaded` lists what was downloaded.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packed, script] = process.argv.slice(2);
const { TARGETS, manifestOf } = await import(pathToFileURL(script).href);
const files = readdirSync(packed).filter((name) => name.endsWith(".tgz"));
const main = JSON.parse(readFileSync(join(packed, "omniread/package.json"), "utf8"));
const manifests = [main, ...Object.keys(TARGETS).map(manifestOf)];
/** The names of the files that were downloaded. */
const downloaded = [];

function packument(manifest, origin) {
  const { name, version } = manifest;
  const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  const bytes = files.includes(file) ? readFileSync(join(packed, file)) : Buffer.alloc(0);
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const dist = { tarball: `${origin}/${file}`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(request.url.slice(1));
  const manifest = manifests.find((manifest) => manifest.name === path);
  if (manifest) {
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(packument(manifest, `http://${request.headers.host}`)));
  } else if (files.includes(path)) {
    downloaded.push(path);
    response.end(readFileSync(join(packed, path)));
  } else if (path === "-/downloaded") {
    response.end(JSON.stringify(downloaded.splice(0)));
  } else {
    response.statusCode = 404;
    response.end("{}");
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));

// Serves a directory on this computer: `node serve.mjs [DIRECTORY] [PORT]`.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".bin": "application/octet-stream",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** The path of a request, or null if it is not valid. */
function pathOf(request) {
  try {
    return decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  } catch {
    return null;
  }
}

/** Starts a server for `directory`, and resolves to it when it listens. */
export async function serve(directory, port = 0) {
  const root = resolve(directory);
  const server = createServer(async (request, response) => {
    const requested = pathOf(request);
    if (requested === null || requested.includes("\0")) return response.writeHead(400).end();
    let path = normalize(join(root, requested));
    if (path !== root && !path.startsWith(root + sep)) return response.writeHead(403).end();
    let found = await stat(path).catch(() => null);
    if (found?.isDirectory()) {
      path = join(path, "index.html");
      found = await stat(path).catch(() => null);
    }
    if (!found) return response.writeHead(404).end();
    const etag = `"${found.size}-${found.mtimeMs}"`;
    const headers = { etag, "cache-control": "max-age=600" };
    if (request.headers["if-none-match"] === etag) return response.writeHead(304, headers).end();
    headers["content-type"] = TYPES[extname(path)] ?? "application/octet-stream";
    headers["content-length"] = found.size;
    response.writeHead(200, headers);
    // A file that cannot be read, or a client that goes away, ends only this reply.
    await pipeline(createReadStream(path), response).catch(() => response.destroy());
  });
  await new Promise((listening) => server.listen(port, "127.0.0.1", listening));
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const here = dirname(fileURLToPath(import.meta.url));
  const server = await serve(process.argv[2] ?? join(here, "dist"), Number(process.argv[3] ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}

// Tests of the server of static files.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { serve } from "../serve.mjs";

/** The status and the text of the reply to a path, which is sent as it is. */
function get(server, path) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: server.address().port, path }, (response) => {
      let text = "";
      response.on("data", (part) => (text += part));
      response.on("end", () => resolve([response.statusCode, text]));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("requests that are not valid get a reply, and the server goes on", async () => {
  const top = mkdtempSync(join(tmpdir(), "omniread-web-"));
  const directory = join(top, "served");
  mkdirSync(join(directory, "folder/index.html"), { recursive: true });
  writeFileSync(join(top, "outside.txt"), "outside\n");
  writeFileSync(join(directory, "a.txt"), "one\n");
  const server = await serve(directory);
  try {
    for (const path of ["/%", "//", "/%00", "/a%E0%A4"]) assert.deepEqual(await get(server, path), [400, ""], path);
    assert.deepEqual(await get(server, "/%2e%2e%2foutside.txt"), [403, ""]);
    assert.deepEqual(await get(server, "/missing.txt"), [404, ""]);
    // A file that cannot be read ends this reply only.
    await assert.rejects(get(server, "/folder/"));
    assert.deepEqual(await get(server, "/a.txt"), [200, "one\n"]);
  } finally {
    server.close();
    rmSync(top, { recursive: true });
  }
});

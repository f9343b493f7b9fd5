// A client of `omniread serve`. Run it: `node client.mjs README.md:1-5 missing.txt`

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** Reads paths in a long-lived process. */
export class Omniread {
  #waiting = new Map();
  #ids = 0;

  constructor(args = [], program = "omniread") {
    const stdio = ["pipe", "pipe", "inherit"];
    this.process = spawn(program, [...args, "serve"], { stdio });
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      const reply = JSON.parse(line);
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
  }

  /** Sends a request, and resolves to its reply. A signal cancels it. */
  send(request, signal) {
    const id = this.#ids++;
    signal?.addEventListener("abort", () => this.#write({ cancel: id }));
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#write({ id, ...request });
    });
  }

  /** Resolves to the reply to a path: `blocks` and `details`, or an `error`. */
  read(path, options = {}, signal = undefined) {
    return this.send({ path, options }, signal);
  }

  /** Resolves to the reply to a tool call of a model. */
  call(dialect, args, signal = undefined) {
    return this.send({ dialect, arguments: args }, signal);
  }

  /** Ends the process after all replies. */
  close() {
    this.process.stdin.end();
  }

  #write(message) {
    this.process.stdin.write(JSON.stringify(message) + "\n");
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const omniread = new Omniread();
  for (const path of process.argv.slice(2)) {
    const { error, blocks } = await omniread.read(path);
    console.log(error?.message ?? blocks[0].text ?? "an image");
  }
  omniread.close();
}

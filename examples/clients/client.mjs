// A client of `omniread serve`. Run it: `node client.mjs README.md:1-5 missing.txt`
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** Reads paths in a long-lived process. */
export class Omniread {
  #waiting = new Map();
  #ids = 0;
  #ended;

  constructor(args = [], program = "omniread") {
    this.process = spawn(program, [...args, "serve"], { stdio: ["pipe", "pipe", "inherit"] });
    const end = () => {
      this.#ended = { error: { kind: "ended", message: "omniread has ended", hint: null } };
      this.#waiting.forEach((resolve) => resolve(this.#ended));
    };
    this.process.on("error", end).on("close", end).stdin.on("error", () => {});
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
      if (this.#ended) return resolve(this.#ended);
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

  #write(message) {
    this.process.stdin.write(JSON.stringify(message) + "\n");
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const omniread = new Omniread();
  for (const path of process.argv.slice(2)) {
    const { error, blocks } = await omniread.read(path);
    for (const block of blocks ?? [{ text: error.message }]) console.log(block.text ?? "an image");
  }
  omniread.process.stdin.end(); // The process ends after all replies.
}

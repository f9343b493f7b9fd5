"use strict";

const inspect = Symbol.for("nodejs.util.inspect.custom");

/** An image of a reply, or a file that is passed to the model unchanged. */
class Media {
  #native;
  #index;
  #data;

  constructor(native, part) {
    this.#native = native;
    this.#index = part.index;
    this.type = part.type;
    this.mime = part.mime;
    this.size = part.size;
    this.width = part.width ?? null;
    this.height = part.height ?? null;
  }

  /** The bytes. The first access decodes them. */
  get data() {
    return (this.#data ??= this.#native.bytes(this.#index));
  }

  /** The bytes in base64 with padding, as APIs of models take them. */
  get base64() {
    return this.#native.base64(this.#index);
  }

  [inspect]() {
    const sides = this.width === null ? "" : `, ${this.width} x ${this.height} pixels`;
    return `<Media ${this.mime} of ${this.size} bytes${sides}>`;
  }
}

/** What a read shows: parts for the model, and facts for the program. `String(reply)` is its text. */
class Reply {
  #native;
  #text;
  #blocks;
  #details;
  #structured;

  constructor(native) {
    this.#native = native;
    // The garbage collector does not see what is outside of its memory.
    native.weigh();
  }

  get text() {
    return (this.#text ??= this.#native.text);
  }

  get blocks() {
    this.#blocks ??= this.#native
      .parts()
      .map((part) => (part.type === "text" ? { type: "text", text: part.text } : new Media(this.#native, part)));
    return this.#blocks;
  }

  get images() {
    return this.blocks.filter((block) => block.type === "image");
  }

  get attachments() {
    return this.blocks.filter((block) => block.type === "attachment");
  }

  get details() {
    return (this.#details ??= JSON.parse(this.#native.details()));
  }

  get structured() {
    return (this.#structured ??= JSON.parse(this.#native.structured()));
  }

  get kind() {
    return this.#native.kind;
  }

  get path() {
    return this.#native.path;
  }

  get next() {
    return this.#native.next;
  }

  get notes() {
    return this.#native.notes;
  }

  get isError() {
    return false;
  }

  /** The reply as the command line prints it with `--json`. */
  toJSON() {
    return JSON.parse(this.#native.json());
  }

  toString() {
    return this.text;
  }

  [inspect]() {
    const next = this.next === null ? "" : `, next=${JSON.stringify(this.next)}`;
    return `<Reply ${this.kind} ${JSON.stringify(this.path)}${next}>`;
  }
}

module.exports = { Media, Reply };

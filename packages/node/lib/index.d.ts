/// <reference lib="esnext.disposable" />

/** A path: text, the bytes of a name, or a URL. A URL of a file is its path. */
export type Path = string | Uint8Array | URLLike;

/** A directory: a path, or a URL of a file. */
export type Directory = string | URLLike;

/** A `URL`. The types of this package need no others. */
export interface URLLike {
  readonly href: string;
  readonly protocol: string;
}

/** An `AbortSignal`. */
export interface SignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The arguments and the format of the replies of the read tool of an agent. */
export type Dialect = "omp" | "gateway" | "comma" | "gemini" | "claude" | "opencode" | "codex";

/** An API to which a tool is passed. */
export type Api =
  | "openai"
  | "openai-strict"
  | "openai-responses"
  | "openai-responses-strict"
  | "anthropic"
  | "gemini"
  | "mcp";

/** The kind of a failure. */
export type Reason =
  | "not_found"
  | "outside_roots"
  | "link_outside_roots"
  | "symlink"
  | "denied"
  | "ignored"
  | "permission"
  | "special_file"
  | "directory"
  | "binary"
  | "limit"
  | "query"
  | "invalid_path"
  | "invalid_selector"
  | "invalid_argument"
  | "unsupported"
  | "cancelled"
  | "io"
  | "network"
  | "internal";

/** What reads may access, and their limits. By default, a read can access nothing but the roots. */
export interface ReaderOptions {
  /** A deny rule, or several: patterns as in `.gitignore`, relative to each root. */
  deny?: string | readonly string[] | null;
  /** Directories that internal URLs read, by scheme: `{ docs: "handbook" }` for `docs://plan.md`. */
  mounts?: Readonly<Record<string, Directory | readonly Directory[]>> | null;
  /**
   * The processor time of a read in milliseconds, 10000 by default. A read ends after twenty times as much real time in
   * any case. `null` removes the limit.
   */
  timeout?: number | null;
  /** The memory of a read in bytes, 512 MiB by default, at least 2.5 MiB. */
  memory?: number | null;
  /** The memory of the engines of all reads of the process in bytes, 1 GiB by default. The last reader decides. */
  engineMemory?: number | null;
  /** The size in bytes above which files are refused. There is no limit by default. */
  maxFileSize?: number | null;
  /** The directory that `~` means at the start of a path. */
  home?: Directory | null;
  /** The password of encrypted documents. */
  password?: string | null;
  /**
   * A host that reads may connect to, or several: `example.com`, `example.com:8080`, `*.example.com`, an address, or
   * `public` for all public hosts.
   */
  allowNet?: string | readonly string[] | null;
  /** Headers by host, without a port: `{ "example.com": { Authorization: "Bearer …" } }`. No other host gets them. */
  netHeaders?: Readonly<Record<string, Readonly<Record<string, string>>>> | null;
  /** The time of all requests of a read in milliseconds, 45000 by default. It does not count towards `timeout`. */
  netTimeout?: number | null;
  /** The size of the largest response in bytes, 50 MiB by default. */
  netMaxBytes?: number | null;
  /** The address of a proxy. */
  netProxy?: string | null;
  /** The value of `User-Agent`. */
  netUserAgent?: string | null;
  /** PEM files of certificate authorities that are accepted besides those of the platform. */
  netAuthorities?: Directory | readonly Directory[] | null;
}

/** The options of a reply. `null` means the default. `OPTIONS` has the help of each. */
export interface ReplyOptions {
  /** Lines of a page, 1 to 3000. The default is 300. */
  limit?: number | null;
  /** Pages of up to 8 MiB, and no outlines. */
  all?: boolean | null;
  /** The lines to read, as in the selector of a path: `"50-80"`. */
  lines?: string | null;
  /** A header with a tag, and `N:` before the lines of editable text. On by default. */
  hashlines?: boolean | null;
  /** `N|` before lines that have no `N:`. */
  numbers?: boolean | null;
  /** The agent has an edit tool. Without one, `hashlines` has no effect. On by default. */
  edits?: boolean | null;
  /** Write the header as `¶PATH#TAG`. */
  pilcrow?: boolean | null;
  /** A single range shows one line before it and three after. On by default. */
  margin?: boolean | null;
  /** Show the outline of a long file. On by default. */
  outlines?: boolean | null;
  /** Also show the first lines of the declarations that enclose a range. */
  context?: boolean | null;
  /** The size of the text of a reply in bytes, 4096 to 8 MiB, which is the default. `"256K"` is a size. */
  replyBytes?: number | string | null;
  /** The size of the images of a reply as base64, in bytes, 4096 to 8 MiB, which is the default. */
  replyImages?: number | string | null;
  /** Tokens of the lines of a page, as an estimate, from 100. 0, the default, for no limit. */
  maxTokens?: number | null;
  /** The size of the list of declarations that a page does not show, in percent of the page. */
  rest?: number | null;
  /** Characters of a line of a table, up to 1000. 0, the default, for tables as wide as their values. */
  tableWidth?: number | null;
  /** Describe images, do not show them. */
  imageMetadata?: boolean | null;
  /** Pixels of the longer side of an image that is shown, 64 to 8000. The default is 1568. */
  imageSide?: number | null;
  /** The size of an image that is shown in bytes, 16K to 3840K. The default is 500K. */
  imageBytes?: number | string | null;
  /** Images that a session shows, after which they are described. 0, the default, for no limit. */
  imageBudget?: number | null;
  /** Tokens of the images that a session shows, as an estimate. 0, the default, for no limit. */
  imageBudgetTokens?: number | null;
  /** Seconds after which an issue, a pull request or a diff of GitHub is requested again. The default is 300. */
  githubSoftAge?: number | null;
  /** Seconds after which a copy of one is not shown, even if GitHub does not answer. The default is a week. */
  githubHardAge?: number | null;
  /** The address of the API of GitHub Enterprise: `https://HOST/api/v3`. */
  githubApi?: string | null;
  /** The dialect `comma` takes absolute paths. */
  absolute?: boolean | null;
  /** Names of ignore files at the top of a root, which the dialect `gemini` obeys. */
  ignores?: readonly string[] | null;
  /** A reply that the session has shown before is one line. */
  repeat?: boolean | null;
  /** The path `-` is standard input. */
  stdin?: boolean | null;
}

/** The options of a read. */
export interface ReadOptions extends ReplyOptions {
  /** The dialect, `omp` by default. */
  dialect?: Dialect | null;
}

/** The options of a call. The dialect is an argument of its own. */
export interface CallOptions extends ReplyOptions {}

/** What can be cancelled. */
export interface Cancellable {
  /** The signal that cancels the read, within milliseconds. */
  signal?: SignalLike | null;
}

/** The directories that reads may access, and the limits of a read. Reads by a `Session`. */
export class Reader {
  /**
   * @param roots A directory that reads may access with everything below it, or several. Relative paths belong to the
   *   first. Without one, a read can access no directory.
   * @throws {ConfigError} A root cannot be opened, or a value is wrong.
   * @throws {TypeError} There is no such option, or its value has the wrong type.
   */
  constructor(roots?: Directory | readonly Directory[] | null, options?: ReaderOptions | null);
  /** The absolute paths of the roots. A root has two paths if one of them leads through a symlink. */
  get roots(): string[];
  /** Whether the reader was closed. */
  get closed(): boolean;
  /**
   * Starts a session in which nothing was shown yet.
   *
   * With `directory`, the session continues what is kept there, and outlives the process. The directory is created if it
   * does not exist, and several processes can use it at once. A state that cannot be used is renamed, with a warning of
   * the process. Reads of the directory are denied.
   *
   * @throws {SessionError} The directory cannot be used.
   */
  session(directory?: Directory | null): Session;
  /**
   * The list `tools` of a request to the API of a model, with the tool of a dialect, `omp` by default.
   *
   * With `current`, the tool has the arguments that the tool of the agent has today, if they differ from those of the
   * dialect. `Session.call` takes the arguments of either.
   */
  tools(api: Api, dialect?: Dialect, options?: { current?: boolean }): Record<string, any>[];
  /** Paths that start with `path`, at most `most`, 100 by default. The paths of directories end in `/`. */
  complete(path: string, most?: number): Promise<string[]>;
  /** Cancels the reads of the sessions of this reader, and refuses others. `using` calls this at its end. */
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Reads that share what was shown, and a cache of up to 32 MiB. Use one for each conversation. */
export class Session {
  private constructor();
  /** The reader of the session. */
  get reader(): Reader;
  /** Whether the session or its reader was closed. */
  get closed(): boolean;
  /**
   * Reads a path on another thread.
   *
   * The path may end in a selector, as in `src/main.rs:1-40`, or go on into a container, as in `report.pdf:page:3` or
   * `data.sqlite:users`.
   *
   * @throws {ReadError} There is nothing to show.
   * @throws {TypeError} There is no such option, or its value has the wrong type.
   * @throws {RangeError} The value of an option, or the dialect, is wrong.
   */
  read(path: Path, options?: ReadOptions & Cancellable): Promise<Reply>;
  /** Reads a path as `read` does, and blocks this thread meanwhile. */
  readSync(path: Path, options?: ReadOptions): Reply;
  /**
   * Runs the tool of a dialect with the arguments of a model, which are JSON or an object.
   *
   * @throws {ReadError} The arguments are wrong, or there is nothing to show. Its `text` is for the model.
   */
  call(dialect: Dialect, args: string | object, options?: CallOptions & Cancellable): Promise<Reply>;
  /** Runs the tool of a dialect as `call` does, and blocks this thread meanwhile. */
  callSync(dialect: Dialect, args: string | object, options?: CallOptions): Reply;
  /** Whether a file has changed since this session read it. */
  stale(path: Path): Promise<"unread" | "same" | "touched" | "changed" | "gone">;
  /** What has changed in the lines of a file that this session showed. */
  changes(path: Path): Promise<Changes>;
  /**
   * Says that the program has written this content to a file, so that it is not reported as a change.
   *
   * Call it after the write. The promise has `false` if the session cannot keep it.
   */
  recordWrite(path: Path, data: string | Uint8Array): Promise<boolean>;
  /** Removes everything that the session keeps. */
  clear(): Promise<void>;
  /** Cancels the reads of this session, and refuses others. `using` calls this at its end. */
  close(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Changes of a file since a session showed it, with the names that the JSON of the command line has. */
export interface Changes {
  state: "unread" | "same" | "touched" | "changed" | "gone";
  is_complete: boolean;
  /** Lines that differ, with their numbers from 1. */
  hunks: { old_first: number; old: string[]; new_first: number; new: string[] }[];
}

/** A part of a reply that is text. */
export interface Text {
  readonly type: "text";
  readonly text: string;
}

/** A part of a reply that is an image, or a file that is passed to the model unchanged. */
export class Media {
  private constructor();
  /** The kind of the part. */
  readonly type: "image" | "attachment";
  /** The MIME type, such as `image/png`. */
  readonly mime: string;
  /** The number of bytes. */
  readonly size: number;
  /** The width of the image in pixels. `null` for an image of a document, or an attachment. */
  readonly width: number | null;
  /** The height of the image in pixels. `null` for an image of a document, or an attachment. */
  readonly height: number | null;
  /** The bytes, which are a `Buffer`. The first access decodes them. */
  get data(): Uint8Array;
  /** The bytes in base64 with padding, as APIs of models take them. */
  get base64(): string;
}

/** What a read shows: parts for the model, and facts for the program. `String(reply)` is its text. */
export class Reply {
  private constructor();
  /** The text of all parts that are text, joined by newlines. */
  get text(): string;
  /** The parts, in the order in which a model should see them. */
  get blocks(): readonly (Text | Media)[];
  /** The images. */
  get images(): readonly Media[];
  /** The files that are passed to the model unchanged. */
  get attachments(): readonly Media[];
  /** Facts, as `details` in the JSON of the command line, without `display_content`. */
  get details(): Record<string, any>;
  /** Facts with the field names of the dialect. */
  get structured(): Record<string, any>;
  /** The kind of the content: `text`, `directory`, `archive`, `database`, `document`, `image`, … */
  get kind(): string;
  /** The path without its selector. */
  get path(): string;
  /** The path that reads the rest. `null` if all was shown. */
  get next(): string | null;
  /** Facts about the source: its encoding, damage, a repaired path. */
  get notes(): string[];
  /** `false`, as that of a `ReadError` is `true`: a tool can return either. */
  get isError(): false;
  /** The reply as the command line prints it with `--json`: `blocks`, `details` and `structured`. */
  toJSON(): { blocks: object[]; details: Record<string, any>; structured: Record<string, any> };
  toString(): string;
}

/** A read that failed. Its class, its `code` and its `reason` say why. */
export class ReadError extends Error {
  constructor(
    facts: Record<string, any>,
    more?: { text?: string; structured?: object; path?: string; cause?: unknown },
  );
  /** The code that Node has for such an error, such as `ENOENT`, or `ERR_OMNIREAD_` with the reason. */
  code: string;
  /** The kind of the failure. */
  reason: Reason;
  /** The path as the caller wrote it. `undefined` for a call. */
  path: string | undefined;
  /** The next step, such as similar names. */
  hint: string | null;
  /** The failure for the model, in the format of the dialect. */
  text: string;
  /** All facts, as `error` in the JSON of the command line. */
  facts: Record<string, any>;
  /** The facts with the field names of the dialect. */
  structured: Record<string, any>;
  /** `true`, as that of a reply is `false`: a tool can return either. */
  isError: true;
  /** The failure as the command line prints it with `--json`. */
  toJSON(): { error: Record<string, any>; structured: Record<string, any> };
}

/** The path does not exist. `facts.near` has similar names. The code is `ENOENT`. */
export class PathNotFoundError extends ReadError {}
/** The path is outside the roots, a rule excludes it, or the system denies access. The code is `EACCES`. */
export class AccessDeniedError extends ReadError {}
/** The path is a directory, and the dialect reads only files. The code is `EISDIR`. */
export class PathIsDirectoryError extends ReadError {}
/** The path, its selector, its query or an argument is not valid. */
export class InvalidRequestError extends ReadError {}
/** The read, or the server that it waited for, took longer than its limit. The code is `ETIMEDOUT`. */
export class ReadTimeoutError extends ReadError {}
/** The address cannot be read. `facts.error` has the kind of the error. */
export class NetworkError extends ReadError {}
/** A signal, or the end of the session, cancelled the read. The code is `ABORT_ERR`, the name is `AbortError`. */
export class ReadCancelledError extends ReadError {}

/** An argument of a reader is wrong: a root cannot be opened, or a rule is not a pattern. */
export class ConfigError extends Error {
  code: "ERR_OMNIREAD_CONFIG";
}
/** The directory of a session cannot be used. */
export class SessionError extends Error {
  code: "ERR_OMNIREAD_SESSION";
}
/** The reader or the session was closed. */
export class ClosedError extends Error {
  code: "ERR_OMNIREAD_CLOSED";
}
/** The package for this system is missing, cannot be loaded, or has another version. */
export class PackageError extends Error {
  code: "ERR_OMNIREAD_PACKAGE";
}

/**
 * Reads a path below the current directory on another thread. The reads of a thread share one session until its current
 * directory changes.
 */
export function read(path: Path, options?: ReadOptions & Cancellable): Promise<Reply>;
/** Reads a path below the current directory, and blocks this thread meanwhile. */
export function readSync(path: Path, options?: ReadOptions): Reply;
/** The list `tools` of a request to the API of a model, as `Reader.tools` returns it. */
export function tools(api: Api, dialect?: Dialect, options?: { current?: boolean }): Record<string, any>[];

/** The names of dialects. */
export const DIALECTS: readonly Dialect[];
/** The names of APIs. */
export const APIS: readonly Api[];
/** The help of each option of a reply, by its name. */
export const OPTIONS: Readonly<Record<Exclude<keyof ReplyOptions, "lines" | "stdin">, string>>;
/** The version of the package. */
export const version: string;

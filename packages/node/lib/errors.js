"use strict";

/** A read that failed. Its class, its `code` and its `reason` say why, and `hint` is the next step. */
class ReadError extends Error {
  /**
   * @param {Record<string, any>} facts The `error` of the JSON of the command line.
   * @param {{text?: string, structured?: object, path?: string, cause?: unknown}} [more]
   */
  constructor(facts, more = {}) {
    super(facts.message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = codeOf(new.target, facts.kind);
    this.reason = facts.kind;
    this.path = more.path;
    this.hint = facts.hint ?? null;
    // Not shown when an error is printed: the message and the hint say what is in them.
    hidden(this, "text", more.text ?? facts.message);
    hidden(this, "facts", facts);
    hidden(this, "structured", more.structured ?? {});
    hidden(this, "isError", true);
  }

  /** The failure as the command line prints it with `--json`. */
  toJSON() {
    return { error: this.facts, structured: this.structured };
  }
}

/** The path does not exist. `facts.near` has similar names. */
class PathNotFoundError extends ReadError {}

/** The path is outside the roots, a deny rule or an ignore file excludes it, or the system denies access. */
class AccessDeniedError extends ReadError {}

/** The path is a directory, and the dialect reads only files. */
class PathIsDirectoryError extends ReadError {}

/** The path, its selector, its query or an argument is not valid. */
class InvalidRequestError extends ReadError {}

/** The read, or the server that it waited for, took longer than its limit. */
class ReadTimeoutError extends ReadError {}

/** The address cannot be read. `facts.error` has the kind of the error. */
class NetworkError extends ReadError {}

/** A signal, or the end of the session, cancelled the read. Its `name` is `AbortError`, as programs expect of it. */
class ReadCancelledError extends ReadError {}

/** An argument of a reader is wrong: a root cannot be opened, or a rule is not a pattern. */
class ConfigError extends Error {}

/** The directory of a session cannot be used. */
class SessionError extends Error {}

/** The reader or the session was closed. */
class ClosedError extends Error {}

/** The package for this system is missing, cannot be loaded, or has another version. */
class PackageError extends Error {}

const CLASSES = {
  not_found: PathNotFoundError,
  outside_roots: AccessDeniedError,
  link_outside_roots: AccessDeniedError,
  symlink: AccessDeniedError,
  denied: AccessDeniedError,
  ignored: AccessDeniedError,
  permission: AccessDeniedError,
  directory: PathIsDirectoryError,
  query: InvalidRequestError,
  invalid_path: InvalidRequestError,
  invalid_selector: InvalidRequestError,
  invalid_argument: InvalidRequestError,
  cancelled: ReadCancelledError,
  network: NetworkError,
};

/** The codes that Node has for the same errors, so that programs that look only at `code` find what they expect. */
const CODES = new Map([
  [PathNotFoundError, "ENOENT"],
  [AccessDeniedError, "EACCES"],
  [PathIsDirectoryError, "EISDIR"],
  [ReadTimeoutError, "ETIMEDOUT"],
  [ReadCancelledError, "ABORT_ERR"],
]);

const READ_ERRORS = [
  ReadError,
  PathNotFoundError,
  AccessDeniedError,
  PathIsDirectoryError,
  InvalidRequestError,
  ReadTimeoutError,
  NetworkError,
  ReadCancelledError,
];

for (const kind of READ_ERRORS) hidden(kind.prototype, "name", kind.name);
hidden(ReadCancelledError.prototype, "name", "AbortError");
for (const [kind, code] of [
  [ConfigError, "ERR_OMNIREAD_CONFIG"],
  [SessionError, "ERR_OMNIREAD_SESSION"],
  [ClosedError, "ERR_OMNIREAD_CLOSED"],
  [PackageError, "ERR_OMNIREAD_PACKAGE"],
]) {
  hidden(kind.prototype, "name", kind.name);
  hidden(kind.prototype, "code", code);
}

function hidden(object, name, value) {
  Object.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: false });
}

function codeOf(kind, reason) {
  return CODES.get(kind) ?? `ERR_OMNIREAD_${String(reason).toUpperCase()}`;
}

/** The error of a failure, of the class of its reason. */
function readError({ error, structured, text }, path, cause) {
  let Kind = CLASSES[error.kind] ?? ReadError;
  // A document may end by its own share of the time.
  if (error.kind === "limit" && ["time", "document-time"].includes(error.limit)) Kind = ReadTimeoutError;
  if (error.kind === "network" && error.error.kind === "timeout") Kind = ReadTimeoutError;
  return new Kind(error, { text, structured, path, cause });
}

/** The error of a read that did not start, because its signal was aborted. */
function cancelledBefore(path, cause) {
  const shown = path === undefined ? "the call" : `\`${path}\``;
  const message = `cannot read ${shown}: it was cancelled`;
  return new ReadCancelledError({ kind: "cancelled", message, hint: null, path: path ?? "" }, { path, cause });
}

/** An error about an argument, with a code by which programs know it. */
function argumentError(Kind, message) {
  const error = new Kind(message);
  error.code = "ERR_OMNIREAD_ARGUMENT";
  return error;
}

module.exports = {
  AccessDeniedError,
  CLASSES,
  ClosedError,
  ConfigError,
  InvalidRequestError,
  NetworkError,
  PackageError,
  PathIsDirectoryError,
  PathNotFoundError,
  ReadCancelledError,
  ReadError,
  ReadTimeoutError,
  SessionError,
  argumentError,
  cancelledBefore,
  readError,
};

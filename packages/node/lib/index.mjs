// The same module as that of `require`, so that a program which uses both has one class of each name.
import omniread from "./index.js";

export const {
  APIS,
  AccessDeniedError,
  ClosedError,
  ConfigError,
  DIALECTS,
  InvalidRequestError,
  Media,
  NetworkError,
  OPTIONS,
  PackageError,
  PathIsDirectoryError,
  PathNotFoundError,
  ReadCancelledError,
  ReadError,
  ReadTimeoutError,
  Reader,
  Reply,
  Session,
  SessionError,
  read,
  readSync,
  tools,
  version,
} = omniread;
export default omniread;

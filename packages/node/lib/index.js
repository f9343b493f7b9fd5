"use strict";

const errors = require("./errors.js");
const { Media, Reply } = require("./reply.js");
const { APIS, DIALECTS, OPTIONS, Reader, Session, read, readSync, tools, version } = require("./reading.js");

module.exports = {
  APIS,
  AccessDeniedError: errors.AccessDeniedError,
  ClosedError: errors.ClosedError,
  ConfigError: errors.ConfigError,
  DIALECTS,
  InvalidRequestError: errors.InvalidRequestError,
  Media,
  NetworkError: errors.NetworkError,
  OPTIONS,
  PackageError: errors.PackageError,
  PathIsDirectoryError: errors.PathIsDirectoryError,
  PathNotFoundError: errors.PathNotFoundError,
  ReadCancelledError: errors.ReadCancelledError,
  ReadError: errors.ReadError,
  ReadTimeoutError: errors.ReadTimeoutError,
  Reader,
  Reply,
  Session,
  SessionError: errors.SessionError,
  read,
  readSync,
  tools,
  version,
};

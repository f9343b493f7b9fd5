//! The limits of searches in logs, each with its reason.

/// The number of bytes at the start of a line that are examined. Levels and messages are at the start;
/// a line of many megabytes takes no longer than two searches of its bytes.
pub const LINE_BYTES: usize = 4096;

/// The number of bytes at the start of a line in which its time stamp and its level are searched.
pub const HEAD_BYTES: usize = 240;

/// The maximum number of words at the start of a line among which its level is searched. After them, `ERROR` is a
/// part of the message.
pub const HEAD_WORDS: usize = 6;

/// The maximum number of keys and values of a line of JSON that are examined.
pub const JSON_STRINGS: usize = 64;

/// The maximum number of different messages that are kept. Further ones are only counted.
pub const MESSAGES: usize = 1000;

/// The number of bytes by which messages are compared, after their numbers are masked.
pub const KEY_BYTES: usize = 160;

/// The maximum number of lines that follow an error and belong to it. More are not a stack trace, and are
/// searched for errors again.
pub const TRACE_LINES: u64 = 200;

/// The number of lines of a part of a text that decide whether it is a log.
pub const SAMPLE_LINES: usize = 100;

/// The minimum number of lines of a text that is detected as a log by its content alone.
pub const MIN_LINES: usize = 10;

//! The limits of the client, each with its reason.

use std::time::Duration;

/// The default time in which a server must have started. A server that is installed when it is started,
/// such as with `npx`, takes some seconds.
pub const START: Duration = Duration::from_secs(30);

/// The default time for the answer to one request. Most servers answer in milliseconds; some of them
/// ask a service of their own.
pub const REQUEST: Duration = Duration::from_secs(30);

/// The most that a user can set for both times. A read that waits longer is of no use.
pub const LONGEST: Duration = Duration::from_mins(10);

/// The time for which other servers are waited for when one has a resource or a skill whose server is not named. They
/// may have it too, and come first in the configuration. A server that runs lists its resources in milliseconds.
pub const OTHERS: Duration = Duration::from_secs(2);

/// The time after the start of a server in which it is not started again. A server that ends at once would
/// otherwise be started by each read.
pub const RESTART: Duration = Duration::from_secs(5);

/// The time for which a server that should end is waited for, before each of the two signals.
pub const GRACE: Duration = Duration::from_secs(2);

/// The interval at which the end of a process is checked.
pub const TURN: Duration = Duration::from_millis(10);

/// The time for which a server that closed its output is waited for, so that a failure can state how it
/// ended. It has usually ended already.
pub const EXIT: Duration = Duration::from_millis(500);

/// The requests after each other without an answer, after which a server is ended. The next read starts it
/// again.
pub const UNANSWERED: u32 = 3;

/// The attempts to open a stream of events over HTTP again after each other.
pub const REOPENED: usize = 2;

/// The streams of events that are opened for one connection. A server may end each at once, and ask for the next
/// without a pause.
pub const STREAMS: u32 = 100;

/// The time after which a stream of events is opened again.
pub const REOPEN: Duration = Duration::from_secs(1);

/// The connections to a server over HTTP that are kept for the next request: those of a few reads at a time,
/// and one for events.
pub const KEPT: usize = 4;

/// The bytes of standard error that are kept: the last ones.
pub const STDERR: usize = 64 << 10;

/// The characters of standard error that a failure quotes: the last ones. The message stays short enough for
/// a model.
pub const QUOTED: usize = 600;

/// The characters of a message of a server that a failure quotes.
pub const MESSAGE: usize = 600;

/// The bytes of a value that is replaced in messages of a server. Shorter ones, such as `info` or `8080`, are seldom
/// secrets, and often a part of another word.
pub const SECRET: usize = 8;

/// The requests that may be on their way to a server when it answers: those of all reads at a time. An answer with a
/// higher number answers none.
pub const AHEAD: u64 = 64;

/// The bytes of one message of a server. A resource of 24 MiB is 32 MiB in base64.
pub const LINE: usize = 40 << 20;

/// The bytes of a line that is checked as an answer before the client has it. Longer answers are contents, and those that
/// answer no request are reported at the deadline.
pub const CHECKED: usize = 64 << 10;

/// The values of one message of a server: numbers, literals, texts, keys, lists and objects. One of them takes up
/// to some hundred bytes in memory while a message is parsed. A list with 10,000 resources has less than 400,000.
pub const VALUES: usize = 1_000_000;

/// The messages that a server may send after a request, before the next one. A server reports its progress
/// and changes of its resources, each in a message.
pub const MESSAGES: u64 = 20_000;

/// The bytes that a server may send after a request, before the next one.
pub const RECEIVED: u64 = 128 << 20;

/// The bytes of a response that is not a message, such as an error page. Its start is quoted.
pub const ERROR_BODY: usize = 4 << 10;

/// The bytes of the headers of a response.
pub const HEADERS: usize = 64 << 10;

/// The pages of a list that are requested. Servers send 50 to 1000 entries on a page.
pub const PAGES: usize = 200;

/// The entries of a list that are kept. A list that a model reads has far fewer.
pub const ENTRIES: usize = 10_000;

/// The bytes of a URI. Longer ones in a list are left out, and counted.
pub const URI: usize = 8 << 10;

/// The selectors that may follow a URI: a range and `raw`.
pub const SELECTORS: usize = 2;

/// The bytes of the name of a server, which is a word.
pub const NAME: usize = 64;

/// The characters of a name or a description in a list.
pub const DESCRIPTION: usize = 300;

/// The characters of the description of a skill: the most that the specification of skills allows.
pub const SKILL_DESCRIPTION: usize = 1024;

/// The files of a skill: the most that SEP-2640 allows.
pub const SKILL_FILES: usize = 512;

/// The contents of one resource that are kept.
pub const PARTS: usize = 1_000;

/// The bytes of the contents of one resource, after decoding.
pub const CONTENT: usize = 32 << 20;

/// The expressions of a template. A template with more is listed, and matches nothing.
pub const EXPRESSIONS: usize = 32;

/// The similar names that a failure lists.
pub const SIMILAR: usize = 5;

/// The most servers of a configuration.
pub const SERVERS: usize = 100;

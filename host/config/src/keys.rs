//! The table of keys. Parsing, the schema, the documentation and the output of `omniread config` use it.

use crate::kind::{DIALECTS, Form, Kind};
use crate::limits;
use crate::value::Value;
use omniread_options::{Kind as OptionKind, SETTINGS, Setting};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

/// What a workspace file may do with a key. Whoever wrote the file may not be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Nothing.
    Ignored,
    /// Add elements.
    Adds,
    /// Lower the value.
    Lowers,
}

/// How the values of several layers are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// The value of the first layer that has one.
    First,
    /// All values, those of the last layer first: a later deny rule can change an earlier one.
    Added,
    /// All values, those of the first layer first: that is the order of a search.
    Searched,
}

/// The table of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// The top of the file.
    Top,
    /// A table with fixed keys.
    Named(&'static str),
    /// A table whose keys are names that the user chooses.
    Open(&'static str),
    /// A table of tables with fixed keys, whose names the user chooses.
    Tables(&'static str),
}

/// A key.
#[derive(Clone, Debug)]
pub struct Key {
    /// The table.
    pub table: Table,
    /// The name in its table. For [`Table::Open`], a placeholder.
    pub name: &'static str,
    /// The kind of the value.
    pub kind: Kind,
    /// The meaning.
    pub help: &'static str,
    /// The default. `None` if there is no value.
    pub default: Option<Value>,
    /// What a workspace file may do with it.
    pub workspace: Rule,
    /// How the values of several layers are merged.
    pub merge: Merge,
    /// The option of the command line that sets it too.
    pub flag: Option<&'static str>,
    /// The environment variable that sets it too.
    pub variable: Option<String>,
    /// The place in the table of keys.
    pub(crate) position: usize,
}

impl fmt::Display for Key {
    /// Writes the key with its table: `limits.timeout`, `mounts.NAME`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.table {
            Table::Top => f.write_str(self.name),
            Table::Named(table) | Table::Open(table) => write!(f, "{table}.{}", self.name),
            Table::Tables(table) => write!(f, "{table}.NAME.{}", self.name),
        }
    }
}

impl Key {
    fn new(table: Table, name: &'static str, kind: Kind, help: &'static str) -> Self {
        Self {
            table,
            name,
            kind,
            help,
            default: None,
            workspace: Rule::Ignored,
            merge: Merge::First,
            flag: None,
            variable: None,
            position: 0,
        }
    }

    fn default(mut self, value: Value) -> Self {
        self.default = Some(value);
        self
    }

    fn flag(mut self, flag: &'static str) -> Self {
        self.flag = Some(flag);
        self
    }

    fn variable(mut self, name: &str) -> Self {
        self.variable = Some(name.to_owned());
        self
    }

    fn lowers(mut self) -> Self {
        self.workspace = Rule::Lowers;
        self
    }

    fn merge(mut self, merge: Merge) -> Self {
        self.merge = merge;
        self
    }

    /// The name of the key, with the name that the user chose.
    pub(crate) fn named(&self, part: Option<&str>) -> String {
        let part = part.unwrap_or("NAME");
        match self.table {
            Table::Top => self.name.to_owned(),
            Table::Named(table) => format!("{table}.{}", self.name),
            Table::Open(table) => format!("{table}.{part}"),
            Table::Tables(table) => format!("{table}.{part}.{}", self.name),
        }
    }
}

/// The options that are limits, so that a workspace file may lower them.
const LIMITS: [&str; 5] = [
    "limit",
    "reply-bytes",
    "reply-images",
    "image-side",
    "image-bytes",
];

/// The keys, in the order of the documentation.
pub fn keys() -> &'static [Key] {
    static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
        let mut keys = top();
        keys.extend(mounts());
        keys.extend(limits());
        keys.extend(network());
        keys.extend(SETTINGS.iter().map(option));
        keys.extend(session());
        keys.extend(servers());
        for (position, key) in keys.iter_mut().enumerate() {
            key.position = position;
        }
        keys
    });
    &KEYS
}

fn top() -> Vec<Key> {
    let roots = "directories that may be read [default: the current directory]";
    let deny = "patterns of files and directories that are refused, as in .gitignore; those of all files, of `--deny` and of `OMNIREAD_DENY` apply";
    let dialect = "the dialect: the arguments of the tool and the format of replies";
    let mut deny = Key::new(Table::Top, "deny", Kind::Texts(Form::Rule), deny)
        .merge(Merge::Added)
        .flag("--deny")
        .variable("OMNIREAD_DENY");
    deny.workspace = Rule::Adds;
    vec![
        Key::new(Table::Top, "roots", Kind::Directories, roots)
            .flag("--root")
            .variable("OMNIREAD_ROOT"),
        deny,
        Key::new(Table::Top, "dialect", Kind::Text(Form::Dialect), dialect)
            .default(Value::Text(DIALECTS[0].to_owned()))
            .flag("--dialect")
            .variable("OMNIREAD_DIALECT"),
    ]
}

fn mounts() -> Vec<Key> {
    let help = "the directory that `NAME://` reads, or several that are searched in order; `skill = \"auto\"` is where agents keep skills";
    let key = Key::new(Table::Open("mounts"), "NAME", Kind::Mount, help);
    vec![
        key.merge(Merge::Searched)
            .flag("--mount")
            .variable("OMNIREAD_MOUNT"),
    ]
}

fn limits() -> Vec<Key> {
    let timeout = "time on the processor for the read of a page; 0 means no limit. `serve` and `mcp` have 10s by default, standard input has no limit";
    let size = "size from which files are refused [default: no limit]";
    let table = Table::Named("limits");
    vec![
        Key::new(table, "timeout", Kind::Time, timeout)
            .default(Value::Time(limits::TIMEOUT))
            .lowers()
            .flag("--timeout")
            .variable("OMNIREAD_TIMEOUT"),
        Key::new(table, "max-file-size", Kind::Size(0..=u64::MAX), size)
            .lowers()
            .flag("--max-file-size"),
    ]
}

fn network() -> Vec<Key> {
    let allow = "hosts that reads may connect to: `example.com`, `example.com:8080`, `*.example.com`, or `public` for all public hosts [default: none]";
    let timeout = "time for the requests of a read together; 0 means no limit";
    let bytes = "size of the largest response that is accepted";
    let ca = "PEM files with further authorities whose certificates are accepted [default: none]";
    let agent = "value of `User-Agent` [default: omniread/VERSION]";
    let proxy = "HTTP proxy for requests to other machines [default: none]";
    let headers = "headers for granted hosts: `HOST=NAME=file:PATH` or `HOST=NAME=env:VARIABLE` says where the value is [default: none]";
    let key = |name, kind, help| Key::new(Table::Named("network"), name, kind, help);
    vec![
        key("allow", Kind::Texts(Form::Grant), allow)
            .flag("--allow-net")
            .variable("OMNIREAD_ALLOW_NET"),
        key("timeout", Kind::Time, timeout)
            .default(Value::Time(limits::NETWORK_TIMEOUT))
            .lowers()
            .flag("--net-timeout"),
        key("max-bytes", Kind::Size(0..=u64::MAX), bytes)
            .default(Value::Number(limits::NETWORK_BYTES))
            .lowers()
            .flag("--net-bytes"),
        key("ca", Kind::Files, ca).flag("--ca"),
        key("user-agent", Kind::Text(Form::UserAgent), agent).flag("--user-agent"),
        key("proxy", Kind::Text(Form::Proxy), proxy).flag("--proxy"),
        key("headers", Kind::Headers, headers).flag("--net-header"),
    ]
}

fn option(setting: &'static Setting) -> Key {
    let range =
        |range: &std::ops::RangeInclusive<u32>| u64::from(*range.start())..=u64::from(*range.end());
    let (kind, default) = match setting.kind() {
        OptionKind::Number(numbers, default) => (
            Kind::Number(range(&numbers)),
            Some(Value::Number(default.into())),
        ),
        OptionKind::Optional(numbers) => (Kind::Number(range(&numbers)), None),
        OptionKind::Size(sizes, default) => (
            Kind::Size(range(&sizes)),
            Some(Value::Number(default.into())),
        ),
        OptionKind::Switch(default) => (Kind::Switch, Some(Value::Switch(default))),
        OptionKind::Names(names) => (Kind::Texts(Form::FileName), Some(Value::Texts(names))),
        OptionKind::Address(address) => (Kind::Text(Form::Base), address.map(Value::Text)),
    };
    let variable = setting.key.to_ascii_uppercase().replace('-', "_");
    let mut key = Key::new(Table::Named("options"), setting.key, kind, setting.help);
    if let Some(default) = default {
        key = key.default(default);
    }
    let key = key.flag("--set").variable(&format!("OMNIREAD_{variable}"));
    if LIMITS.contains(&setting.key) {
        key.lowers()
    } else {
        key
    }
}

fn session() -> Vec<Key> {
    let directory =
        "directory of the store that keeps what a session has read [default: in memory]";
    let paths = "number of paths whose text the store keeps";
    let bytes = "size of the store";
    let key = |name, kind, help| Key::new(Table::Named("session"), name, kind, help);
    vec![
        key("directory", Kind::Directory, directory),
        key("paths", Kind::Number(limits::SESSION_PATHS), paths)
            .default(Value::Number(limits::DEFAULT_SESSION_PATHS)),
        key("bytes", Kind::Size(limits::SESSION_BYTES), bytes)
            .default(Value::Number(limits::DEFAULT_SESSION_BYTES)),
    ]
}

fn servers() -> Vec<Key> {
    let command = "program that is started as a server and answers on its output; a server has either `command` or `url`";
    let args = "arguments of the program";
    let url = "address of a server over HTTP";
    let env = "environment variables for the program; `env:VARIABLE` and `file:PATH` say where a value is. Of others it has only `PATH` and `HOME`";
    let cwd = "working directory of the program [default: the directory of this file]";
    let headers =
        "headers of all requests to `url`; `env:VARIABLE` and `file:PATH` say where a value is";
    let start = "time in which a server must have started, at most 10 minutes [default: 30s]";
    let timeout = "time for the answer to one request, at most 10 minutes [default: 30s]";
    let key = |name, kind, help| Key::new(Table::Tables("servers"), name, kind, help);
    vec![
        key("command", Kind::Text(Form::Program), command),
        key("args", Kind::Texts(Form::Argument), args),
        key("url", Kind::Text(Form::Address), url),
        key("env", Kind::Environment, env),
        key("cwd", Kind::Directory, cwd),
        key("headers", Kind::Environment, headers),
        key("start-timeout", Kind::Time, start),
        key("timeout", Kind::Time, timeout),
    ]
}

/// The key of this name, such as `limits.timeout` or `mounts.docs`, and the name that the user chose.
/// `-` and `_` are the same in the name of an option, as in `--set`.
pub(crate) fn find(name: &str) -> Option<(&'static Key, Option<String>)> {
    let option = name.strip_prefix("options.");
    let option = option.map(|it| format!("options.{}", it.replace('_', "-").to_ascii_lowercase()));
    let name = option.as_deref().unwrap_or(name);
    keys().iter().find_map(|key| match key.table {
        Table::Top | Table::Named(_) => (key.to_string() == name).then_some((key, None)),
        Table::Open(table) => {
            let part = name.strip_prefix(table)?.strip_prefix('.')?;
            Some((key, Some(part.to_ascii_lowercase())))
        }
        Table::Tables(table) => {
            let rest = name.strip_prefix(table)?.strip_prefix('.')?;
            let (part, leaf) = rest.rsplit_once('.')?;
            (leaf == key.name).then(|| (key, Some(part.to_owned())))
        }
    })
}

/// The key that an environment variable sets. `None` if it sets no key.
pub fn of_variable(name: &str) -> Option<&'static Key> {
    keys()
        .iter()
        .find(|key| key.variable.as_deref() == Some(name))
}

/// The key that an option of the command line sets, which is given without its hyphens.
pub(crate) fn of_flag(name: &str) -> Option<&'static Key> {
    let mut keys = keys().iter();
    // `--set` sets every option.
    keys.find(|key| {
        name != "set" && key.flag.and_then(|flag| flag.strip_prefix("--")) == Some(name)
    })
}

/// The names of the keys of a server, or of all other keys and of the tables.
pub(crate) fn names(server: Option<&str>) -> BTreeSet<String> {
    let names = keys().iter().flat_map(|key| match (key.table, server) {
        (Table::Tables(_), Some(server)) => vec![key.named(Some(server))],
        (_, Some(_)) => Vec::new(),
        (Table::Named(table), None) => vec![table.to_owned(), key.to_string()],
        (Table::Open(table) | Table::Tables(table), None) => vec![table.to_owned()],
        (Table::Top, None) => vec![key.to_string()],
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_their_names() {
        for key in keys() {
            let (found, _) = find(&key.to_string()).unwrap();
            assert_eq!(found.position, key.position, "{key}");
        }
        assert_eq!(find("mounts.a.b").unwrap().1.as_deref(), Some("a.b"));
        assert!(find("options.Image_Side").is_some());
        assert!(find("timeout").is_none());
        assert!(find("servers.x.other").is_none());
    }

    #[test]
    fn limits_are_keys() {
        let lowered: Vec<_> = keys()
            .iter()
            .filter(|it| it.workspace == Rule::Lowers)
            .collect();
        assert_eq!(lowered.len(), LIMITS.len() + 4);
    }

    #[test]
    fn options_accept_what_their_table_states() {
        for key in keys()
            .iter()
            .filter(|it| it.table == Table::Named("options"))
        {
            let text = match key.default.as_ref() {
                None => String::new(),
                Some(Value::Number(number)) => number.to_string(),
                Some(Value::Switch(on)) => if *on { "on" } else { "off" }.to_owned(),
                Some(Value::Texts(names)) => names.join(","),
                Some(other) => panic!("{other:?}"),
            };
            let mut options = omniread_options::Options::default();
            options.set(key.name, &text).unwrap();
            assert_eq!(options, omniread_options::Options::default(), "{key}");
        }
    }
}

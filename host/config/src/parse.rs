//! The parser of configuration files.

use crate::check::{Checked, Raw, at};
use crate::error::{ConfigError, Finding, Lines, Unknown};
use crate::escape::{escaped, shown};
use crate::keys::{Key, Table, keys};
use crate::kind::is_server;
use crate::layer::Layer;
use crate::limits::{USER_BYTES, WORKSPACE_BYTES, WORKSPACE_RULES};
use crate::source::Source;
use crate::value::{Entry, Origin};
use omniread_schemes::is_scheme;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

impl Layer {
    /// Parses a configuration file.
    ///
    /// # Errors
    /// Fails with all problems of the file.
    pub fn parse(text: impl AsRef<[u8]>, source: &Source) -> Result<Self, ConfigError> {
        let bytes = text.as_ref();
        let most = if source.is_workspace {
            WORKSPACE_BYTES
        } else {
            USER_BYTES
        };
        if bytes.len() > most {
            let message = format!("it is larger than {most} bytes");
            return Err(ConfigError::of_file(&source.path, message));
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => return Err(not_utf8(bytes, error.valid_up_to(), source)),
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut walk = Walk {
            source,
            lines: Lines::new(text),
            layer: Self::default(),
            findings: Vec::new(),
            servers: BTreeMap::new(),
        };
        walk.top(table.get_ref());
        if errors.is_empty() {
            walk.check_servers();
            walk.check_rules();
        }
        walk.add_syntax(errors);
        let Walk {
            lines,
            layer,
            findings,
            ..
        } = walk;
        match lines.error(&source.path, findings) {
            Some(error) => Err(error),
            None => Ok(layer),
        }
    }
}

fn not_utf8(bytes: &[u8], valid: usize, source: &Source) -> ConfigError {
    let before = bytes.get(..valid).unwrap_or_default();
    let before = std::str::from_utf8(before).unwrap_or_default();
    let finding = Finding {
        at: at(valid),
        key: None,
        message: "the file is not UTF-8 here".to_owned(),
        expected: None,
        unknown: None,
    };
    let error = Lines::new(before).error(&source.path, vec![finding]);
    error.unwrap_or_else(|| ConfigError::of_file(&source.path, "it is not UTF-8".to_owned()))
}

type Entries<'t> = DeTable<'t>;
type KeyText<'t> = Spanned<DeString<'t>>;

/// The walk through the tables of a file.
struct Walk<'t> {
    source: &'t Source,
    lines: Lines<'t>,
    layer: Layer,
    findings: Vec<Finding>,
    /// The keys of each server, and its position.
    servers: BTreeMap<String, (Range<usize>, BTreeSet<&'static str>)>,
}

impl Walk<'_> {
    fn top(&mut self, table: &Entries<'_>) {
        for (name, value) in table {
            let text = name.get_ref().as_ref();
            let found = keys().iter().find(|key| match key.table {
                Table::Top => key.name == text,
                Table::Named(table) | Table::Open(table) | Table::Tables(table) => table == text,
            });
            match found.map(|key| (key, key.table)) {
                None => self.unknown(name, None),
                Some((key, Table::Top)) => self.leaf(key, None, name, value),
                Some((_, Table::Named(_))) => self.named(name, value),
                Some((key, Table::Open(_))) => self.open(key, name, value),
                Some((_, Table::Tables(_))) => self.tables(name, value),
            }
        }
    }

    /// A table with fixed keys.
    fn named(&mut self, table: &KeyText<'_>, value: &Raw<'_>) {
        let Some(entries) = self.table(table.get_ref(), value) else {
            return;
        };
        for (name, value) in entries {
            let found = keys().iter().find(|key| {
                key.name == name.get_ref().as_ref()
                    && matches!(key.table, Table::Named(it) if it == table.get_ref().as_ref())
            });
            match found {
                Some(key) => self.leaf(key, None, name, value),
                None => self.unknown(name, Some(table.get_ref())),
            }
        }
    }

    /// A table whose keys are schemes.
    fn open(&mut self, key: &'static Key, table: &KeyText<'_>, value: &Raw<'_>) {
        let Some(entries) = self.table(table.get_ref(), value) else {
            return;
        };
        for (name, value) in entries {
            let scheme = name.get_ref().to_ascii_lowercase();
            if is_scheme(&scheme) {
                self.leaf(key, Some(scheme), name, value);
            } else {
                let message = format!(
                    "`{}` in `mounts` must be a scheme: letters, digits, `+`, `-` and `.`, and at least two of them",
                    shown(name.get_ref())
                );
                self.find(name.span(), Some("mounts".to_owned()), message);
            }
        }
    }

    /// A table of servers.
    fn tables(&mut self, table: &KeyText<'_>, value: &Raw<'_>) {
        let Some(servers) = self.table(table.get_ref(), value) else {
            return;
        };
        for (name, value) in servers {
            let server = name.get_ref().to_string();
            if !is_server(&server) {
                let message = format!(
                    "`{}` must be the name of a server: letters, digits, `-` and `_`",
                    shown(&server)
                );
                self.find(name.span(), Some("servers".to_owned()), message);
                continue;
            }
            let Some(entries) = self.table(&format!("servers.{server}"), value) else {
                continue;
            };
            let mut present = BTreeSet::new();
            for (name, value) in entries {
                let found = keys().iter().find(|key| {
                    key.name == name.get_ref().as_ref() && matches!(key.table, Table::Tables(_))
                });
                match found {
                    Some(key) => {
                        present.insert(key.name);
                        self.leaf(key, Some(server.clone()), name, value);
                    }
                    None => self.unknown(name, Some(&format!("servers.{server}"))),
                }
            }
            self.servers.insert(server, (name.span(), present));
        }
    }

    /// The entries of a table.
    fn table<'v, 'i>(&mut self, name: &str, value: &'v Raw<'i>) -> Option<&'v Entries<'i>> {
        if let DeValue::Table(entries) = value.get_ref() {
            return Some(entries);
        }
        let message = format!("`{name}` must be a table, such as `[{name}]`");
        self.find(value.span(), Some(name.to_owned()), message);
        None
    }

    /// A key with its value.
    fn leaf(
        &mut self,
        key: &'static Key,
        part: Option<String>,
        name: &KeyText<'_>,
        value: &Raw<'_>,
    ) {
        let full = key.named(part.as_deref());
        let checked = Checked {
            name: &full,
            kind: &key.kind,
            source: self.source,
        };
        match checked.value(value) {
            Ok(value) => {
                let line = self.lines.line(name.span().start);
                let origin = Origin::File(self.source.path.clone(), line);
                let entry = Entry { value, origin };
                let former = self.layer.entries.insert((key.position, part), entry);
                if former.is_some() {
                    // Schemes differ only in upper and lower case.
                    let message = format!("`{full}` is set twice");
                    self.find(name.span(), Some(full), message);
                }
            }
            Err(findings) => self.findings.extend(findings),
        }
    }

    fn find(&mut self, at: Range<usize>, key: Option<String>, message: String) {
        self.findings.push(Finding {
            at,
            key,
            message,
            expected: None,
            unknown: None,
        });
    }

    fn unknown(&mut self, name: &KeyText<'_>, table: Option<&str>) {
        let full = match table {
            Some(table) => format!("{table}.{}", name.get_ref()),
            None => name.get_ref().to_string(),
        };
        let message = format!("there is no key `{}`", shown(&full));
        let server = table.and_then(|table| table.strip_prefix("servers."));
        let server = server.map(str::to_owned);
        self.findings.push(Finding {
            at: name.span(),
            key: Some(shown(&full)),
            message,
            expected: None,
            unknown: Some(Unknown { name: full, server }),
        });
    }

    /// A server is a program or an address.
    fn check_servers(&mut self) {
        for (server, (span, keys)) in std::mem::take(&mut self.servers) {
            let has = |key| keys.contains(key);
            let message = match (has("command"), has("url")) {
                (true, true) => "has `command` and `url`; leave one of them out",
                (false, false) => "needs `command` or `url`",
                (false, true) if has("args") || has("env") || has("cwd") => {
                    "has a `url`, so that `args`, `env` and `cwd` have no effect; leave them out"
                }
                (true, false) if has("headers") => {
                    "has a `command`, so that `headers` have no effect; leave them out"
                }
                _ => continue,
            };
            let key = format!("servers.{server}");
            self.find(span, Some(key.clone()), format!("`{key}` {message}"));
        }
    }

    /// A workspace file may not slow reads down with very many rules.
    fn check_rules(&mut self) {
        let Some(entry) = self.layer.get("deny").filter(|_| self.source.is_workspace) else {
            return;
        };
        if entry.value.len() > WORKSPACE_RULES {
            let message = format!("`deny` must have at most {WORKSPACE_RULES} rules");
            self.find(at(0), Some("deny".to_owned()), message);
        }
    }

    /// Adds the errors of the syntax. A problem of a value on a line with one is a result of it.
    fn add_syntax(&mut self, errors: Vec<toml::de::Error>) {
        let spans = errors
            .iter()
            .map(|it| it.span().map_or(0, |span| span.start));
        let lines: BTreeSet<usize> = spans.map(|at| self.lines.line(at)).collect();
        let Self {
            findings,
            lines: all,
            ..
        } = self;
        findings.retain(|finding| !lines.contains(&all.line(finding.at.start)));
        for error in errors {
            let at = error.span().unwrap_or(at(0));
            self.find(at, None, escaped(error.message()));
        }
    }
}

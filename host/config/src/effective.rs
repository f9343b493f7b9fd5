//! The values that apply, with their origins.

use crate::ignored::Ignored;
use crate::keys::{self, Table, keys};
use crate::layer::Name;
use crate::limits::REPORTS;
use crate::value::{Entry, Header, Origin, Place, Secret, Value};
use omniread_options::{OptionError, Options};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The values that apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effective {
    pub(crate) settings: BTreeMap<Name, Vec<Entry>>,
    pub(crate) ignored: Vec<Ignored>,
}

/// A server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Server {
    /// A program that is started.
    Program {
        /// The program: a name, or an absolute path.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables of its environment.
        env: BTreeMap<String, Secret>,
        /// Its working directory. Without one in its table, the directory of the file that names the program.
        /// `None` if no file does.
        cwd: Option<PathBuf>,
    },
    /// A server over HTTP.
    Address {
        /// The address.
        url: String,
        /// Headers of all requests.
        headers: BTreeMap<String, Secret>,
    },
}

impl Effective {
    /// The entries of a key, in the order in which they apply. More than one only for deny rules and
    /// mounts.
    pub fn entries(&self, key: &str) -> &[Entry] {
        let found =
            keys::find(key).and_then(|(key, part)| self.settings.get(&(key.position, part)));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    /// The entries that have no effect.
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// What every command reports of the entries that have no effect, a line each.
    pub fn reports(&self) -> Vec<String> {
        let reported = || self.ignored.iter().filter(|it| it.why.is_reported());
        let mut reports: Vec<String> = reported().take(REPORTS).map(Ignored::to_string).collect();
        match reported().count().saturating_sub(REPORTS) {
            0 => {}
            1 => reports.push("1 more entry is ignored; `omniread config` lists it".to_owned()),
            more => reports.push(format!(
                "{more} more entries are ignored; `omniread config` lists them"
            )),
        }
        reports
    }

    /// Where the value of a key comes from. `None` if it has no value.
    pub fn origin(&self, key: &str) -> Option<&Origin> {
        self.entries(key).first().map(|entry| &entry.origin)
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.entries(key).first().map(|entry| &entry.value)
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.value(key) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The directory of a key.
    pub fn path(&self, key: &str) -> Option<&Path> {
        match self.value(key) {
            Some(Value::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// The time of a key. 0 means no limit.
    pub fn time(&self, key: &str) -> Option<Duration> {
        match self.value(key) {
            Some(Value::Time(time)) => Some(*time),
            _ => None,
        }
    }

    /// The number or the size of a key.
    pub fn number(&self, key: &str) -> Option<u64> {
        match self.value(key) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The switch of a key.
    pub fn switch(&self, key: &str) -> Option<bool> {
        match self.value(key) {
            Some(Value::Switch(on)) => Some(*on),
            _ => None,
        }
    }

    /// The texts of a key, each with its origin.
    pub fn texts(&self, key: &str) -> Vec<(&str, &Origin)> {
        let mut texts = Vec::new();
        for entry in self.entries(key) {
            if let Value::Texts(list) = &entry.value {
                texts.extend(list.iter().map(|text| (text.as_str(), &entry.origin)));
            }
        }
        texts
    }

    /// The directories or files of a key, each with its origin.
    pub fn paths(&self, key: &str) -> Vec<(&Path, &Origin)> {
        let mut paths = Vec::new();
        for entry in self.entries(key) {
            if let Value::Paths(list) = &entry.value {
                paths.extend(list.iter().map(|path| (path.as_path(), &entry.origin)));
            }
        }
        paths
    }

    /// The headers of requests, each with its origin.
    pub fn headers(&self) -> Vec<(&Header, &Origin)> {
        let mut headers = Vec::new();
        for entry in self.entries("network.headers") {
            if let Value::Headers(list) = &entry.value {
                headers.extend(list.iter().map(|header| (header, &entry.origin)));
            }
        }
        headers
    }

    /// The mounts: for each scheme its directories, in the order in which they are searched.
    pub fn mounts(&self) -> BTreeMap<&str, Vec<(&Place, &Origin)>> {
        let mut mounts: BTreeMap<&str, Vec<(&Place, &Origin)>> = BTreeMap::new();
        for (name, entries) in &self.settings {
            let (Some(key), Some(scheme)) = (keys().get(name.0), &name.1) else {
                continue;
            };
            if !matches!(key.table, Table::Open(_)) {
                continue;
            }
            let places = mounts.entry(scheme).or_default();
            for entry in entries {
                if let Value::Places(list) = &entry.value {
                    places.extend(list.iter().map(|place| (place, &entry.origin)));
                }
            }
        }
        mounts
    }

    /// The options of reads.
    ///
    /// # Errors
    /// Fails if a value that was set without a file is wrong.
    pub fn options(&self) -> Result<Options, OptionError> {
        let mut options = Options::default();
        let keys = keys()
            .iter()
            .filter(|key| key.table == Table::Named("options"));
        for key in keys {
            let text = match self.value(&key.to_string()) {
                Some(Value::Number(number)) => number.to_string(),
                Some(Value::Switch(on)) => if *on { "on" } else { "off" }.to_owned(),
                Some(Value::Texts(names)) => names.join(","),
                _ => continue,
            };
            options.set(key.name, &text)?;
        }
        Ok(options)
    }

    /// The servers by their names.
    pub fn servers(&self) -> BTreeMap<String, Server> {
        let server = |name: &str| {
            let key = |leaf: &str| format!("servers.{name}.{leaf}");
            let secrets = |leaf: &str| match self.value(&key(leaf)) {
                Some(Value::Environment(secrets)) => secrets.clone(),
                _ => BTreeMap::new(),
            };
            if let Some(url) = self.text(&key("url")) {
                return Some(Server::Address {
                    url: url.to_owned(),
                    headers: secrets("headers"),
                });
            }
            let args = self.texts(&key("args")).into_iter();
            Some(Server::Program {
                command: self.text(&key("command"))?.to_owned(),
                args: args.map(|(text, _)| text.to_owned()).collect(),
                env: secrets("env"),
                cwd: match self.path(&key("cwd")) {
                    Some(path) => Some(path.to_owned()),
                    None => directory_of(self.origin(&key("command"))),
                },
            })
        };
        let names = self.settings.keys().filter_map(|(position, part)| {
            let key = keys().get(*position)?;
            matches!(key.table, Table::Tables(_)).then_some(part.as_deref())?
        });
        let names: BTreeSet<&str> = names.collect();
        names
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), server(name)?)))
            .collect()
    }

    /// The roots that the command line, the environment and the user file name.
    pub fn roots(&self) -> Vec<PathBuf> {
        let roots = self.paths("roots").into_iter();
        roots.map(|(path, _)| path.to_owned()).collect()
    }
}

/// The absolute path of the directory of the file that a value comes from. `None` if it comes from no file.
fn directory_of(origin: Option<&Origin>) -> Option<PathBuf> {
    let Some(Origin::File(file, _)) = origin else {
        return None;
    };
    let file = std::path::absolute(file).ok()?;
    file.parent().map(Path::to_owned)
}

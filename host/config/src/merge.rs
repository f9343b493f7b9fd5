//! The merge of the layers.

use crate::effective::Effective;
use crate::ignored::{Ignored, Why};
use crate::keys::{Key, Merge, Rule, Table, keys};
use crate::layer::{Layer, Name};
use crate::value::{Entry, Origin, Value};
use crate::write::shown_value;
use std::collections::BTreeMap;

/// All layers.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The options of the command line.
    pub flags: Layer,
    /// The environment variables.
    pub environment: Layer,
    /// The user file.
    pub user: Layer,
    /// The workspace file. It may only restrict reads.
    pub workspace: Layer,
    /// Defaults that differ from those of the table of keys, such as the timeout of a server.
    pub defaults: Layer,
}

impl Layers {
    /// Merges the layers.
    pub fn merge(self) -> Effective {
        let Self {
            flags,
            environment,
            user,
            workspace,
            defaults,
        } = self;
        let mut merged = Merged::default();
        for layer in [&flags, &environment, &user, &workspace] {
            merged.ignored.extend(layer.ignored.iter().cloned());
        }
        merged.add_trusted([flags, environment, user]);
        merged.add_workspace(workspace, &defaults);
        merged.add_defaults(defaults);
        Effective {
            settings: merged.settings,
            ignored: merged.ignored,
        }
    }
}

#[derive(Default)]
struct Merged {
    settings: BTreeMap<Name, Vec<Entry>>,
    ignored: Vec<Ignored>,
}

/// The key of a name.
fn key(name: &Name) -> Option<&'static Key> {
    keys().get(name.0)
}

impl Merged {
    /// Adds the layers that may set everything, the first one of which has precedence.
    fn add_trusted(&mut self, layers: [Layer; 3]) {
        // A server is one thing: its program is not combined with the arguments of another layer.
        let mut servers: BTreeMap<String, (usize, Origin)> = BTreeMap::new();
        for (index, layer) in layers.into_iter().enumerate() {
            for (name, entry) in layer.entries {
                let Some(key) = key(&name) else { continue };
                let entries = self.settings.entry(name.clone()).or_default();
                let mut former = entries.first().map(|it| it.origin.clone());
                if let (Table::Tables(_), Some(server)) = (key.table, &name.1) {
                    let first = || (index, entry.origin.clone());
                    let (of, origin) = servers.entry(server.clone()).or_insert_with(first);
                    former = (*of != index).then(|| origin.clone());
                }
                match (key.merge, former) {
                    (Merge::First, Some(of)) => {
                        self.ignore(&name, entry.origin, Why::Overridden(of));
                    }
                    (Merge::Added, _) => entries.insert(0, entry),
                    _ => entries.push(entry),
                }
            }
        }
        self.settings.retain(|_, entries| !entries.is_empty());
    }

    /// Adds what the workspace file may set.
    fn add_workspace(&mut self, workspace: Layer, defaults: &Layer) {
        for (name, entry) in workspace.entries {
            let Some(key) = key(&name) else { continue };
            match key.workspace {
                Rule::Ignored => self.ignore(&name, entry.origin, Why::Untrusted),
                Rule::Adds => self.add_rules(name, entry),
                Rule::Lowers => self.lower(key, name, entry, defaults),
            }
        }
    }

    /// Adds deny rules after all others, so that none of those allows what these deny.
    fn add_rules(&mut self, name: Name, entry: Entry) {
        let Value::Texts(rules) = entry.value else {
            return self.ignore(&name, entry.origin, Why::Untrusted);
        };
        let (allowing, rules): (Vec<_>, Vec<_>) = rules
            .into_iter()
            .partition(|rule| rule.trim().starts_with('!'));
        for _ in allowing {
            self.ignore(&name, entry.origin.clone(), Why::Allows);
        }
        if !rules.is_empty() {
            self.settings.entry(name).or_default().push(Entry {
                value: Value::Texts(rules),
                origin: entry.origin,
            });
        }
    }

    /// Lowers a limit, also one that a user has set.
    fn lower(&mut self, key: &'static Key, name: Name, entry: Entry, defaults: &Layer) {
        let set = self.settings.get(&name).and_then(|entries| entries.first());
        let default = || {
            let default = key.default.clone();
            default.map(|value| Entry {
                value,
                origin: Origin::Default,
            })
        };
        let usual = defaults.entries.get(&name).cloned().or_else(default);
        let Some(limit) = set.cloned().or(usual) else {
            self.settings.insert(name, vec![entry]);
            return;
        };
        if rank(&entry.value) > rank(&limit.value) {
            let why = Why::Raises {
                value: shown_value(&key.kind, &entry.value),
                limit: shown_value(&key.kind, &limit.value),
                of: limit.origin,
            };
            self.ignore(&name, entry.origin, why);
        } else if set.is_some() && rank(&entry.value) == rank(&limit.value) {
            self.ignore(&name, entry.origin, Why::Overridden(limit.origin));
        } else {
            if set.is_some() {
                let why = Why::Lowered {
                    value: shown_value(&key.kind, &limit.value),
                    limit: shown_value(&key.kind, &entry.value),
                    by: entry.origin.clone(),
                };
                self.ignore(&name, limit.origin, why);
            }
            self.settings.insert(name, vec![entry]);
        }
    }

    fn add_defaults(&mut self, mut defaults: Layer) {
        for key in keys() {
            let name = (key.position, None);
            if matches!(key.table, Table::Open(_) | Table::Tables(_)) {
                continue;
            }
            let default = key.default.clone().map(|value| Entry {
                value,
                origin: Origin::Default,
            });
            let default = defaults.entries.remove(&name).or(default);
            if let (false, Some(default)) = (self.settings.contains_key(&name), default) {
                self.settings.insert(name, vec![default]);
            }
        }
    }

    fn ignore(&mut self, name: &Name, origin: Origin, why: Why) {
        let key = key(name).map(|key| key.named(name.1.as_deref()));
        self.ignored.push(Ignored { key, origin, why });
    }
}

/// The order of limits. A time of 0 is no limit, and so above all others. A value that is not a limit is
/// above all too, so that a workspace file cannot set it.
fn rank(value: &Value) -> u128 {
    match value {
        Value::Time(time) if !time.is_zero() => time.as_nanos(),
        Value::Number(number) => u128::from(*number),
        _ => u128::MAX,
    }
}

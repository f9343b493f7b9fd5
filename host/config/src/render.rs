//! The output of `omniread config`.

use crate::effective::Effective;
use crate::escape::{escaped, quoted};
use crate::keys::{Key, Merge, Table, keys};
use crate::value::Entry;
use crate::write::{elements, shown_value};
use std::collections::BTreeMap;

impl Effective {
    /// The values as TOML. A comment at the end of each line states where the value comes from, and
    /// comments after them list the entries that are ignored. Secrets are left out.
    pub fn render(&self) -> String {
        let mut out = String::new();
        let mut table = Table::Top;
        for key in keys() {
            match key.table {
                Table::Open(name) => self.write_open(&mut out, key, name),
                Table::Tables(_) => {}
                Table::Top | Table::Named(_) => {
                    if key.table != table {
                        table = key.table;
                        if let Table::Named(name) = table {
                            out.push_str(&format!("\n[{name}]\n"));
                        }
                    }
                    write_setting(&mut out, key, key.name, self.entries(&key.to_string()));
                }
            }
        }
        self.write_servers(&mut out);
        if !self.ignored.is_empty() {
            out.push_str("\n# Ignored:\n");
        }
        for ignored in &self.ignored {
            out.push_str(&format!("# {}\n", escaped(&ignored.to_string())));
        }
        out
    }

    fn write_open(&self, out: &mut String, key: &Key, table: &str) {
        let settings = self
            .settings
            .iter()
            .filter(|((position, _), _)| *position == key.position);
        let mut has_header = false;
        for ((_, part), entries) in settings {
            if !has_header {
                out.push_str(&format!("\n[{table}]\n"));
                has_header = true;
            }
            let name = part.as_deref().unwrap_or_default();
            write_setting(out, key, &bare(name), entries);
        }
    }

    fn write_servers(&self, out: &mut String) {
        let mut servers: BTreeMap<&str, Vec<(&Key, &[Entry])>> = BTreeMap::new();
        for ((position, part), entries) in &self.settings {
            if let (Some(key), Some(server)) = (keys().get(*position), part)
                && matches!(key.table, Table::Tables(_))
            {
                servers.entry(server).or_default().push((key, entries));
            }
        }
        for (server, settings) in servers {
            out.push_str(&format!("\n[servers.{}]\n", bare(server)));
            for (key, entries) in settings {
                write_setting(out, key, key.name, entries);
            }
        }
    }
}

/// A key of TOML, with quotes if it needs them.
fn bare(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// Writes a key with its value. The elements of a list of several layers are on lines of their own.
fn write_setting(out: &mut String, key: &Key, name: &str, entries: &[Entry]) {
    match entries {
        [] => out.push_str(&format!("# {name} is not set\n")),
        [entry] if key.merge != Merge::Added => {
            let value = shown_value(&key.kind, &entry.value);
            out.push_str(&format!("{name} = {value} # {}\n", entry.origin));
        }
        entries => {
            out.push_str(&format!("{name} = [\n"));
            for entry in entries {
                for element in elements(&key.kind, &entry.value) {
                    out.push_str(&format!("    {element}, # {}\n", entry.origin));
                }
            }
            out.push_str("]\n");
        }
    }
}

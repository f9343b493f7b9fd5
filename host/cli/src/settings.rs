//! The settings of configuration files, merged with the options of the command line and the environment.
//!
//! Options and variables are parsed where they are defined. Here are their values only so that those of files
//! give way to them, and so that `omniread config` shows all of them.

use super::environment;
use super::mounts::Mount;
#[cfg(feature = "net")]
use super::network::NetworkArguments;
use omniread::sessions::StoreLimits;
use omniread::{Dialect, Options};
#[cfg(feature = "mcp-client")]
use omniread_config::Server;
use omniread_config::{Effective, Entry, Layer, Layers, Origin, Place, Value, WORKSPACE_FILE};
use omniread_options::{OptionError, SETTINGS};
#[cfg(feature = "mcp-client")]
use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of a command line that files may set too.
pub struct Given<'g> {
    pub config: Option<&'g Path>,
    pub roots: &'g [PathBuf],
    pub mounts: &'g [Mount],
    pub deny: &'g [String],
    pub dialect: Option<Dialect>,
    pub timeout: Option<Duration>,
    /// The timeout if nothing sets it.
    pub default_timeout: Duration,
    pub max_file_size: Option<u64>,
    pub session: Option<&'g Path>,
    pub set: &'g [String],
    #[cfg(feature = "net")]
    pub network: &'g NetworkArguments,
    /// Whether all settings are printed, also if there are no files.
    pub is_shown: bool,
}

/// The merged settings.
pub struct Settings {
    /// `None` if there are no files, and the settings are not printed.
    effective: Option<Effective>,
    roots: Vec<PathBuf>,
    mounts: Vec<Mount>,
    deny: Vec<String>,
    /// The path of the workspace file, unless the user has named it as the user file.
    workspace: Option<PathBuf>,
}

/// The name of the option of the command line, as the origin of a value.
fn flag(name: &str) -> Origin {
    Origin::Flag(name.to_owned())
}

fn variable(name: &str) -> Origin {
    Origin::Variable(name.to_owned())
}

/// Sets a value of the command line or the environment. A value that files cannot have is parsed, and
/// reported, where its option is defined.
fn set(layer: &mut Layer, key: &str, value: Value, origin: Origin) {
    let _ = layer.add(key, value, origin);
}

fn add_mounts(layer: &mut Layer, mounts: &[Mount], origin: &Origin) {
    for mount in mounts {
        let place = mount.directory().map_or(Place::Auto, |directory| {
            Place::Directory(directory.to_owned())
        });
        let key = format!("mounts.{}", mount.scheme());
        set(layer, &key, Value::Places(vec![place]), origin.clone());
    }
}

/// The layer of the options of the command line.
fn flags(given: &Given<'_>) -> Layer {
    let mut layer = Layer::default();
    let to = &mut layer;
    if !given.roots.is_empty() {
        set(
            to,
            "roots",
            Value::Paths(given.roots.to_vec()),
            flag("--root"),
        );
    }
    if !given.deny.is_empty() {
        set(
            to,
            "deny",
            Value::Texts(given.deny.to_vec()),
            flag("--deny"),
        );
    }
    add_mounts(to, given.mounts, &flag("--mount"));
    if let Some(dialect) = given.dialect {
        set(
            to,
            "dialect",
            Value::Text(dialect.name().to_owned()),
            flag("--dialect"),
        );
    }
    if let Some(time) = given.timeout {
        set(to, "limits.timeout", Value::Time(time), flag("--timeout"));
    }
    if let Some(size) = given.max_file_size {
        set(
            to,
            "limits.max-file-size",
            Value::Number(size),
            flag("--max-file-size"),
        );
    }
    if let Some(directory) = given.session {
        set(
            to,
            "session.directory",
            Value::Path(directory.to_owned()),
            flag("--session"),
        );
    }
    #[cfg(feature = "net")]
    given.network.settings(to);
    for (key, value) in given.set.iter().filter_map(|pair| pair.split_once('=')) {
        let _ = to.set_text(&format!("options.{key}"), value, flag("--set"));
    }
    layer
}

/// The layer of the environment.
///
/// # Errors
/// Fails with a message if a variable has a wrong value.
fn variables(roots: &[PathBuf], mounts: &[Mount], deny: &[String]) -> Result<Layer, String> {
    let mut layer = Layer::default();
    let to = &mut layer;
    if !roots.is_empty() {
        set(
            to,
            "roots",
            Value::Paths(roots.to_vec()),
            variable(environment::ROOT),
        );
    }
    if !deny.is_empty() {
        set(
            to,
            "deny",
            Value::Texts(deny.to_vec()),
            variable(environment::DENY),
        );
    }
    add_mounts(to, mounts, &variable(environment::MOUNT));
    if let Some(directory) = environment::session() {
        set(
            to,
            "session.directory",
            Value::Path(directory),
            variable(environment::SESSION),
        );
    }
    #[cfg(feature = "net")]
    {
        let grants: Vec<String> = environment::grants()?
            .iter()
            .map(ToString::to_string)
            .collect();
        if !grants.is_empty() {
            set(
                to,
                "network.allow",
                Value::Texts(grants),
                variable(environment::ALLOW_NET),
            );
        }
    }
    for (key, name) in [
        ("dialect", environment::DIALECT),
        ("limits.timeout", environment::TIMEOUT),
    ] {
        if let Some(text) = environment::text(name)? {
            let _ = to.set_text(key, &text, variable(name));
        }
    }
    for setting in SETTINGS {
        let name = format!(
            "OMNIREAD_{}",
            setting.key.replace('-', "_").to_ascii_uppercase()
        );
        if let Some(text) = environment::text(&name)? {
            let _ = to.set_text(&format!("options.{}", setting.key), &text, variable(&name));
        }
    }
    Ok(layer)
}

impl Settings {
    /// Reads the configuration files, and merges them with the options and the environment.
    ///
    /// # Errors
    /// Fails with a message if a file or a variable is wrong.
    pub fn load(given: &Given<'_>) -> Result<Self, String> {
        let of_environment = environment::roots();
        let mut mounts = environment::mounts()?;
        let mut deny = environment::deny()?;
        let lookup = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let usual = omniread_config::user_file(&lookup);
        let file = given.config.map(Path::to_owned).or(usual);
        let home = omniread_config::home(&lookup);
        let user = match &file {
            Some(file) => omniread_config::read_user(file, home).map_err(shown)?,
            None => None,
        };
        if let (Some(file), None) = (given.config, &user) {
            return Err(format!(
                "there is no configuration file `{}`",
                file.display()
            ));
        }
        let user = user.unwrap_or_default();
        let roots = first(&[
            given.roots.to_vec(),
            of_environment.clone(),
            paths(&user, "roots"),
        ]);
        // A command that prints no settings needs no others than those of files.
        let here = roots.first().map_or(Path::new("."), PathBuf::as_path);
        // A workspace file that the user names is one of the user.
        let real = |path: &Path| path.canonicalize().ok();
        let own = file.as_deref().and_then(real);
        let file_here = here.join(WORKSPACE_FILE);
        let is_own = own.is_some() && own == real(&file_here);
        let workspace = if is_own {
            Layer::default()
        } else {
            omniread_config::read_workspace(here).map_err(shown)?
        };
        let has_files =
            !user.is_empty() || !workspace.is_empty() || !workspace.ignored().is_empty();
        let effective = if has_files || given.is_shown {
            let mut defaults = Layer::default();
            set(
                &mut defaults,
                "limits.timeout",
                Value::Time(given.default_timeout),
                Origin::Default,
            );
            let layers = Layers {
                flags: flags(given),
                environment: variables(&of_environment, &mounts, &deny)?,
                user,
                workspace,
                defaults,
            };
            Some(layers.merge())
        } else {
            None
        };
        // Mounts of the command line are searched first, and rules of files deny last.
        mounts.splice(0..0, given.mounts.iter().cloned());
        deny.extend(given.deny.iter().cloned());
        let mut settings = Self {
            effective,
            roots,
            mounts,
            deny,
            workspace: (!is_own).then_some(file_here),
        };
        settings.add_files();
        Ok(settings)
    }

    /// Adds the mounts and deny rules of files.
    fn add_files(&mut self) {
        let Some(effective) = &self.effective else {
            return;
        };
        let is_of_file = |origin: &Origin| matches!(origin, Origin::File(..));
        for (scheme, places) in effective.mounts() {
            let places = places.into_iter().filter(|(_, origin)| is_of_file(origin));
            self.mounts.extend(places.map(|(place, _)| match place {
                Place::Directory(directory) => Mount::new(scheme, Some(directory.clone())),
                Place::Auto => Mount::new(scheme, None),
            }));
        }
        let rules = effective.texts("deny").into_iter();
        let rules = rules.filter(|(_, origin)| is_of_file(origin));
        self.deny.extend(rules.map(|(rule, _)| rule.to_owned()));
    }

    /// The value of a key that comes from a file. `None` if the command line or the environment has one.
    fn of_file(&self, key: &str) -> Option<&Value> {
        let mut entries = self.effective.as_ref()?.entries(key).iter();
        let of_file = |entry: &&Entry| matches!(entry.origin, Origin::File(..));
        entries.find(of_file).map(|entry| &entry.value)
    }

    /// The directories that may be read.
    pub fn roots(&self) -> Vec<PathBuf> {
        self.roots.clone()
    }

    /// The mounts.
    pub fn mounts(&self) -> Vec<Mount> {
        self.mounts.clone()
    }

    /// The deny rules.
    pub fn deny(&self) -> Vec<String> {
        self.deny.clone()
    }

    /// Whether a deny rule is of a file, and where it is.
    pub fn origin_of_rule(&self, rule: &str) -> Option<String> {
        let rules = self.effective.as_ref()?.texts("deny").into_iter();
        let mut found = rules
            .filter(|(known, _)| *known == rule)
            .map(|(_, origin)| origin);
        found
            .find(|origin| matches!(origin, Origin::File(..)))
            .map(ToString::to_string)
    }

    /// The dialect of a file.
    pub fn dialect(&self) -> Option<Dialect> {
        match self.of_file("dialect")? {
            Value::Text(name) => Dialect::named(name),
            _ => None,
        }
    }

    /// The timeout: that of a file, or else `given`, which is that of the command line or the environment.
    pub fn timeout(&self, given: Option<Duration>) -> Option<Duration> {
        match self.of_file("limits.timeout") {
            Some(Value::Time(time)) => Some(*time),
            _ => given,
        }
    }

    /// Where the timeout comes from, if it is that of the workspace file: no option raises it.
    pub fn workspace_timeout(&self) -> Option<String> {
        let origin = self.effective.as_ref()?.origin("limits.timeout")?;
        let is_workspace =
            matches!(origin, Origin::File(path, _) if Some(path) == self.workspace.as_ref());
        is_workspace.then(|| origin.to_string())
    }

    /// The size from which files are refused: that of a file, or else `given`.
    pub fn max_file_size(&self, given: Option<u64>) -> Option<u64> {
        match self.of_file("limits.max-file-size") {
            Some(Value::Number(size)) => Some(*size),
            _ => given,
        }
    }

    /// The directory of the session.
    pub fn session(&self, given: Option<PathBuf>) -> Option<PathBuf> {
        let of_file = || match self.of_file("session.directory") {
            Some(Value::Path(directory)) => Some(directory.clone()),
            _ => None,
        };
        given.or_else(environment::session).or_else(of_file)
    }

    /// The MCP servers of the user file.
    #[cfg(feature = "mcp-client")]
    pub fn servers(&self) -> BTreeMap<String, Server> {
        let servers = self.effective.as_ref().map(Effective::servers);
        servers.unwrap_or_default()
    }

    /// The time of a key that no option of the command line sets.
    #[cfg(feature = "mcp-client")]
    pub fn time(&self, key: &str) -> Option<Duration> {
        self.effective.as_ref()?.time(key)
    }

    /// The limits of the session.
    pub fn session_limits(&self) -> StoreLimits {
        let number = |key| match self.of_file(key) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        };
        let usual = StoreLimits::DISK;
        let paths = number("session.paths").and_then(|paths| usize::try_from(paths).ok());
        StoreLimits::new(
            paths.unwrap_or(usual.paths),
            number("session.bytes").unwrap_or(usual.bytes),
        )
    }

    /// Sets the options of reads that come from files.
    ///
    /// # Errors
    /// Fails if a value is wrong.
    pub fn set_options(&self, options: &mut Options) -> Result<(), OptionError> {
        for setting in SETTINGS {
            let text = match self.of_file(&format!("options.{}", setting.key)) {
                Some(Value::Number(number)) => number.to_string(),
                Some(Value::Switch(true)) => "on".to_owned(),
                Some(Value::Switch(false)) => "off".to_owned(),
                Some(Value::Texts(names)) => names.join(","),
                _ => continue,
            };
            options.set(setting.key, &text)?;
        }
        Ok(())
    }

    /// Sets the options of the network that come from files.
    ///
    /// # Errors
    /// Fails with a message if a value is wrong.
    #[cfg(feature = "net")]
    pub fn set_network(&self, network: &mut NetworkArguments) -> Result<(), String> {
        network.set_from(&|key| self.of_file(key))
    }

    /// What is wrong with files without being an error: entries that have no effect.
    pub fn reports(&self) -> Vec<String> {
        self.effective
            .as_ref()
            .map(Effective::reports)
            .unwrap_or_default()
    }

    /// All settings with their origins, as TOML.
    pub fn render(&self) -> String {
        self.effective
            .as_ref()
            .map(Effective::render)
            .unwrap_or_default()
    }
}

/// The paths of a list in a layer.
fn paths(layer: &Layer, key: &str) -> Vec<PathBuf> {
    match layer.get(key).map(|entry| &entry.value) {
        Some(Value::Paths(paths)) => paths.clone(),
        _ => Vec::new(),
    }
}

/// The first list that is not empty.
fn first(lists: &[Vec<PathBuf>]) -> Vec<PathBuf> {
    let found = lists.iter().find(|list| !list.is_empty());
    found.cloned().unwrap_or_default()
}

fn shown(error: impl fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use omniread_config::{DIALECTS, limits};

    /// The crate of configuration files builds without the library, so that it names these values itself.
    #[test]
    fn values_of_files_are_those_of_the_library() {
        assert_eq!(DIALECTS.to_vec(), Dialect::ALL.map(Dialect::name));
        assert_eq!(limits::TIMEOUT, omniread::limits::COMMAND_TIMEOUT);
        assert_eq!(limits::DEFAULT_SESSION_BYTES, StoreLimits::DISK.bytes);
    }
}

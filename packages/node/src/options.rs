//! Arguments of readers and reads.

use crate::failure::{Code, Result, error};
use napi::Either;
use napi::bindgen_prelude::Buffer;
use omniread::network::{Grant, Proxy};
use omniread::{Builder, Dialect, Network, Options, Reader};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The arguments of a reader. The part in JavaScript has checked their types, and lists of one text are lists.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Settings {
    roots: Vec<PathBuf>,
    deny: Vec<String>,
    mounts: BTreeMap<String, Vec<PathBuf>>,
    timeout: Timeout,
    memory: Option<usize>,
    engine_memory: Option<usize>,
    max_file_size: Option<u64>,
    home: Option<PathBuf>,
    password: Option<String>,
    allow_net: Vec<String>,
    net_headers: BTreeMap<String, BTreeMap<String, String>>,
    net_timeout: Option<f64>,
    net_max_bytes: Option<u64>,
    net_proxy: Option<String>,
    net_user_agent: Option<String>,
    net_authorities: Vec<PathBuf>,
}

/// The time limit of a read. `null` removes it.
#[derive(Default)]
enum Timeout {
    #[default]
    Default,
    Unlimited,
    Milliseconds(f64),
}

impl<'de> Deserialize<'de> for Timeout {
    fn deserialize<D: serde::Deserializer<'de>>(value: D) -> std::result::Result<Self, D::Error> {
        let time: Option<f64> = Option::deserialize(value)?;
        Ok(time.map_or(Self::Unlimited, Self::Milliseconds))
    }
}

impl Settings {
    /// The arguments in JSON.
    pub fn parse(json: &str) -> Result<Self> {
        serde_json::from_str(json).map_err(|wrong| error(Code::Config, wrong.to_string()))
    }

    /// A reader with these arguments.
    pub fn build(self) -> Result<Reader> {
        let network = self.network()?;
        let mut builder = Reader::builder().network(network);
        builder = self.roots.iter().fold(builder, Builder::root);
        builder = self.deny.iter().fold(builder, Builder::deny);
        for (scheme, directories) in &self.mounts {
            for directory in directories {
                builder = builder.mount(scheme.clone(), directory);
            }
        }
        builder = match self.timeout {
            Timeout::Default => builder,
            Timeout::Unlimited => builder.timeout(None),
            Timeout::Milliseconds(time) => builder.timeout(milliseconds("timeout", time)?),
        };
        if let Some(bytes) = self.memory {
            builder = builder.memory(bytes);
        }
        if let Some(bytes) = self.engine_memory {
            builder = builder.engine_memory(bytes);
        }
        if let Some(bytes) = self.max_file_size {
            builder = builder.max_file_size(bytes);
        }
        if let Some(home) = self.home {
            builder = builder.home(home);
        }
        if let Some(password) = self.password {
            builder = builder.password(password);
        }
        let built = builder.build();
        built.map_err(|wrong| error(Code::Config, wrong.to_string()))
    }

    fn network(&self) -> Result<Network> {
        let mut network = Network::default();
        for grant in &self.allow_net {
            let grant = grant.parse::<Grant>();
            network = network.allow(grant.map_err(|wrong| error(Code::Config, wrong.to_string()))?);
        }
        for (host, headers) in &self.net_headers {
            for (name, value) in headers {
                network = network.header(host.clone(), name.clone(), value.clone());
            }
        }
        if let Some(time) = self.net_timeout {
            network = network.timeout(milliseconds("netTimeout", time)?);
        }
        if let Some(bytes) = self.net_max_bytes {
            network = network.max_bytes(bytes);
        }
        if let Some(agent) = &self.net_user_agent {
            network = network.user_agent(agent.clone());
        }
        if let Some(proxy) = &self.net_proxy {
            let proxy = proxy.parse::<Proxy>();
            network = network.proxy(proxy.map_err(|wrong| error(Code::Config, wrong.to_string()))?);
        }
        Ok(self
            .net_authorities
            .iter()
            .fold(network, Network::authority))
    }
}

fn milliseconds(name: &str, time: f64) -> Result<Duration> {
    Duration::try_from_secs_f64(time / 1000.0).map_err(|_| {
        let reason = format!("`{name}` is a number of milliseconds, not {time}");
        error(Code::Config, reason)
    })
}

/// A path as JavaScript passes it: text, or the bytes of a name.
pub type PathLike = Either<String, Buffer>;

/// The path.
pub fn path(path: PathLike) -> PathBuf {
    match path {
        Either::A(text) => PathBuf::from(text),
        Either::B(bytes) => of_bytes(&bytes),
    }
}

#[cfg(unix)]
fn of_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The dialect with a name.
pub fn dialect(name: &str) -> Result<Dialect> {
    Dialect::named(name).ok_or_else(|| error(Code::Option, format!("there is no dialect `{name}`")))
}

/// The dialect and the options of a read, from a list: the dialect, and then names and values in turn.
pub fn request(words: Option<&[String]>) -> Result<(Dialect, Options)> {
    let mut options = Options::default();
    let Some((name, pairs)) = words.and_then(<[String]>::split_first) else {
        return Ok((Dialect::Omp, options));
    };
    let dialect = dialect(name)?;
    for pair in pairs.chunks_exact(2) {
        let [name, value] = pair else { continue };
        match name.as_str() {
            "lines" => options.lines = Some(value.clone()),
            "stdin" => options.stdin = value == "on",
            _ => {
                let set = options.set(&key(name), value);
                // The message has the name as the caller wrote it.
                set.map_err(|wrong| {
                    let message = wrong.to_string();
                    error(Code::Option, message.replace(&key(name), name))
                })?;
            }
        }
    }
    Ok((dialect, options))
}

/// The name of an option in JavaScript: `imageSide` for `image-side`.
pub fn name(key: &str) -> String {
    let mut words = key.split('-');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// The key of an option: `image-side` for `imageSide`.
fn key(name: &str) -> String {
    let mut key = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            key.push('-');
        }
        key.push(letter.to_ascii_lowercase());
    }
    key
}

//! The options of the network.

use super::environment;
use super::units::{size, time};
use omniread::Builder;
use omniread::network::{Grant, GrantError, Network, Proxy, ProxyError};
use omniread_config::{HeaderSource, Layer, Origin, Value as Setting};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The options of the network.
#[derive(clap::Args, Clone, Debug)]
pub struct NetworkArguments {
    /// Allow reads to connect to a host: `example.com`, `example.com:8080`, all hosts below a name as `*.example.com`, or all public hosts as `public`. Repeat it for more. `OMNIREAD_ALLOW_NET` sets it too [default: none]
    #[arg(long, value_name = "GRANT", global = true)]
    allow_net: Vec<Grant>,

    /// Stop the requests of a read after this time together, such as 20s or 500ms; 0 means no limit. It does not count towards `--timeout` [default: 45]
    #[arg(long, value_name = "TIME", global = true, value_parser = time)]
    net_timeout: Option<Duration>,

    /// Refuse responses that are larger than this, as they are sent [default: 50M]
    #[arg(long, value_name = "SIZE", global = true, value_parser = size)]
    net_bytes: Option<u64>,

    /// Accept certificates of the authorities in this PEM file too. Repeat it for more
    #[arg(long, value_name = "FILE", global = true, value_hint = clap::ValueHint::FilePath)]
    ca: Vec<PathBuf>,

    /// Send this value of `User-Agent` [default: omniread/VERSION]
    #[arg(long, value_name = "TEXT", global = true)]
    user_agent: Option<String>,

    /// Send a header, such as a token, to one granted host: `HOST=NAME=file:PATH` takes the value from the first line of a file, `HOST=NAME=env:VARIABLE` from the environment. It is sent over https only, unless HOST begins with `http://` or is this machine. Repeat it for more
    #[arg(long, value_name = "HEADER", global = true)]
    net_header: Vec<String>,

    /// Send requests to other machines through this HTTP proxy, such as `http://proxy.example.com:3128`. The proxy resolves the names of hosts, so their addresses are not checked [default: none]
    #[arg(long, value_name = "URL", global = true)]
    proxy: Option<String>,
}

/// A header for a host, and where its value is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct HeaderArgument {
    host: String,
    name: String,
    value: Value,
}

/// Where the value of a header is. It is not in the command line, which other users can see.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    File(PathBuf),
    Variable(String),
}

impl HeaderArgument {
    /// Parses `HOST=NAME=file:PATH` or `HOST=NAME=env:VARIABLE`.
    ///
    /// # Errors
    /// Fails with a message. It does not repeat the text, because that may contain the value. So
    /// clap, whose messages do, does not call this.
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            "`--net-header` names where a value is\nhint: write `HOST=NAME=file:PATH` or `HOST=NAME=env:VARIABLE`, because other users can see arguments"
                .to_owned()
        };
        let (host, rest) = text.split_once('=').ok_or_else(wrong)?;
        let (name, value) = rest.split_once('=').ok_or_else(wrong)?;
        let value = match value.split_once(':') {
            Some(("file", path)) if !path.is_empty() => Value::File(path.into()),
            Some(("env", name)) if !name.is_empty() => Value::Variable(name.to_owned()),
            _ => return Err(wrong()),
        };
        Ok(Self {
            host: host.to_owned(),
            name: name.to_owned(),
            value,
        })
    }
}

impl Value {
    /// Reads the value.
    ///
    /// # Errors
    /// Fails with a message if there is no file or variable.
    fn read(&self, header: &dyn fmt::Display) -> Result<String, String> {
        match self {
            Self::File(file) => {
                let text = std::fs::read_to_string(file).map_err(|error| {
                    let file = file.display();
                    format!("cannot read the value of the header {header} in `{file}`: {error}")
                })?;
                Ok(text.lines().next().unwrap_or_default().to_owned())
            }
            Self::Variable(name) => {
                let failed = |why: &str| {
                    format!(
                        "cannot read the value of the header {header} in the environment variable `{name}`: {why}"
                    )
                };
                let value = environment::secret(name)
                    .ok_or_else(|| failed("environment variable not found"))?;
                value.into_string().map_err(|_| failed("it is not UTF-8"))
            }
        }
    }
}

impl NetworkArguments {
    /// Whether the command line grants no hosts.
    pub fn has_no_grants(&self) -> bool {
        self.allow_net.is_empty()
    }

    /// Adds the options to a layer of settings, so that those of files give way to them.
    pub fn settings(&self, layer: &mut Layer) {
        let mut set = |key: &str, value: Setting, flag: &str| {
            // A value that files cannot have is checked where it is used.
            let _ = layer.add(key, value, Origin::Flag(flag.to_owned()));
        };
        if !self.allow_net.is_empty() {
            let grants = self.allow_net.iter().map(ToString::to_string).collect();
            set("network.allow", Setting::Texts(grants), "--allow-net");
        }
        if let Some(time) = self.net_timeout {
            set("network.timeout", Setting::Time(time), "--net-timeout");
        }
        if let Some(bytes) = self.net_bytes {
            set("network.max-bytes", Setting::Number(bytes), "--net-bytes");
        }
        if !self.ca.is_empty() {
            set("network.ca", Setting::Paths(self.ca.clone()), "--ca");
        }
        if let Some(text) = &self.user_agent {
            set(
                "network.user-agent",
                Setting::Text(text.clone()),
                "--user-agent",
            );
        }
        if let Some(proxy) = &self.proxy {
            set("network.proxy", Setting::Text(proxy.clone()), "--proxy");
        }
        let headers = self.net_header.iter().filter_map(|text| {
            let header = HeaderArgument::parse(text).ok()?;
            Some(omniread_config::Header {
                host: header.host,
                name: header.name,
                source: match header.value {
                    Value::File(path) => HeaderSource::File(path),
                    Value::Variable(name) => HeaderSource::Variable(name),
                },
            })
        });
        let headers: Vec<_> = headers.collect();
        if !headers.is_empty() {
            set("network.headers", Setting::Headers(headers), "--net-header");
        }
    }

    /// Sets the options that come from files. `of_file` has the value of a key, such as `network.proxy`.
    ///
    /// # Errors
    /// Fails with a message if a grant is wrong.
    pub fn set_from<'v>(
        &mut self,
        of_file: &dyn Fn(&str) -> Option<&'v Setting>,
    ) -> Result<(), String> {
        if let Some(Setting::Texts(grants)) = of_file("network.allow") {
            for text in grants {
                let grant = text
                    .parse()
                    .map_err(|error: GrantError| format!("network.allow: {error}"))?;
                self.allow_net.push(grant);
            }
        }
        if let Some(Setting::Time(time)) = of_file("network.timeout") {
            self.net_timeout = Some(*time);
        }
        if let Some(Setting::Number(bytes)) = of_file("network.max-bytes") {
            self.net_bytes = Some(*bytes);
        }
        if let Some(Setting::Paths(files)) = of_file("network.ca") {
            self.ca.clone_from(files);
        }
        if let Some(Setting::Text(text)) = of_file("network.user-agent") {
            self.user_agent = Some(text.clone());
        }
        if let Some(Setting::Text(text)) = of_file("network.proxy") {
            self.proxy = Some(text.clone());
        }
        if let Some(Setting::Headers(headers)) = of_file("network.headers") {
            self.net_header = headers.iter().map(ToString::to_string).collect();
        }
        Ok(())
    }

    /// Grants hosts.
    pub fn grant(&mut self, grants: Vec<Grant>) {
        self.allow_net.extend(grants);
    }

    /// Adds the options to the builder of a reader.
    ///
    /// # Errors
    /// Fails with a message if a file or a variable cannot be read.
    pub fn apply(&self, builder: Builder) -> Result<Builder, String> {
        Ok(builder.network(self.network()?))
    }

    /// The network that the options describe.
    ///
    /// # Errors
    /// Fails with a message if a file or a variable cannot be read.
    pub fn network(&self) -> Result<Network, String> {
        let grants = self.allow_net.iter().cloned();
        let mut network = grants.fold(Network::default(), Network::allow);
        if let Some(time) = self.net_timeout {
            let is_unlimited = time.is_zero();
            network = network.timeout(if is_unlimited { Duration::MAX } else { time });
        }
        if let Some(bytes) = self.net_bytes {
            network = network.max_bytes(bytes);
        }
        for file in &self.ca {
            network = network.authority(file);
        }
        if let Some(text) = &self.user_agent {
            network = network.user_agent(text);
        }
        for text in &self.net_header {
            let header = HeaderArgument::parse(text)?;
            let value = header.value.read(&format_args!("`{}`", header.name))?;
            network = network.header(&header.host, &header.name, value);
        }
        if let Some(text) = &self.proxy {
            network = network.proxy(proxy(text)?);
        }
        Ok(network)
    }
}

/// Parses the address of a proxy. clap does not, because its messages repeat the text, which may contain
/// a password.
///
/// # Errors
/// Fails with a message.
fn proxy(text: &str) -> Result<Proxy, String> {
    text.parse().map_err(|error| match error {
        ProxyError::Credentials => format!(
            "{error}\nhint: use `--net-header HOST=Proxy-Authorization=env:VARIABLE`, because other users can see arguments"
        ),
        _ => error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_where_their_value_is() {
        let header = HeaderArgument::parse("[::1]=X-Token=file:a=b").unwrap();
        assert_eq!(header.host, "[::1]");
        assert_eq!(header.name, "X-Token");
        assert_eq!(header.value, Value::File("a=b".into()));
        let header = HeaderArgument::parse("a.example=Authorization=env:TOKEN").unwrap();
        assert_eq!(header.value, Value::Variable("TOKEN".to_owned()));
        for text in [
            "",
            "a.example",
            "a.example=Authorization",
            "a.example=Authorization=secret",
            "a.example=Authorization: secret",
            "a.example=Authorization=file:",
            "a.example=Authorization=other:x",
        ] {
            let error = HeaderArgument::parse(text).unwrap_err();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}

//! The options of the network.

use super::environment;
use super::units::{size, time};
use omniread::Builder;
use omniread::network::{Grant, GrantError, Network, Proxy, ProxyError};
use omniread_config::{Header, HeaderSource, Layer, Origin, Value as Setting};
use std::path::PathBuf;
use std::time::Duration;

/// The options of the network.
#[derive(clap::Args, Clone, Debug, Default)]
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

    /// Send a header, such as a token, to one granted host: `HOST=NAME=file:PATH` takes the value from the first line of a file, `HOST=NAME=env:VARIABLE` from the environment, and `HOST=Authorization=Bearer env:VARIABLE` sends a token with the word `Bearer` before it. It is sent over https only, unless HOST begins with `http://` or is this machine. Repeat it for more
    #[arg(long, value_name = "HEADER", global = true)]
    net_header: Vec<String>,

    /// Send requests to other machines through this HTTP proxy, such as `http://proxy.example.com:3128`. The proxy resolves the names of hosts, so their addresses are not checked [default: none]
    #[arg(long, value_name = "URL", global = true)]
    proxy: Option<String>,
}

/// Parses a header for a host. clap does not, because its messages repeat the text, which may contain the value.
///
/// # Errors
/// Fails with a message, which does not repeat the text.
fn header(text: &str) -> Result<Header, String> {
    text.parse().map_err(|_| {
        "`--net-header` names where a value is\nhint: write `HOST=NAME=file:PATH`, `HOST=NAME=env:VARIABLE` or `HOST='Authorization=Bearer env:VARIABLE'`, because other users can see arguments"
            .to_owned()
    })
}

/// Reads the value of a header.
///
/// # Errors
/// Fails with a message if there is no file or variable.
fn value(header: &Header) -> Result<String, String> {
    let name = &header.name;
    let value = match &header.source {
        HeaderSource::File(file) => {
            let text = std::fs::read_to_string(file).map_err(|error| {
                let file = file.display();
                format!("cannot read the value of the header `{name}` in `{file}`: {error}")
            })?;
            text.lines().next().unwrap_or_default().to_owned()
        }
        HeaderSource::Variable(variable) => {
            let failed = |why: &str| {
                format!(
                    "cannot read the value of the header `{name}` in the environment variable `{variable}`: {why}"
                )
            };
            let value = environment::secret(variable)
                .ok_or_else(|| failed("environment variable not found"))?;
            let value = value.into_string();
            value.map_err(|_| failed("it is not UTF-8"))?
        }
    };
    Ok(match &header.scheme {
        Some(scheme) => format!("{scheme} {value}"),
        None => value,
    })
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
        let headers = self.net_header.iter().filter_map(|text| header(text).ok());
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
            let header = header(text)?;
            network = network.header(&header.host, &header.name, value(&header)?);
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
        let named = header("[::1]=X-Token=file:a=b").unwrap();
        assert_eq!(
            (named.host.as_str(), named.name.as_str()),
            ("[::1]", "X-Token")
        );
        assert_eq!(named.source, HeaderSource::File("a=b".into()));
        assert_eq!(named.scheme, None);
        let text = "a.example=Authorization=Bearer env:TOKEN";
        let named = header(text).unwrap();
        assert_eq!(named.source, HeaderSource::Variable("TOKEN".to_owned()));
        assert_eq!(named.scheme.as_deref(), Some("Bearer"));
        assert_eq!(named.to_string(), text);
        for text in [
            "",
            "a.example",
            "a.example=Authorization",
            "a.example=Authorization=secret",
            "a.example=Authorization: secret",
            "a.example=Authorization=file:",
            "a.example=Authorization=other:x",
            "a.example=Authorization=secret secret env:X",
            "a.example=Authorization= env:X",
        ] {
            let error = header(text).unwrap_err();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}

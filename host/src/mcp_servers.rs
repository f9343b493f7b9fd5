//! MCP servers as a provider of `mcp://` URLs: the resources of servers that a user configured.
//!
//! ```
//! use omniread::mcp_servers::{McpServer, McpServers};
//!
//! let notes = McpServer::program("notes", "notes-server").argument("--stdio");
//! let servers = McpServers::new(vec![notes], omniread::Network::default())?;
//! let reader = omniread::Reader::builder().provider(servers).build()?;
//! let list = reader.session().read("mcp://")?;
//! assert!(list.text().contains("mcp://notes: not started"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::CancelToken;
use crate::network::{Grant, Network, SettingError};
use crate::resources::{Backing, Facts, Provider, Resource, ResourceError};
use crate::sandbox::net::{Client, Clock, Target};
use http::{HeaderName, HeaderValue, Uri};
use omniread_mcp_client::{
    Connect, Connecting, Failure, Opened, Reach, Server, Servers, Stream, is_name,
};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// An MCP server, and how it is reached.
#[derive(Clone, Debug)]
pub struct McpServer(Server);

impl McpServer {
    /// A server that is a program: a path, or a name that is searched for in `PATH`. A relative path starts in the
    /// [`directory`](Self::directory) of the program. It is started when a read needs it. Of the environment of this
    /// process, it has only `PATH`, `HOME` and on Windows `SystemRoot`.
    pub fn program(name: impl Into<String>, program: impl Into<OsString>) -> Self {
        let reach = Reach::Program {
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
        };
        Self(Server::new(name, reach))
    }

    /// A server over streamable HTTP. Its host is granted for this server only.
    ///
    /// # Errors
    /// Fails if the address is not one of a web server.
    pub fn http(name: impl Into<String>, address: &str) -> Result<Self, McpServerError> {
        let name = name.into();
        let uri: Result<Uri, _> = address.parse();
        let uri = uri.ok().filter(|uri| Target::of(uri).is_ok());
        let Some(uri) = uri else {
            return Err(McpServerError::Address(name));
        };
        let headers = Vec::new();
        Ok(Self(Server::new(name, Reach::Http { uri, headers })))
    }

    /// A server that cannot be reached, because a part of its configuration is wrong. Reads of it fail with
    /// this reason, and others do not.
    pub fn unusable(name: impl Into<String>, why: impl Into<String>) -> Self {
        Self(Server::new(name, Reach::Nowhere(why.into())))
    }

    /// Adds an argument of the program.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        if let Reach::Program { arguments, .. } = &mut self.0.reach {
            arguments.push(argument.into());
        }
        self
    }

    /// Sets a variable of the environment of the program.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        if let Reach::Program { environment, .. } = &mut self.0.reach {
            environment.push((name.into(), value.into()));
        }
        self
    }

    /// Sets the working directory of the program. Without it, the program has the home directory of the user, or
    /// `/` if there is none. It never has that of this process: it may be a workspace, whose files `npx` or
    /// `python -m` would run.
    #[must_use]
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        if let Reach::Program { directory, .. } = &mut self.0.reach {
            *directory = Some(path.into());
        }
        self
    }

    /// Sends a header, such as a token, with each request over HTTP. In failures, the value is
    /// replaced by `(hidden)` if the server quotes it and it has at least 8 bytes.
    ///
    /// # Errors
    /// Fails if the name or the value is not valid.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, McpServerError> {
        let wrong = || McpServerError::Header(self.0.name.clone(), name.to_owned());
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
        value.set_sensitive(true);
        if let Reach::Http { headers, .. } = &mut self.0.reach {
            headers.push((header, value));
        }
        Ok(self)
    }

    /// Sets the time in which the server must have started. The default is 30 seconds.
    #[must_use]
    pub fn start_timeout(mut self, time: Duration) -> Self {
        self.0.start = time.min(omniread_mcp_client::limits::LONGEST);
        self
    }

    /// Sets the time for the answer to one request. The default is 30 seconds.
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Self {
        self.0.request = time.min(omniread_mcp_client::limits::LONGEST);
        self
    }
}

/// The reason why a server cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum McpServerError {
    /// A name is not valid, or two servers have it.
    Name(String),
    /// The address of a server is not one of a web server. Contains the name of the server.
    Address(String),
    /// A header cannot be sent. Contains the names of the server and of the header.
    Header(String, String),
    /// A setting of the network is wrong.
    Network(SettingError),
}

impl fmt::Display for McpServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(
                f,
                "`{}` cannot be the name of an MCP server: it takes letters, digits, `-`, `_` and `.`, and only one server has it",
                name.escape_debug()
            ),
            Self::Address(name) => write!(
                f,
                "the address of the MCP server `{name}` is not one of a web server without a user name"
            ),
            Self::Header(name, header) => write!(
                f,
                "the header `{}` of the MCP server `{name}` cannot be sent",
                header.escape_debug()
            ),
            Self::Network(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for McpServerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Network(error) => Some(error),
            _ => None,
        }
    }
}

/// A provider of `mcp://` URLs: `mcp://` lists the servers, `mcp://SERVER` lists the resources of one,
/// `mcp://SERVER/URI` is one of them, and `mcp://URI` is that of the server which lists it, or whose template
/// matches best.
///
/// A server is started when a read needs it. Its failures state what happened within a deadline. Clones share
/// the servers, which end with the last clone and the last reader that has it.
#[derive(Clone, Debug)]
pub struct McpServers(Servers);

impl McpServers {
    /// A provider of the resources of servers. `network` has the authorities, the proxy and the resolver for
    /// servers over HTTP. Its grants and headers have no effect.
    ///
    /// # Errors
    /// Fails if a name is not valid or is that of two servers, or if a setting of the network is wrong.
    pub fn new(servers: Vec<McpServer>, network: Network) -> Result<Self, McpServerError> {
        let mut grants = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for McpServer(server) in &servers {
            if !is_name(&server.name) || names.contains(&server.name.as_str()) {
                return Err(McpServerError::Name(server.name.clone()));
            }
            names.push(&server.name);
            if let Reach::Http { uri, .. } = &server.reach {
                let address = || McpServerError::Address(server.name.clone());
                grants.push(grant(uri).ok_or_else(address)?);
            }
        }
        let client = network.only(grants).client();
        let connect: Arc<dyn Connect> = Arc::new(Granted {
            client: client.map_err(McpServerError::Network)?,
        });
        let servers = servers.into_iter().map(|McpServer(server)| server);
        Ok(Self(Servers::new(servers.collect(), &connect)))
    }

    /// Ends the programs of all servers of this process at once, also those that start just now. No server starts
    /// afterwards. Call it before the process ends without dropping its readers, such as on a signal. It returns
    /// at once. [`Self::end`] gives servers time to end by themselves.
    pub fn kill_all() {
        omniread_mcp_client::kill_all();
    }

    /// Ends the servers that run, and returns when they have ended. Later reads start them again. It is of use
    /// if the process ends without dropping its readers.
    pub fn end(&self) {
        self.0.end();
    }

    /// A provider of the skills that these servers publish (SEP-2640, the skills extension of MCP), as
    /// `skill://` URLs. The skills in mounted directories come first.
    pub fn skills(&self) -> McpSkills {
        McpSkills(self.0.clone())
    }

    fn opened(
        &self,
        url: &str,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Resource, ResourceError> {
        resource(self.0.open(url, is_cancelled))
    }
}

/// A provider of `skill://` URLs: the skills that MCP servers publish. [`McpServers::skills`] creates it.
#[derive(Clone, Debug)]
pub struct McpSkills(Servers);

impl McpSkills {
    fn opened(
        &self,
        url: &str,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Resource, ResourceError> {
        resource(self.0.open_skill(url, is_cancelled))
    }
}

impl Provider for McpSkills {
    fn scheme(&self) -> &str {
        omniread_mcp_client::SKILLS
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::of(self.scheme());
        facts.backing = Backing::Remote;
        facts
    }

    fn open(&self, url: &str) -> Result<Resource, ResourceError> {
        self.opened(url, &|| false)
    }

    fn open_until(&self, url: &str, cancelled: &CancelToken) -> Result<Resource, ResourceError> {
        self.opened(url, &|| cancelled.is_cancelled())
    }

    fn longest_wait(&self) -> Option<Duration> {
        Some(self.0.longest())
    }
}

/// What a server sent, as the reader gets it.
fn resource(opened: Result<Opened, Failure>) -> Result<Resource, ResourceError> {
    let opened = opened.map_err(|failure| match failure {
        Failure::NotFound(similar) => ResourceError::NotFound(similar),
        failure => ResourceError::Failed(failure.to_string()),
    })?;
    let size = opened.bytes.len() as u64;
    let mut resource = Resource::new(opened.bytes, Some(size));
    resource.mime = opened.mime;
    resource.charset = opened.is_text.then(|| "utf-8".to_owned());
    Ok(resource)
}

/// The grant of the host and the port of an address.
fn grant(uri: &Uri) -> Option<Grant> {
    let target = Target::of(uri).ok()?;
    format!("{}:{}", target.host, target.port).parse().ok()
}

impl Provider for McpServers {
    fn scheme(&self) -> &str {
        omniread_mcp_client::SCHEME
    }

    fn open(&self, url: &str) -> Result<Resource, ResourceError> {
        self.opened(url, &|| false)
    }

    fn open_until(&self, url: &str, cancelled: &CancelToken) -> Result<Resource, ResourceError> {
        self.opened(url, &|| cancelled.is_cancelled())
    }

    fn longest_wait(&self) -> Option<Duration> {
        Some(self.0.longest())
    }

    fn names(&self, start: &str, most: usize) -> Result<Option<Vec<String>>, ResourceError> {
        let names = self.0.names().filter(|name| name.starts_with(start));
        Ok(Some(names.take(most).map(str::to_owned).collect()))
    }
}

/// Connections to the servers of the configuration, with the checks of the network.
struct Granted {
    /// `None` if no server is reached over HTTP.
    client: Option<Arc<Client>>,
}

impl Connect for Granted {
    fn connect<'a>(&'a self, uri: &'a Uri) -> Connecting<'a> {
        Box::pin(async move {
            let client = self.client.as_ref();
            let client = client.ok_or_else(|| io::Error::other("its host is not granted"))?;
            let limit = client.limits().read;
            // The caller has deadlines, and drops what is too late.
            let clock = Clock::new(limit, Arc::default(), Arc::new(|| false));
            let stream = client.stream(uri, &clock).await;
            let stream = stream.map_err(|failure| io::Error::other(failure.to_string()))?;
            Ok(Box::new(stream) as Box<dyn Stream>)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_addresses_are_checked() {
        let new = |servers| McpServers::new(servers, Network::default()).map(|_| ());
        let program = |name: &str| McpServer::program(name, "true");
        for name in ["", "a b", "a/b", "a:"] {
            let error = McpServerError::Name(name.to_owned());
            assert_eq!(new(vec![program(name)]), Err(error));
        }
        let twice = new(vec![program("a"), program("a")]);
        assert_eq!(twice, Err(McpServerError::Name("a".to_owned())));
        for address in [
            "",
            "ftp://a",
            "http://",
            "http://u:secret@a.example/",
            "a.example",
        ] {
            let error = McpServer::http("a", address).unwrap_err();
            assert_eq!(error, McpServerError::Address("a".to_owned()), "{address}");
        }
        let server = McpServer::http("a", "https://a.example:8443/mcp").unwrap();
        let error = server.clone().header("X-Token", "secret\n").unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
        assert!(!format!("{:?}", server.header("X-Token", "secret")).contains("secret"));
    }

    #[test]
    fn only_the_host_and_the_port_of_an_address_are_granted() {
        let grant = |uri: &str| grant(&uri.parse().unwrap()).unwrap().to_string();
        assert_eq!(grant("https://a.example/mcp"), "a.example:443");
        assert_eq!(grant("http://[::1]:8080/"), "[::1]:8080");
    }
}

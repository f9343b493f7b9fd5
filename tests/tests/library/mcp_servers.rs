//! `McpServers`: which hosts servers over HTTP reach. And what providers that wait for servers learn.

use omniread::mcp_servers::{McpServer, McpServers};
use omniread::network::Resolve;
use omniread::resources::{Provider, Resource, ResourceError};
use omniread::{CancelToken, Network, Reason};
use omniread_tests::Workspace;
use omniread_tests::web::{Authority, Site, Validity};
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

/// The message of a read of the resources of a server.
fn failure(address: &str, network: Network) -> String {
    let server = McpServer::http("web", address).unwrap();
    let servers = McpServers::new(vec![server], network).unwrap();
    let workspace = Workspace::new();
    let reader = workspace.builder().provider(servers).build().unwrap();
    reader.session().read("mcp://web").unwrap_err().message
}

/// A resolver for which every name is this machine.
struct Here;

impl Resolve for Here {
    fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)])
    }
}

#[test]
fn addresses_of_a_server_are_checked() {
    let site = Site::new().serve();
    let port = site.port();
    // The address in the configuration is a grant. The pages of this server are not those of MCP.
    let reached = failure(&format!("http://127.0.0.1:{port}/mcp"), Network::default());
    assert!(reached.contains("404"), "{reached}");
    assert_eq!(site.requests().len(), 1);
    // A name is no grant of this machine, whatever its name server answers.
    let network = Network::default().resolver(Here);
    let denied = failure(&format!("http://a.example:{port}/mcp"), network);
    assert!(denied.contains("loopback"), "{denied}");
    assert_eq!(site.requests().len(), 1);
}

#[test]
fn certificates_of_a_server_are_checked() {
    let authority = Authority::new();
    let site = Site::new().serve_tls(authority.server("127.0.0.1", Validity::Now));
    let unknown = failure(&site.url("/mcp"), Network::default());
    assert!(unknown.contains("certificate"), "{unknown}");
    assert_eq!(site.requests().len(), 0);
    let workspace = Workspace::new();
    workspace.file("ca.pem", authority.pem());
    let network = Network::default().authority(workspace.path().join("ca.pem"));
    let known = failure(&site.url("/mcp"), network);
    assert!(known.contains("404"), "{known}");
}

/// A provider that answers after a time, or when nobody waits for it, which it reports.
struct Waits {
    time: Duration,
    longest: Option<Duration>,
    left: Sender<()>,
}

impl Provider for Waits {
    fn scheme(&self) -> &'static str {
        "waits"
    }

    fn open(&self, url: &str) -> Result<Resource, ResourceError> {
        self.open_until(url, &CancelToken::new())
    }

    fn open_until(&self, _: &str, cancelled: &CancelToken) -> Result<Resource, ResourceError> {
        let turn = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        while waited < self.time && !cancelled.is_cancelled() {
            thread::sleep(turn);
            waited += turn;
        }
        if cancelled.is_cancelled() {
            self.left.send(()).unwrap();
        }
        Ok(Resource::new(b"text\n".to_vec(), Some(5)))
    }

    fn longest_wait(&self) -> Option<Duration> {
        self.longest
    }
}

#[test]
fn provider_with_deadlines_does_not_use_the_time_of_a_read() {
    let limit = Duration::from_millis(200);
    let hour = Duration::from_hours(1);
    let read = |time: Duration, longest: Option<Duration>| {
        let (left, has_left) = channel();
        let provider = Waits {
            time,
            longest,
            left,
        };
        let workspace = Workspace::new();
        let builder = workspace.builder().provider(provider);
        let reader = builder.timeout(limit).build().unwrap();
        let outcome = reader.session().read("waits://x");
        (outcome.map(|reply| reply.text()), has_left)
    };
    let (text, _) = read(limit * 2, Some(hour));
    assert_eq!(text.unwrap().lines().next(), Some("text"));
    // The provider learns that its time is up, and that of the read.
    let (late, has_left) = read(hour, Some(limit));
    let late = late.unwrap_err().message;
    assert!(
        late.contains("within the time that it has stated"),
        "{late}"
    );
    has_left.recv().unwrap();
    let (late, has_left) = read(hour, None);
    let late = late.unwrap_err().reason;
    assert!(
        matches!(&late, Reason::Limit(limit) if limit.name == "time"),
        "{late:?}"
    );
    has_left.recv().unwrap();
}

#[test]
fn provider_learns_that_a_read_was_cancelled() {
    let (left, has_left) = channel();
    let hour = Duration::from_hours(1);
    let provider = Waits {
        time: hour,
        longest: Some(hour),
        left,
    };
    let workspace = Workspace::new();
    let reader = workspace.builder().provider(provider).build().unwrap();
    let token = CancelToken::new();
    let session = reader.session().with_cancel(&token);
    thread::scope(|scope| {
        let read = scope.spawn(|| session.read("waits://x"));
        thread::sleep(Duration::from_millis(100));
        token.cancel();
        let failure = read.join().unwrap().unwrap_err();
        assert!(
            matches!(failure.reason, Reason::Cancelled(_)),
            "{failure:?}"
        );
    });
    has_left.recv().unwrap();
}

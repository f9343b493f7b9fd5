//! The end of a process without its destructors. It is the end of all servers, so that this test has a process of its own.
#![cfg(target_os = "linux")]

use omniread_mcp_client::{Connect, Connecting, Failure, Reach, Server, Servers, kill_all};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

/// No server of this test is reached over HTTP.
struct Nowhere;

impl Connect for Nowhere {
    fn connect<'a>(&'a self, _: &'a http::Uri) -> Connecting<'a> {
        Box::pin(async { Err(io::Error::other("not over HTTP")) })
    }
}

/// A server that ignores the end of its input and `SIGTERM`. It writes the numbers of its processes to a file.
fn stubborn(name: &str, answers: bool, pids: &Path) -> Server {
    let pids = pids.display();
    let info = r#"{"protocolVersion":"2025-06-18","capabilities":{"resources":{}},"serverInfo":{"name":"s","version":"1"}}"#;
    let mut script =
        format!("trap '' TERM; sleep 600 & echo $! $$ > {pids}.new; mv {pids}.new {pids}; ");
    if answers {
        script.push_str("read -r line; id=${line#*\\\"id\\\":}; id=${id%%[,\\}]*}; ");
        script.push_str(&format!(
            "printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{info}}}\\n' \"$id\"; "
        ));
    }
    script.push_str("while :; do sleep 1; done");
    let reach = Reach::Program {
        program: "sh".into(),
        arguments: vec!["-c".into(), script.into()],
        environment: Vec::new(),
        directory: None,
    };
    let mut server = Server::new(name, reach);
    server.start = Duration::from_mins(10);
    server.request = Duration::from_mins(10);
    server
}

/// Waits until a file is there.
fn numbers(file: &Path) -> Vec<String> {
    loop {
        if let Ok(text) = fs::read_to_string(file) {
            return text.split_whitespace().map(str::to_owned).collect();
        }
        sleep(Duration::from_millis(10));
    }
}

fn is_running(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

#[test]
fn all_groups_are_killed_and_no_server_starts_afterwards() {
    let files = ["starting", "running"].map(|name| {
        let name = format!("omniread-mcp-client-{}-{name}", std::process::id());
        std::env::temp_dir().join(name)
    });
    let connect: Arc<dyn Connect> = Arc::new(Nowhere);
    let servers = Servers::new(
        vec![
            stubborn("starting", false, &files[0]),
            stubborn("running", true, &files[1]),
        ],
        &connect,
    );
    std::thread::scope(|scope| {
        let reads = ["mcp://starting", "mcp://running"]
            .map(|url| scope.spawn(|| servers.open(url, &|| false)));
        let all: Vec<String> = files.iter().flat_map(|file| numbers(file)).collect();
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|pid| is_running(pid)));
        kill_all();
        for pid in &all {
            while is_running(pid) {
                sleep(Duration::from_millis(10));
            }
        }
        for read in reads {
            let failure = read.join().unwrap().unwrap_err();
            assert!(matches!(failure, Failure::Ended { .. }), "{failure}");
        }
    });
    let late = Servers::new(vec![stubborn("late", false, &files[0])], &connect);
    let failure = late.open("mcp://late", &|| false).unwrap_err();
    assert!(matches!(failure, Failure::Program { .. }), "{failure}");
    for file in files {
        fs::remove_file(file).unwrap();
    }
}

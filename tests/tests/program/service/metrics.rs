//! `/health` and `/metrics` of `omniread mcp --http`, and the metrics of `omniread serve`.

use super::http::{Http, Server, initialize};
use super::{ENDLESS, cli, endless};
use omniread_tests::Workspace;
use omniread_tests::process::Process;
use serde_json::json;
use std::io::Read as _;
use std::time::{Duration, Instant};

const TOKEN: &str = "Authorization: Bearer 0123456789abcdef0123";

/// The response to a request without a body, with these lines of headers.
fn get(server: &Http, method: &str, path: &str, headers: &[&str]) -> String {
    let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
    server.raw(request.as_bytes())
}

fn status(response: &str) -> &str {
    response.get(9..12).unwrap_or(response)
}

/// The metrics of a server.
fn metrics(server: &Http) -> String {
    let response = get(server, "GET", "/metrics", &["Host: localhost", TOKEN]);
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    assert_eq!(status(head), "200", "{head}");
    let head = head.to_ascii_lowercase();
    assert!(head.contains("content-type: application/openmetrics-text; version=1.0.0"));
    assert!(body.ends_with("\n# EOF\n"), "{body}");
    body.to_owned()
}

/// The value of a metric with its labels. `None` if the metric was not reported.
fn value(metrics: &str, name: &str) -> Option<f64> {
    let line = metrics
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map(|value| value.parse().unwrap())
}

/// What watches a container knows neither the token nor the name of the server.
#[test]
fn health_needs_no_token() {
    let workspace = Workspace::new();
    let server = Server::start(&workspace, &["--log", "log.jsonl"]);
    for host in ["localhost", "10.0.0.7:8080", "evil.example"] {
        let response = get(&server, "GET", "/health", &[&format!("Host: {host}")]);
        assert_eq!(status(&response), "200", "{response}");
        assert!(response.ends_with("\r\n\r\nok\n"), "{response}");
    }
    let head = get(&server, "HEAD", "/health", &["Host: localhost"]);
    assert!(
        status(&head) == "200" && head.ends_with("\r\n\r\n"),
        "{head}"
    );
    let wrong = get(&server, "DELETE", "/health", &["Host: localhost"]);
    assert_eq!(status(&wrong), "405", "{wrong}");
    assert!(
        wrong
            .to_ascii_lowercase()
            .contains("\r\nallow: get, head\r\n")
    );
    // Other paths need the token, as before.
    let other = get(&server, "GET", "/health/more", &["Host: localhost"]);
    assert_eq!(status(&other), "404", "{other}");
    // The log has only what was refused. A thread writes it.
    let log = || std::fs::read_to_string(workspace.path().join("log.jsonl")).unwrap();
    let began = Instant::now();
    while log().matches("\"event\":\"refused\"").count() < 2 {
        assert!(began.elapsed() < Duration::from_mins(2), "{}", log());
        std::thread::sleep(Duration::from_millis(10));
    }
    let log = log();
    assert_eq!(log.matches("\"event\"").count(), 3, "{log}");
}

#[test]
fn metrics_need_the_token_and_an_expected_host() {
    let workspace = Workspace::new();
    let server = Server::start(
        &workspace,
        &[
            "--allow-host",
            "reader.example",
            "--allow-host",
            "[fd00::1]",
            "--allow-host",
            "a.example:81",
        ],
    );
    let of = |headers: &[&str]| {
        let response = get(&server, "GET", "/metrics", headers);
        status(&response).to_owned()
    };
    let address = format!("Host: {}", server.address);
    assert_eq!(of(&[&address]), "401");
    assert_eq!(
        of(&[&address, "Authorization: Bearer 0123456789abcdef0124"]),
        "401"
    );
    assert_eq!(of(&[&address, TOKEN]), "200");
    assert_eq!(of(&["Host: Reader.example:9090", TOKEN]), "200");
    assert_eq!(of(&["Host: [::1]:9090", TOKEN]), "200");
    assert_eq!(of(&["Host: [fd00::1]:9090", TOKEN]), "200");
    assert_eq!(of(&["Host: a.example:81", TOKEN]), "200");
    assert_eq!(of(&["Host: a.example:82", TOKEN]), "403");
    assert_eq!(of(&["Host: evil.example", TOKEN]), "403");
    assert_eq!(
        of(&[&address, TOKEN, "Origin: https://evil.example"]),
        "403"
    );
    let posted = get(
        &server,
        "POST",
        "/metrics",
        &[&address, TOKEN, "Content-Length: 0"],
    );
    assert_eq!(status(&posted), "405");
    let text = metrics(&server);
    let refused = |status: u16| {
        let name = format!("omniread_http_errors_total{{status=\"{status}\"}}");
        value(&text, &name)
    };
    assert_eq!(
        [refused(401), refused(403), refused(405)],
        [Some(2.0), Some(3.0), Some(1.0)]
    );
}

#[test]
fn requests_and_reads_are_counted() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let server = Server::start(&workspace, &[]);
    let session = server.initialize();
    for path in ["a.txt", ".", "missing.txt"] {
        assert!(server.call(&session, path).message()["result"].is_object());
    }
    // The name of a method that nobody knows is no label: there may be any number of them.
    let unknown = json!({ "jsonrpc": "2.0", "id": 1, "method": "x/\"\n{}" }).to_string();
    let answer = server
        .post(&[("Mcp-Session-Id", &session)], &unknown)
        .message();
    assert!(answer["error"].is_object(), "{answer}");
    let text = metrics(&server);
    for (name, count) in [
        (
            "omniread_requests_total{method=\"initialize\",outcome=\"ok\"}",
            1.0,
        ),
        (
            "omniread_requests_total{method=\"tools/call\",outcome=\"ok\"}",
            2.0,
        ),
        (
            "omniread_requests_total{method=\"tools/call\",outcome=\"failed\"}",
            1.0,
        ),
        (
            "omniread_requests_total{method=\"other\",outcome=\"error\"}",
            1.0,
        ),
        (
            "omniread_request_duration_seconds_count{method=\"tools/call\"}",
            3.0,
        ),
        (
            "omniread_request_duration_seconds_bucket{le=\"+Inf\",method=\"tools/call\"}",
            3.0,
        ),
        ("omniread_reads_total{kind=\"text\",outcome=\"ok\"}", 1.0),
        (
            "omniread_reads_total{kind=\"directory\",outcome=\"ok\"}",
            1.0,
        ),
        ("omniread_reads_total{kind=\"\",outcome=\"not_found\"}", 1.0),
        ("omniread_sessions", 1.0),
        ("omniread_running_requests", 0.0),
    ] {
        assert_eq!(value(&text, name), Some(count), "{name} in {text}");
    }
    // A connection ends a moment after its response.
    let began = Instant::now();
    while value(&metrics(&server), "omniread_connections") != Some(1.0) {
        assert!(began.elapsed() < Duration::from_mins(2), "connections stay");
        std::thread::sleep(Duration::from_millis(10));
    }
    let used = |text: &str| value(text, "process_cpu_seconds_total");
    assert!(used(&metrics(&server)) >= used(&text));
    assert!(value(&text, "omniread_results_bytes_total").unwrap() > 100.0);
    let version = format!(
        "omniread_build_info{{version=\"{}\"}}",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(value(&text, &version), Some(1.0));
    if cfg!(target_os = "linux") {
        assert!(value(&text, "process_resident_memory_bytes").unwrap() > 1e6);
        assert!(value(&text, "process_cpu_seconds_total").unwrap() > 0.0);
        assert!(value(&text, "process_open_fds").unwrap() > 3.0);
    }
}

#[test]
fn running_and_cancelled_requests_are_counted() {
    let workspace = Workspace::new();
    endless(&workspace);
    let server = Server::start(&workspace, &["--timeout", "0"]);
    let session = server.initialize();
    let mut reading = server.send_call(&session, ENDLESS);
    reading.read_exact(&mut [0]).unwrap();
    assert_eq!(
        value(&metrics(&server), "omniread_running_requests"),
        Some(1.0)
    );
    let cancel = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 },
    });
    server.post(&[("Mcp-Session-Id", &session)], &cancel.to_string());
    let cancelled = "omniread_requests_total{method=\"tools/call\",outcome=\"cancelled\"}";
    let began = Instant::now();
    while value(&metrics(&server), cancelled) != Some(1.0) {
        // A guard against hangs.
        assert!(
            began.elapsed() < Duration::from_mins(2),
            "{}",
            metrics(&server)
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The example for Kubernetes: its arguments are those of the program, and an agent and a probe reach the server.
#[test]
fn deployment_of_the_example_starts() {
    let example = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/kubernetes/omniread.yaml"
    );
    let example = std::fs::read_to_string(example).unwrap();
    let line = example
        .lines()
        .find_map(|line| line.trim().strip_prefix("args: "));
    let arguments: Vec<String> = serde_json::from_str(line.unwrap()).unwrap();
    let (own, more) = arguments.split_at(3);
    assert_eq!(own, ["mcp", "--http", "0.0.0.0:8080"]);
    let (directory, more) = more.split_last().unwrap();
    let image = include_str!("../../../../release/Containerfile");
    assert!(image.contains(&format!("WORKDIR {directory}\n")), "{image}");
    let version = format!("omniread:{}\n", env!("CARGO_PKG_VERSION"));
    assert!(example.contains(&version), "another version than {version}");
    assert!(example.contains("name: OMNIREAD_MCP_TOKEN"));
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let server = Server::at(&workspace, "127.0.0.1:0", &more);
    assert_eq!(example.matches("path: /health").count(), 2);
    let health = get(&server, "GET", "/health", &["Host: 10.1.2.3:8080"]);
    assert_eq!(status(&health), "200", "{health}");
    for (host, expected) in [
        ("omniread:8080", 200),
        ("omniread.default.svc:8080", 200),
        ("other", 403),
    ] {
        let response = server.post(&[("Host", host)], &initialize());
        assert_eq!(response.status, expected, "{host}: {response:?}");
    }
}

/// A client of `omniread serve` asks for what a scrape of a server over HTTP has.
#[test]
fn service_counts_requests_and_reads() {
    let workspace = Workspace::new();
    endless(&workspace);
    workspace.file("a.txt", "one\ntwo\n");
    let mut service = Process::start(&cli(&workspace), &["serve"]);
    let mut request = |request: serde_json::Value| {
        service.send(&request);
        service.receive().unwrap()
    };
    let first = request(json!({ "id": 1, "ask": "metrics" }));
    let text = first["metrics"].as_str().unwrap();
    assert!(text.ends_with("\n# EOF\n"), "{text}");
    // Those of HTTP are missing, and so is what was not counted yet.
    for name in ["http_errors", "connections", "sessions", "requests_total"] {
        assert!(!text.contains(&format!("\nomniread_{name}")), "{text}");
    }
    // Each line has an end.
    let mut bytes = first.to_string().len() + 1;
    for path in ["a.txt", "missing"] {
        bytes += request(json!({ "id": 2, "path": path })).to_string().len() + 1;
    }
    let arguments = json!({ "path": "a.txt" });
    bytes += request(json!({ "id": 2, "arguments": arguments }))
        .to_string()
        .len()
        + 1;
    let second = request(json!({ "id": 1, "ask": "metrics" }));
    let counted = value(
        second["metrics"].as_str().unwrap(),
        "omniread_results_bytes_total",
    );
    assert_eq!(counted, Some(f64::from(u32::try_from(bytes).unwrap())));
    // Broken lines, and questions about a session.
    request(json!({ "id": 3, "ask": "x" }));
    request(json!({ "id": 3, "ask": "shown" }));
    // A read that runs, is counted, and is cancelled.
    service.send(&json!({ "id": 4, "path": ENDLESS }));
    service.send(&json!({ "id": 5, "ask": "metrics" }));
    let running = service.receive().unwrap();
    let text = running["metrics"].as_str().unwrap();
    assert_eq!(
        value(text, "omniread_running_requests"),
        Some(1.0),
        "{text}"
    );
    // The id of a read that runs is refused here too.
    service.send(&json!({ "id": 4, "ask": "metrics" }));
    let refused = service.receive().unwrap();
    assert_eq!(refused["error"]["kind"], "invalid_request", "{refused}");
    service.send(&json!({ "cancel": 4 }));
    let cancelled = service.receive().unwrap();
    assert_eq!(cancelled["error"]["kind"], "cancelled", "{cancelled}");
    service.send(&json!({ "id": 6, "ask": "metrics" }));
    let last = service.receive().unwrap();
    let text = last["metrics"].as_str().unwrap();
    for (name, expected) in [
        (
            "omniread_requests_total{method=\"path\",outcome=\"ok\"}",
            1.0,
        ),
        (
            "omniread_requests_total{method=\"path\",outcome=\"error\"}",
            1.0,
        ),
        (
            "omniread_requests_total{method=\"path\",outcome=\"cancelled\"}",
            1.0,
        ),
        (
            "omniread_requests_total{method=\"arguments\",outcome=\"ok\"}",
            1.0,
        ),
        (
            "omniread_requests_total{method=\"ask\",outcome=\"ok\"}",
            4.0,
        ),
        (
            "omniread_requests_total{method=\"other\",outcome=\"error\"}",
            2.0,
        ),
        (
            "omniread_request_duration_seconds_count{method=\"path\"}",
            3.0,
        ),
        ("omniread_reads_total{kind=\"text\",outcome=\"ok\"}", 2.0),
        ("omniread_reads_total{kind=\"\",outcome=\"not_found\"}", 1.0),
        ("omniread_reads_total{kind=\"\",outcome=\"cancelled\"}", 1.0),
        ("omniread_running_requests", 0.0),
    ] {
        assert_eq!(value(text, name), Some(expected), "{name}\n{text}");
    }
    // A question about the service has no fields of a read or of a session.
    for field in ["path", "session", "generation", "options"] {
        service.send(&json!({ "id": 7, "ask": "metrics", field: "a" }));
        let refused = service.receive().unwrap();
        let message = format!("`metrics` has no field `{field}`");
        assert_eq!(refused["error"]["message"], message, "{refused}");
    }
    assert!(service.end().0.success());
}

/// A program that watches the service has an answer while no read can start.
#[test]
fn metrics_do_not_wait_for_reads() {
    let workspace = Workspace::new();
    endless(&workspace);
    let mut service = Process::start(&cli(&workspace), &["serve"]);
    // 64 reads run at a time.
    for id in 0..100 {
        service.send(&json!({ "id": id, "path": ENDLESS }));
    }
    service.send(&json!({ "id": "m", "ask": "metrics" }));
    let answer = service.receive().unwrap();
    let text = answer["metrics"].as_str().expect("the first answer");
    assert_eq!(
        value(text, "omniread_running_requests"),
        Some(100.0),
        "{text}"
    );
    for id in 0..100 {
        service.send(&json!({ "cancel": id }));
    }
    let (status, replies) = service.end();
    assert!(status.success());
    assert_eq!(replies.len(), 100);
}

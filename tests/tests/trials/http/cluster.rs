//! The examples of clusters.

use super::server::Server;
use super::{Compiled, TOKEN, workspace};
use omniread_tests::project;
use std::process::Command;

/// The command of the deployment, with the directory, the address and the code of this test, starts a server that its
/// probes and its clients reach.
pub fn deployment(compiled: &Compiled) {
    let example = project().join("examples/kubernetes/http.yaml");
    let example = std::fs::read_to_string(example).expect("an example");
    let lines = example.lines().map(str::trim);
    let mut lines = lines.filter_map(|line| line.strip_prefix("args: "));
    let arguments: Vec<String> =
        serde_json::from_str(lines.next().expect("arguments")).expect("a list");
    assert!(example.contains("{ name: documents, mountPath: /documents, readOnly: true }"));
    assert!(example.contains("- name: OMNIREAD_HTTP_TOKEN"));
    let workspace = workspace();
    let directory = compiled.directory.path();
    let mut compile = Command::new(&compiled.wasmtime);
    compile.current_dir(&directory);
    // The comment of the example has this command.
    let line = example
        .lines()
        .find_map(|line| line.strip_prefix("#   wasmtime "));
    compile.args(line.expect("a command").split(' ').map(|word| match word {
        "omniread-http.wasm" => super::component().display().to_string(),
        word => word.to_owned(),
    }));
    assert!(compile.status().is_ok_and(|status| status.success()));
    let mut serve = Command::new(&compiled.wasmtime);
    serve.env("OMNIREAD_HTTP_TOKEN", TOKEN);
    serve.args(arguments.iter().map(|argument| match argument.as_str() {
        "/documents::/" => format!("{}::/", workspace.path().display()),
        "0.0.0.0:8080" => "127.0.0.1:0".to_owned(),
        "/omniread-http.cwasm" => directory.join("omniread-http.cwasm").display().to_string(),
        argument => argument.to_owned(),
    }));
    let server = Server::run(serve);
    // A probe uses the address of the container.
    assert_eq!(example.matches("path: /health").count(), 2);
    let health = server.get("/health", &[("host", "10.1.2.3:8080")]);
    assert_eq!(health.status, 200, "{}", health.head);
    let authorized = [
        ("host", "omniread-http:8080"),
        ("authorization", &format!("Bearer {TOKEN}")),
    ];
    for _ in 0..3 {
        let read = server.get("/read?path=notes.txt:raw", &authorized);
        assert_eq!(read.text(), "one\ntwo\n", "{}", read.head);
    }
    let refused = server.get("/read?path=notes.txt", &authorized[..1]);
    assert_eq!(refused.status, 401, "{}", refused.head);
}

/// The workload of wasmCloud has the version and the variable of the component.
pub fn workload(_: &Compiled) {
    let example = project().join("examples/wasmcloud/omniread.yaml");
    let example = std::fs::read_to_string(example).expect("an example");
    let image = format!(
        "image: ghcr.io/omniread/omniread-http:{}\n",
        env!("CARGO_PKG_VERSION")
    );
    assert!(example.contains(&image), "another version than {image}");
    assert!(example.contains("--from-literal=OMNIREAD_HTTP_TOKEN="));
    assert!(example.contains("readOnly: true"));
}

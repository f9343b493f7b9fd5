//! The conformance suite of MCP, over HTTP.
//!
//! Most scenarios call tools, resources and prompts of a server that is written for the suite. They
//! are left out, and so are extensions that omniread does not have. Those of skills are run. A scenario that is neither run nor
//! left out fails the test, so that a new version of the suite is looked at.

use super::{Packages, run};
use libtest_mimic::Failed;
use omniread_tests::process::Process;
use omniread_tests::{Cli, Workspace};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The package of the released suite.
pub const CURRENT: &str = "conformance";

/// The package of the next suite, which has scenarios for version 2026-07-28 of the protocol.
pub const NEXT: &str = "conformance-next";

/// The scenarios that apply to a server with one tool.
const RUN: &[&str] = &[
    "caching",
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "logging-set-level",
    "ping",
    "resources-list",
    "sep-2164-resource-not-found",
    "sep-2640-skills-directory",
    "sep-2640-skills-enumeration",
    "sep-2640-skills-manifest",
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "server-stateless",
    "tools-list",
];

/// The beginnings of the names of scenarios that are left out, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("completion-complete", "needs a prompt"),
    ("elicitation-", "needs a tool that asks the user"),
    ("http-custom-header-", "needs a tool with `x-mcp-header`"),
    ("input-required-", "needs tools that ask the client"),
    ("json-schema-", "needs a tool with a given schema"),
    ("prompts-", "there are no prompts"),
    (
        "resources-",
        "needs resources with the scheme `test`, or subscriptions",
    ),
    (
        "server-sse-polling",
        "needs a tool that closes the stream of its call",
    ),
    ("tasks-", "there are no tasks"),
    ("tools-call-", "needs tools of the suite"),
];

/// The checks of these scenarios that do not apply.
const CHECKS_LEFT_OUT: &[(&str, &str)] = &[
    (
        "sep-2549-prompts-list-caching-hints",
        "there are no prompts, and the list is optional",
    ),
    (
        "sep-2549-resources-read-caching-hints",
        "the client says that it has roots, so that the first answer requests them",
    ),
];

/// Runs all scenarios of a suite.
pub fn passes(packages: &Packages, package: &str) -> Result<(), Failed> {
    let script = packages.path(package).join("dist/index.js");
    let list = run(packages.node(&script).args(["list", "--server"]))?;
    let names = list.lines().filter_map(|line| {
        let name = line.trim().strip_prefix("- ")?;
        Some(name.split(' ').next().unwrap_or(name))
    });
    let names: Vec<&str> = names.collect();
    if names.len() < 20 {
        return Err(format!("the suite lists too few scenarios: {list}").into());
    }
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    super::skills(&workspace);
    let cli = Cli::new(super::PROGRAM, workspace.path());
    let arguments = [
        "mcp",
        "--mount",
        "skill=skills",
        "--http",
        "0",
        "--no-token",
    ];
    let server = Process::start(&cli, &arguments);
    let started = server.errors.recv_timeout(Duration::from_mins(2))?;
    let url = started
        .strip_prefix("omniread: serving MCP at ")
        .ok_or("no URL")?;
    // A suite has the scenarios of its version.
    if RUN.iter().filter(|name| names.contains(name)).count() < RUN.len() / 3 {
        return Err(format!("the suite lists few of the scenarios that are run: {list}").into());
    }
    let mut failures = Vec::new();
    for name in names {
        let left_out = LEFT_OUT.iter().any(|(start, _)| name.starts_with(start));
        if RUN.contains(&name) {
            let results = workspace.path().join(name);
            let mut command = packages.node(&script);
            command.args(["server", "--url", url, "--scenario", name, "--output-dir"]);
            // The suite fails if a check does that does not apply.
            command.arg(&results).output()?;
            let checks = checks(&results)?;
            failures.extend(failed(&checks).map(|check| format!("{name}: {check}")));
            if !checks.iter().any(|check| check["status"] == "SUCCESS") {
                failures.push(format!("{name}: nothing was checked"));
            }
        } else if !left_out {
            failures.push(format!("{name}: the scenario is new"));
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(failures.join("\n").into())
}

/// The checks in the directory of results of a scenario.
fn checks(results: &Path) -> Result<Vec<Value>, Failed> {
    let mut all = Vec::new();
    for scenario in std::fs::read_dir(results)? {
        let file = scenario?.path().join("checks.json");
        let checks: Value = serde_json::from_slice(&std::fs::read(file)?)?;
        all.extend(checks.as_array().cloned().unwrap_or_default());
    }
    Ok(all)
}

/// The checks that failed. A check that needs a tool of the suite says that it is not testable.
fn failed(checks: &[Value]) -> impl Iterator<Item = &Value> {
    checks.iter().filter(|check| {
        let is_bad = matches!(check["status"].as_str(), Some("FAILURE" | "WARNING"));
        let is_left_out = CHECKS_LEFT_OUT.iter().any(|(id, _)| check["id"] == *id);
        is_bad && !is_left_out && check["details"]["untestable"] != true
    })
}

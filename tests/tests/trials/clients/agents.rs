//! The command lines of agents, with mocks of their models: `tests/clients/agents/run.mjs`.
//!
//! Each test compares what the model gets with what the server sends to a client of the same name.

use super::{PROGRAM, Packages, image, run};
use ::image::ImageFormat;
use libtest_mimic::Failed;
use omniread_tests::process::McpClient;
use omniread_tests::{Cli, Workspace, project};
use serde_json::{Value, json};

/// An agent.
pub struct Agent {
    /// The name of the agent for `run.mjs`.
    name: &'static str,
    /// The name with which it describes itself to servers.
    client: &'static str,
    /// Whether it passes all instructions of the server to the model, and not only the first line.
    has_instructions: bool,
    /// Whether the model gets failed calls marked as such.
    marks_errors: bool,
    /// Whether it sends the directory in which it runs as a root.
    has_roots: bool,
}

pub const CLAUDE_CODE: Agent = Agent {
    name: "claude",
    client: "claude-code",
    has_instructions: true,
    marks_errors: true,
    has_roots: true,
};

pub const CODEX: Agent = Agent {
    name: "codex",
    client: "codex-mcp-client",
    has_instructions: false,
    marks_errors: false,
    has_roots: false,
};

pub const GEMINI_CLI: Agent = Agent {
    name: "gemini",
    client: "gemini-cli-mcp-client",
    has_instructions: true,
    marks_errors: true,
    has_roots: true,
};

/// Runs all checks of an agent.
pub fn check(packages: &Packages, agent: &Agent) -> Result<(), Failed> {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "one\ntwo\n")
        .file(
            "pixel.png",
            image::encoded(image::drawing(300, 200), ImageFormat::Png),
        )
        .file(
            "long.txt",
            format!("{}\n", "abcdefghi ".repeat(50)).repeat(9000),
        )
        .directory("work");
    for name in ["manual.pdf", "app.db"] {
        workspace.file(name, std::fs::read(project().join("examples").join(name))?);
    }
    let paths = [
        "a.txt",
        "pixel.png",
        "manual.pdf:page:1",
        "manual.pdf:page:1:img",
        "app.db:users:1",
        "long.txt:1-3000",
        "missing",
    ];
    let root = workspace.path().display().to_string();
    let model = conversation(packages, agent, &root, &paths, &[])?;
    let cli = Cli::new(PROGRAM, workspace.path());
    let mut client = McpClient::start(&cli, &[], agent.client, &json!({}));
    for (path, got) in paths.iter().zip(results(&model)) {
        let sent = client.read(path);
        same(path, &sent, got)?;
        let failed = agent.marks_errors && *path == "missing";
        assert_eq!(got["error"], failed, "{path}: {got}");
    }
    let long = results(&model).nth(5).map(texts).unwrap_or_default();
    // A long page is close to what the agent accepts.
    assert!(long.len() > 30_000, "{}", long.len());
    assert!(long.contains(" to continue]"), "{long}");

    let instructions = client.server["instructions"].as_str().unwrap_or_default();
    let got = model["instructions"].as_str().unwrap_or_default();
    let has = |line: Option<&str>| {
        let line = serde_json::to_string(line.unwrap_or_default()).unwrap_or_default();
        got.contains(line.trim_matches('"'))
    };
    assert!(has(instructions.lines().next()), "{got}");
    assert_eq!(
        has(instructions.lines().last()),
        agent.has_instructions,
        "{got}"
    );

    // The agent works in another directory than the one that it may read.
    let work = workspace.path().join("work").display().to_string();
    let paths = [format!("{root}/a.txt"), format!("{root}/missing")];
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    workspace.directory("other");
    workspace.file("other/b.txt", "two\n");
    let other = workspace.path().join("other").display().to_string();
    let file = format!("{other}/b.txt");
    let model = conversation(packages, agent, &work, &[&file, &file], &[&other])?;
    let got: Vec<String> = results(&model).map(texts).collect();
    assert!(got.iter().all(|text| text.contains("1:two")), "{got:?}");
    let notes = got
        .iter()
        .map(|text| text.contains("use those of the server"));
    let notes: Vec<bool> = notes.collect();
    assert_eq!(notes, [agent.has_roots, false], "{got:?}");
    // Its own directory narrows a root that contains it.
    let model = conversation(packages, agent, &work, &paths, &[&root])?;
    let outside = results(&model).next().map(texts).unwrap_or_default();
    assert_eq!(
        outside.contains("outside the roots"),
        agent.has_roots,
        "{outside}"
    );
    Ok(())
}

/// What the model of an agent gets.
fn conversation(
    packages: &Packages,
    agent: &Agent,
    directory: &str,
    paths: &[&str],
    server: &[&str],
) -> Result<Value, Failed> {
    let script = project().join("tests/clients/agents/run.mjs");
    let mut command = packages.node(&script);
    command.args([agent.name, PROGRAM, directory]).args(paths);
    let printed = run(command.arg("--").args(server))?;
    Ok(serde_json::from_str(&printed)?)
}

fn results(model: &Value) -> impl Iterator<Item = &Value> {
    model["results"].as_array().into_iter().flatten()
}

/// All text of a result.
fn texts(result: &Value) -> String {
    let parts = result["parts"].as_array().into_iter().flatten();
    let texts = parts.filter_map(|part| part["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

/// Checks that the model got every block of a result, in order: the whole text, and images with all
/// their bytes.
fn same(path: &str, sent: &Value, got: &Value) -> Result<(), Failed> {
    let mut parts = got["parts"].as_array().into_iter().flatten().peekable();
    for block in sent["content"].as_array().into_iter().flatten() {
        let arrived = |part: &Value| match block["type"].as_str() {
            Some("text") => {
                let text = block["text"].as_str().unwrap_or_default();
                let got = part["text"].as_str().unwrap_or_default();
                // Some agents put the results of failed calls into JSON.
                let quoted = serde_json::to_string(text).unwrap_or_default();
                got.contains(text) || got.contains(quoted.trim_matches('"'))
            }
            _ => {
                let size = block["data"].as_str().map(str::len);
                part["mime"] == block["mimeType"] && part["size"] == json!(size)
            }
        };
        // Two blocks may arrive as one part.
        while parts.peek().is_some_and(|part| !arrived(part)) {
            parts.next();
        }
        if parts.peek().is_none() {
            let start: String = got.to_string().chars().take(2000).collect();
            return Err(format!("{path}: {block} did not arrive: {start}").into());
        }
    }
    Ok(())
}

//! Clients in other languages: those in `examples/clients`, the official MCP clients, command lines of
//! agents with mocks of their models, the conformance suite of MCP, and the types of the SDKs of model
//! APIs.
//!
//! The tests of what is not installed are reported as ignored. `.ci/run` installs it.

mod agents;
mod conformance;
mod inspector;

use super::programs::{Packages, works};
use ::image::ImageFormat;
use libtest_mimic::{Failed, Trial};
use omniread::{Api, Dialect};
use omniread_tests::process::{McpClient, install};
use omniread_tests::{Cli, Workspace, image, project};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const PROGRAM: &str = env!("CARGO_BIN_EXE_omniread-under-test");

pub fn trials() -> Vec<Trial> {
    let python: PathBuf = std::env::var_os("OMNIREAD_TEST_PYTHON")
        .unwrap_or_else(|| "python3".into())
        .into();
    let imports =
        |module: &str| works(Command::new(&python).args(["-c", &format!("import {module}")]));
    let node = works(Command::new("node").arg("--version"));
    let packages = Arc::new(Packages::new());
    let has = |name: &str| packages.has(name);
    let trial =
        |name: &str, installed: bool, test: Box<dyn FnOnce() -> Result<(), Failed> + Send>| {
            Trial::test(format!("clients::{name}"), test).with_ignored_flag(!installed)
        };
    let sdk = python.clone();
    let mcp = python.clone();
    let sdk_modules = packages.modules.clone().unwrap_or_default();
    let mut trials = vec![
        trial(
            "python_client_of_the_service",
            imports("json"),
            Box::new(|| example(&mut Command::new("python3"), "client.py")),
        ),
        trial(
            "node_client_of_the_service",
            node,
            Box::new(|| example(&mut Command::new("node"), "client.mjs")),
        ),
        trial(
            "go_client_of_the_service",
            works(Command::new("go").arg("version")),
            Box::new(|| example(Command::new("go").arg("run"), "client.go")),
        ),
        trial(
            "entries_of_agents_start_the_server",
            true,
            Box::new(entries_of_agents),
        ),
        trial(
            "official_python_client_of_mcp",
            imports("mcp.client.stdio"),
            Box::new(move || official(&mut Command::new(mcp), "tests/clients/official.py")),
        ),
        trial(
            "official_typescript_client_of_mcp",
            has("@modelcontextprotocol/sdk"),
            Box::new(move || {
                let mut node = Command::new("node");
                node.env("OMNIREAD_TEST_NODE_MODULES", sdk_modules);
                official(&mut node, "tests/clients/official.mjs")
            }),
        ),
        trial(
            "tool_definitions_have_the_types_of_the_sdks",
            ["openai", "anthropic", "google.genai"]
                .into_iter()
                .all(imports),
            Box::new(move || definitions(&sdk)),
        ),
    ];
    for (name, package, test) in [
        (
            "inspector_of_mcp_reads",
            inspector::PACKAGE,
            inspector::reads as fn(&Packages) -> Result<(), Failed>,
        ),
        (
            "conformance_suite_of_mcp_passes",
            conformance::CURRENT,
            |packages| conformance::passes(packages, conformance::CURRENT),
        ),
        (
            "next_conformance_suite_of_mcp_passes",
            conformance::NEXT,
            |packages| conformance::passes(packages, conformance::NEXT),
        ),
        (
            "claude_code_gets_whole_results",
            "@anthropic-ai/claude-code",
            |packages| agents::check(packages, &agents::CLAUDE_CODE),
        ),
        ("codex_gets_whole_results", "@openai/codex", |packages| {
            agents::check(packages, &agents::CODEX)
        }),
        (
            "gemini_cli_gets_whole_results",
            "@google/gemini-cli",
            |packages| agents::check(packages, &agents::GEMINI_CLI),
        ),
    ] {
        let packages = Arc::clone(&packages);
        let installed = packages.has(package);
        trials.push(trial(name, installed, Box::new(move || test(&packages))));
    }
    trials
}

/// Writes skills into the directory `skills`, with front matter of many forms and files of several kinds.
fn skills(workspace: &Workspace) {
    let pdf = "---\nname: pdf\ndescription: >-\n  Fill forms, and\n  extract text\nlicense: MIT\n\
        metadata:\n  version: \"1.0\"\n  tags: [forms, 'a: b', 2, true]\n  steps:\n  - one\n  \
        - two: 2\n    three: ~\nallowed-tools: Bash(git:*) Read\n---\n# Forms\n";
    workspace
        .file("skills/pdf/SKILL.md", pdf)
        .file("skills/pdf/scripts/fill.py", "print(1)\n")
        .file("skills/pdf/refs/a b.bin", [0, 159, 146, 150])
        .file(
            "skills/team/style/SKILL.md",
            "---\nname: style\ndescription: \"How we \\u201cwrite\\u201d\"\n---\n",
        )
        .file("skills/mute/SKILL.md", "---\nname: mute\n---\n");
}

/// Runs a command. Returns its standard output.
fn run(command: &mut Command) -> Result<String, Failed> {
    let output = command.output()?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let printed = String::from_utf8_lossy(&output.stdout);
        return Err(format!("{command:?} failed: {errors}\n{printed}").into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// A directory in which the program under test has the name `omniread`, as the value of `PATH`.
fn path(workspace: &Workspace) -> Result<std::ffi::OsString, Failed> {
    let directory = workspace.path().join("bin");
    std::fs::create_dir_all(&directory)?;
    install(PROGRAM, &directory)?;
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(directory).chain(std::env::split_paths(&rest));
    Ok(std::env::join_paths(all)?)
}

fn example(command: &mut Command, name: &str) -> Result<(), Failed> {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\ntwo\n");
    let file = project().join("examples/clients").join(name);
    let lines = std::fs::read_to_string(&file)?.lines().count();
    if lines > 60 {
        return Err(format!("{name} has {lines} lines, more than 60").into());
    }
    let command = command
        .arg(file)
        .args(["a.txt:2-2", "missing.txt"])
        .current_dir(workspace.path())
        .env("PATH", path(&workspace)?);
    let printed = run(command)?;
    if printed.contains("2:two") && printed.contains("Path 'missing.txt' not found") {
        Ok(())
    } else {
        Err(printed.into())
    }
}

/// Runs a script with an official client. It fails if a check fails.
fn official(command: &mut Command, script: &str) -> Result<(), Failed> {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\ntwo\n").file(
        "pixel.png",
        image::encoded(image::drawing(30, 20), ImageFormat::Png),
    );
    workspace.file("part/b.txt", "three\n");
    workspace.file("endless", "line\n".repeat(4000));
    let endless = std::fs::File::options();
    let endless = endless
        .clone()
        .write(true)
        .open(workspace.path().join("endless"))?;
    endless.set_len(1 << 40)?;
    run(command
        .arg(project().join(script))
        .arg(PROGRAM)
        .arg(workspace.path()))
    .map(drop)
}

/// Checks the definitions for each API with the types of its SDK.
fn definitions(python: &Path) -> Result<(), Failed> {
    for dialect in Dialect::ALL {
        for api in Api::ALL {
            let mut omniread = Command::new(PROGRAM);
            let tools = run(omniread.args(["tools", dialect.name(), "--for", api.name()]))?;
            let script = project().join("tests/clients/tools.py");
            run(Command::new(python)
                .arg(script)
                .args([api.name(), tools.trim()]))?;
        }
    }
    Ok(())
}

/// Starts the commands in the code blocks of `docs/guide/agents.md`.
fn entries_of_agents() -> Result<(), Failed> {
    let workspace = Workspace::new();
    let directory = workspace.path().display().to_string();
    let page = std::fs::read_to_string(project().join("docs/guide/agents.md"))?;
    let page = page
        .replace("${workspaceFolder}", &directory)
        .replace("/home/me/project", &directory);
    let mut commands = Vec::new();
    let mut blocks = page.split("\n```");
    blocks.next();
    // Every second part is a block: the others are between blocks.
    for block in blocks.step_by(2) {
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        match language {
            "json" => {
                let value: Value =
                    serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))?;
                commands.push(command(&value).ok_or(text)?);
            }
            "toml" | "yaml" => {
                let value = |name: &str| {
                    let line = text.lines().find_map(|line| {
                        let line = line.trim_start_matches([' ', '-']);
                        let value = line.strip_prefix(name)?.trim_start();
                        value.strip_prefix(['=', ':'])
                    });
                    line.map(str::trim)
                };
                let program = value("command").or_else(|| value("cmd")).ok_or(text)?;
                let arguments: Vec<String> = serde_json::from_str(value("args").ok_or(text)?)?;
                let program = program.trim_matches('"').to_owned();
                commands.push((program, arguments));
            }
            _ => {}
        }
    }
    if commands.len() < 8 {
        return Err(format!("too few entries: {commands:?}").into());
    }
    for (program, arguments) in commands {
        if program != "omniread" {
            return Err(format!("{program} is not omniread").into());
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let Some((&"mcp", rest)) = arguments.split_first() else {
            return Err(format!("{arguments:?} is not the MCP server").into());
        };
        let cli = Cli::new(PROGRAM, workspace.path());
        let client = McpClient::start(&cli, rest, "test", &json!({}));
        assert_eq!(client.server["serverInfo"]["name"], "omniread");
    }
    Ok(())
}

/// The program and the arguments in the entry of an agent.
fn command(entry: &Value) -> Option<(String, Vec<String>)> {
    let list = |value: &Value| -> Option<Vec<String>> {
        let texts = value.as_array()?.iter();
        texts.map(|text| text.as_str().map(str::to_owned)).collect()
    };
    match entry.get("command") {
        Some(Value::String(program)) => Some((program.clone(), list(entry.get("args")?)?)),
        Some(command) => {
            let mut words = list(command)?;
            Some((words.remove(0), words))
        }
        None => entry.as_object()?.values().find_map(command),
    }
}

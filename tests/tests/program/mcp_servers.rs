//! `mcp://` and `skill://`: resources and skills of MCP servers in the user file.
#![cfg(unix)]

use omniread_tests::image;
use omniread_tests::process::{McpClient, Process};
use omniread_tests::{Cli, Run, Workspace, numbered};
use serde_json::{Value, json};
use std::fs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_omniread-under-test");

fn cli(workspace: &Workspace) -> Cli {
    Cli::new(PROGRAM, workspace.path())
}

/// A server that is a shell script. It writes a line to the file `starts` when it starts, and every request to
/// the file `requests`.
const SCRIPT: &str = r#"
echo start >> starts
while IFS= read -r line; do
  printf '%s\n' "$line" >> requests
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
  case "$line" in
  *'"method":"initialize"'*) answer '{"protocolVersion":"2025-06-18","capabilities":{"resources":{}},"serverInfo":{"name":"s","version":"1"}}';;
  *'"method":"resources/list"'*) answer '{"resources":[{"uri":"note://a","name":"A note"}]}';;
  *'"method":"resources/templates/list"'*) answer '{"resourceTemplates":[]}';;
  *'"uri":"note://a"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"contents":[{"uri":"note://a","text":"' "$id"; cat long; printf '"}]}}\n';;
  *'"uri":"note://png"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"contents":[{"uri":"note://png","mimeType":"image/png","blob":"' "$id"; cat png; printf '"}]}}\n';;
  *'"uri":"note://x.html"'*) answer '{"contents":[{"uri":"x","mimeType":"text/html","text":"<h1>Head</h1><p>text"}]}';;
  *'"uri":"note://hang"'*) ;;
  *'"uri":"note://stay"'*)
    trap '' TERM
    echo $$ > pid
    answer '{"contents":[]}'
    while :; do sleep 1; done;;
  *'"uri":"note://secret"'*) answer "{\"contents\":[{\"uri\":\"x\",\"text\":\"$TOKEN\"}]}";;
  *'"method":"resources/read"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32002,"message":"unknown"}}\n' "$id";;
  esac
done
"#;

/// A workspace with the script and a user file that names it.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let base64 = |bytes: Vec<u8>| {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(bytes)
    };
    let png = image::encoded(image::drawing(40, 30), ::image::ImageFormat::Png);
    workspace
        .file("long", numbered(900).replace('\n', "\\n"))
        .file("png", base64(png))
        .file("server.sh", SCRIPT)
        .file(
            "user.toml",
            "[servers.notes]\ncommand = 'sh'\nargs = ['server.sh']\nenv = { TOKEN = 'file:token' }\n",
        )
        .file("token", "s3cret\n");
    workspace
}

fn read(workspace: &Workspace, arguments: &[&str]) -> Run {
    cli(workspace).run(&[&["--config", "user.toml"], arguments].concat())
}

#[test]
fn servers_and_their_resources_are_read() {
    let workspace = workspace();
    let list = read(&workspace, &["mcp://"]);
    assert_eq!(list.stdout, "mcp://notes: not started\n");
    assert!(!workspace.path().join("starts").exists());
    let list = read(&workspace, &["mcp://notes"]);
    assert_eq!(list.stdout, "mcp://notes/note://a: A note\n");
    let page = read(&workspace, &["mcp://notes/note://a"]);
    assert!(
        page.stdout.starts_with("line 1\nline 2\n"),
        "{}",
        page.stdout
    );
    assert!(
        page.stdout.contains("Use :301 to continue"),
        "{}",
        page.stdout
    );
    let reply = read(&workspace, &["--json", "mcp://note://a:301-302"]);
    let reply: Value = serde_json::from_str(&reply.stdout).unwrap();
    assert_eq!(reply["details"]["next"], Value::Null, "{reply}");
    let all = read(&workspace, &["--all", "mcp://notes/note://a"]);
    assert!(all.stdout.contains("line 900\n"), "{}", all.stdout);
    let image = read(&workspace, &["--json", "mcp://notes/note://png"]);
    let image: Value = serde_json::from_str(&image.stdout).unwrap();
    assert_eq!(image["details"]["kind"], "image", "{image}");
    assert_eq!(
        read(&workspace, &["mcp://notes/note://secret:raw"]).stdout,
        "s3cret"
    );
    for (url, text) in [
        ("mcp://notes/note://x.html:", "# Head"),
        ("mcp://notes/note://x.html::3-3", "text"),
        ("mcp://notes/note://x.html:raw", "<h1>Head"),
    ] {
        let page = read(&workspace, &[url]);
        assert!(page.stdout.contains(text), "{url}: {page:?}");
    }
    let missing = read(&workspace, &["mcp://notes/note://b"]);
    assert_eq!(missing.code, Some(1));
    assert!(
        missing.stderr.contains("`mcp://notes/note://a`"),
        "{}",
        missing.stderr
    );
    let other = read(&workspace, &["mcp://note"]);
    assert!(other.stderr.contains("`mcp://notes`"), "{}", other.stderr);
    let none = cli(&workspace).run(&["mcp://notes"]);
    assert_eq!(
        none.stderr,
        "omniread: cannot read `mcp://notes`: no MCP server is configured\n\
         hint: name one in the table `servers` of the configuration file\n"
    );
}

/// Whoever wrote the workspace must not be able to start a program.
#[test]
fn workspace_file_cannot_name_a_server() {
    let workspace = workspace();
    let servers = fs::read_to_string(workspace.path().join("user.toml")).unwrap();
    workspace.file("omniread.toml", servers);
    for arguments in [
        &["mcp://"][..],
        &["mcp://notes"],
        &["mcp://note://a"],
        &["skill://"],
    ] {
        let run = cli(&workspace).run(arguments);
        assert_eq!(run.code, Some(1), "{arguments:?}");
        assert_eq!(run.stdout, "", "{arguments:?}");
        for key in ["command", "args", "env"] {
            let ignored = format!("`servers.notes.{key}` is ignored");
            assert!(run.stderr.contains(&ignored), "{}", run.stderr);
        }
    }
    // Nor can it change one of the user.
    workspace.file(
        "omniread.toml",
        "[servers.notes]\ncommand = './other'\ncwd = '/'\n",
    );
    let list = read(&workspace, &["mcp://notes"]);
    assert_eq!(list.stdout, "mcp://notes/note://a: A note\n");
    assert!(
        list.stderr.contains("`servers.notes.command` is ignored"),
        "{}",
        list.stderr
    );
    assert!(!workspace.path().join("other").exists());
    let starts = fs::read_to_string(workspace.path().join("starts")).unwrap();
    assert_eq!(starts, "start\n");
}

#[test]
fn deadline_of_a_server_is_not_the_time_of_a_read() {
    let workspace = workspace();
    let user = workspace.path().join("user.toml");
    let text = fs::read_to_string(&user).unwrap();
    fs::write(&user, text + "timeout = '600ms'\n").unwrap();
    let run = read(
        &workspace,
        &["--timeout", "100ms", "mcp://notes/note://hang"],
    );
    assert_eq!(
        run.stderr,
        "omniread: cannot read `mcp://notes/note://hang`: the MCP server `notes` did not answer within 0.6 s\n"
    );
    let requests = fs::read_to_string(workspace.path().join("requests")).unwrap();
    assert!(requests.contains("notifications/cancelled"), "{requests}");
}

#[test]
fn secret_that_is_missing_fails_reads_of_its_server_only() {
    let workspace = workspace();
    fs::remove_file(workspace.path().join("token")).unwrap();
    workspace.file("a.txt", "text\n");
    assert_eq!(read(&workspace, &["a.txt:raw"]).stdout, "text\n");
    let run = read(&workspace, &["mcp://notes"]);
    assert!(
        run.stderr
            .contains("cannot use the MCP server `notes`: the value of `TOKEN`: cannot read"),
        "{}",
        run.stderr
    );
    assert!(!workspace.path().join("starts").exists());
}

/// `omniread serve` and `omniread mcp` have one server for all their reads, and end it.
#[test]
fn services_share_a_server() {
    let workspace = workspace();
    let cli = cli(&workspace);
    let mut service = Process::start(&cli, &["--config", "user.toml", "serve"]);
    for id in 0..3 {
        service.send(&json!({ "id": id, "path": "mcp://notes/note://a:1-1" }));
        let reply = service.receive().unwrap();
        assert!(
            reply["blocks"][0]["text"]
                .as_str()
                .unwrap()
                .contains("line 1"),
            "{reply}"
        );
    }
    assert!(service.end().0.success());
    let starts = || fs::read_to_string(workspace.path().join("starts")).unwrap();
    assert_eq!(starts(), "start\n");
}

/// A server that does not end by itself does not outlive the process, whether its input ends or a signal ends
/// it.
#[test]
#[cfg(target_os = "linux")]
fn servers_end_with_the_process() {
    use rustix::process::{Pid, Signal, kill_process};
    let workspace = workspace();
    let cli = cli(&workspace);
    let is_running = || {
        let pid = fs::read_to_string(workspace.path().join("pid")).unwrap();
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    for command in ["serve", "mcp"] {
        let mut service = Process::start(&cli, &["--config", "user.toml", command]);
        let pid = i32::try_from(service.id()).unwrap();
        if command == "serve" {
            service.send(&json!({ "id": 1, "path": "mcp://notes/note://stay" }));
            service.receive().unwrap();
        } else {
            service = {
                let mut client = McpClient::of(service, "test", &json!({}));
                client.read("mcp://notes/note://stay");
                client.process
            };
        }
        assert!(is_running());
        kill_process(Pid::from_raw(pid).unwrap(), Signal::TERM).unwrap();
        service.wait();
        assert!(!is_running(), "{command}");
    }
    read(&workspace, &["mcp://notes/note://stay"]);
    assert!(!is_running());
}

/// `SIGTERM` during the start of a server that ignores it and the end of its input. It leads a group of its own, so
/// that no signal of a terminal reaches it.
#[test]
#[cfg(target_os = "linux")]
fn server_that_starts_ends_with_the_process() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::thread::sleep;
    use std::time::Duration;
    const SCRIPT: &str =
        "trap '' TERM\necho $$ > pid.new\nmv pid.new pid\nwhile :; do sleep 1; done\n";
    for (command, signals) in [
        ("mcp://stuck", &[Signal::TERM][..]),
        ("serve", &[Signal::TERM, Signal::TERM]),
    ] {
        let workspace = Workspace::new();
        workspace.file("stuck.sh", SCRIPT).file(
            "user.toml",
            "[servers.stuck]\ncommand = 'sh'\nargs = ['stuck.sh']\nstart-timeout = '10m'\n",
        );
        let mut process = Process::start(&cli(&workspace), &["--config", "user.toml", command]);
        process.send(&json!({ "id": 1, "path": "mcp://stuck" }));
        let file = workspace.path().join("pid");
        let pid = loop {
            if let Ok(pid) = fs::read_to_string(&file) {
                break pid;
            }
            sleep(Duration::from_millis(10));
        };
        let own = Pid::from_raw(i32::try_from(process.id()).unwrap()).unwrap();
        for signal in signals {
            kill_process(own, *signal).unwrap();
            // Two signals at once are one.
            sleep(Duration::from_millis(200));
        }
        process.wait();
        loop {
            let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
            let stat = stat.unwrap_or_default();
            if stat.is_empty() || stat.contains(") Z ") {
                break;
            }
            sleep(Duration::from_millis(10));
        }
    }
}

/// The working directory is a workspace, whose files a program such as `npx` would run.
#[test]
fn server_does_not_run_in_the_working_directory() {
    let workspace = workspace();
    let own = Workspace::new();
    own.file("server.sh", SCRIPT).file("long", "of the user");
    let user = own.path().join("user.toml");
    for (command, arguments) in [("sh", "args = ['server.sh']"), ("./server", "")] {
        own.file("server", format!("#!/bin/sh\n{SCRIPT}"));
        make_executable(&own.path().join("server"));
        fs::write(
            &user,
            format!("[servers.notes]\ncommand = '{command}'\n{arguments}\n"),
        )
        .unwrap();
        let config = user.to_str().unwrap();
        let run = cli(&workspace).run(&["--config", config, "mcp://notes/note://a:raw"]);
        assert_eq!(run.stdout, "of the user", "{command}: {}", run.stderr);
    }
    assert!(!workspace.path().join("starts").exists());
}

fn make_executable(file: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The skills extension of MCP, with omniread as the server and as the client.
#[test]
fn skills_of_a_server_are_read() {
    let workspace = Workspace::new();
    workspace
        .file(
            "skills/pdf/SKILL.md",
            "---\nname: pdf\ndescription: Fills forms\n---\n# Forms\n",
        )
        .file("skills/pdf/in/a b.md", "fields\n")
        .file(
            "own/notes/SKILL.md",
            "---\nname: notes\ndescription: My notes\n---\n# Notes\n",
        )
        .file(
            "own/pdf/SKILL.md",
            "---\nname: pdf\ndescription: Mine\n---\n# Mine\n",
        )
        .file(
            "user.toml",
            format!(
                "[servers.own]\ncommand = '{PROGRAM}'\nargs = ['--mount', 'skill=skills', 'mcp']\n"
            ),
        );
    assert_eq!(read(&workspace, &["skill://"]).stdout, "pdf: Fills forms\n");
    let skill = read(&workspace, &["skill://pdf"]).stdout;
    assert!(skill.contains("# Forms"), "{skill}");
    assert_eq!(
        read(&workspace, &["skill://pdf/in/a b.md:raw"]).stdout,
        "fields\n"
    );
    let files = read(&workspace, &["skill://pdf/in/"]).stdout;
    assert!(files.contains("skill://pdf/in/a b.md"), "{files}");
    let resource = read(&workspace, &["mcp://own/skill://pdf/SKILL.md"]).stdout;
    assert!(resource.contains("# Forms"), "{resource}");

    let mounted = ["--mount", "skill=own"];
    let both = read(&workspace, &[&mounted[..], &["skill://"]].concat());
    assert!(
        both.stdout.starts_with("notes: My notes\npdf: Mine\n"),
        "{}",
        both.stdout
    );
    assert!(
        both.stdout.contains("so that they are not read: `pdf`"),
        "{}",
        both.stdout
    );
    let own = read(&workspace, &[&mounted[..], &["skill://pdf"]].concat()).stdout;
    assert!(own.contains("# Mine"), "{own}");
}

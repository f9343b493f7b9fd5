//! `omniread mcp` over standard input and output.

use super::{ENDLESS, cli, endless};
use ::image::ImageFormat;
use omniread_tests::pack::zip;
use omniread_tests::process::{McpClient, Process};
use omniread_tests::{Workspace, image, project};
use serde_json::{Value, json};

fn client(workspace: &Workspace) -> McpClient {
    McpClient::start(&cli(workspace), &[], "test", &json!({}))
}

pub fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

/// Sends `SIGTERM`.
#[cfg(unix)]
pub fn terminate(process: &Process) {
    let id = i32::try_from(process.id()).unwrap();
    let id = rustix::process::Pid::from_raw(id).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
}

#[test]
fn tool_is_listed_as_the_command_line_prints_it() {
    let workspace = Workspace::new();
    let mut client = client(&workspace);
    assert_eq!(client.server["serverInfo"]["name"], "omniread");
    let tools = client.request("tools/list", &json!({}))["result"]["tools"].clone();
    let run = cli(&workspace).run(&["tools", "--for", "mcp"]);
    let printed: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(tools, printed);
    let annotations = &tools[0]["annotations"];
    assert_eq!(annotations["readOnlyHint"], true);
    assert_eq!(annotations["openWorldHint"], false);
    assert!(tools[0]["outputSchema"].is_object());
    assert_eq!(tools[0]["title"], "Read files");
    assert_eq!(tools[0]["_meta"]["anthropic/maxResultSizeChars"], 500_000);
}

/// Claude Code cuts instructions after 2,048 characters.
#[test]
fn paths_of_the_instructions_are_read() {
    let workspace = Workspace::new();
    for (name, example) in [
        ("app.db", "app.db"),
        ("a.docx", "letter.docx"),
        ("a.ipynb", "ages.ipynb"),
        ("a.pdf", "manual.pdf"),
        ("a.pptx", "deck.pptx"),
        ("b.epub", "novel.epub"),
        ("b.xlsx", "sales.xlsx"),
        ("feed.xml", "news.xml"),
        ("logo.svg", "chart.svg"),
        ("page.html", "manual.html"),
    ] {
        let example = std::fs::read(project().join("examples").join(example));
        workspace.file(name, example.unwrap());
    }
    let code = "impl Type {\n    fn name() {}\n}\n".to_owned() + &"fn one() {}\n".repeat(120);
    workspace
        .file("src/a.rs", &code)
        .file("x.zip", zip(&[("src/a.rs", code.as_bytes())]))
        .file("log.txt", "one\n".repeat(50))
        .file("a.json", "{}\n")
        .file("photo.png", pixel())
        .file("x.csv", "name,age\na,40\n")
        .file("m.eml", MAIL);
    for (dialect, tool, argument) in DIALECTS {
        let arguments = ["--dialect", dialect];
        let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
        let instructions = client.server["instructions"].as_str().unwrap().to_owned();
        assert!(instructions.chars().count() < 2048, "{instructions}");
        let kinds = instructions.lines().filter(|line| line.starts_with("- "));
        let paths = kinds.flat_map(|line| line.split('`').skip(1).step_by(2));
        let paths: Vec<&str> = paths.collect();
        assert!(paths.len() > 20, "{instructions}");
        let is_absolute = instructions.contains("A path is absolute: write the directory");
        for path in paths {
            // The row of the example is one of a large table.
            let path = path.replace(":users:42", ":users:1");
            let path = if is_absolute {
                format!("{}/{path}", workspace.path().display())
            } else {
                path
            };
            let call = json!({ "name": tool, "arguments": { argument: path } });
            let result = client.request("tools/call", &call)["result"].clone();
            assert_eq!(result["isError"], false, "{dialect}: {path}: {result}");
        }
    }
}

/// The dialects, their tools, and the arguments with the path.
const DIALECTS: [(&str, &str, &str); 7] = [
    ("omp", "read", "path"),
    ("gateway", "read", "filePath"),
    ("comma", "read_file", "path"),
    ("gemini", "read_file", "absolute_path"),
    ("claude", "Read", "file_path"),
    ("opencode", "read", "filePath"),
    ("codex", "read_file", "file_path"),
];

/// A mail with an attachment.
const MAIL: &str = "From: a@example.com\r\nSubject: one\r\nMIME-Version: 1.0\r\n\
    Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\ntext\r\n--x\r\n\
    Content-Disposition: attachment; filename=a.docx\r\n\r\nattached\r\n--x--\r\n";

#[test]
fn each_dialect_has_its_tool() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let path = workspace.path().join("a.txt").display().to_string();
    for (dialect, tool, argument) in DIALECTS {
        let arguments = ["--dialect", dialect];
        let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
        let path = if dialect == "comma" { "a.txt" } else { &path };
        let call = json!({ "name": tool, "arguments": { argument: path } });
        // The first call and the next ones take different ways through the server.
        for _ in 0..2 {
            let response = client.request("tools/call", &call);
            let result = &response["result"];
            assert_eq!(result["isError"], false, "{dialect}: {response}");
            assert!(text(result).contains("one"), "{dialect}: {response}");
        }
        let other = json!({ "name": "other", "arguments": {} });
        let response = client.request("tools/call", &other);
        assert_eq!(response["error"]["code"], -32602, "{response}");
    }
}

#[test]
fn reply_has_text_images_and_details() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "one\ntwo\n")
        .file("pixel.png", pixel());
    let mut client = client(&workspace);
    for _ in 0..2 {
        let result = client.read("a.txt:2");
        assert!(text(&result).contains("2:two"), "{result}");
        let details = &result["structuredContent"];
        assert_eq!(details["kind"], "text");
        assert_eq!(details["total_lines"], json!({ "exact": 2 }));
        // The text is not contained twice.
        assert!(details.get("display_content").is_none(), "{details}");

        let image = client.read("pixel.png");
        let block = image["content"].as_array().unwrap().iter();
        let block = block.clone().find(|block| block["type"] == "image");
        assert!(
            block.unwrap()["mimeType"]
                .as_str()
                .unwrap()
                .starts_with("image/")
        );
        assert_eq!(image["structuredContent"]["kind"], "image");

        let missing = client.read("missing");
        assert_eq!(missing["isError"], true);
        assert_eq!(text(&missing), "Path 'missing' not found");
        let error = &missing["structuredContent"]["error"];
        assert_eq!(error["kind"], "not_found");

        let call = json!({ "name": "read", "arguments": { "file": "a.txt" } });
        let wrong = client.request("tools/call", &call);
        assert_eq!(wrong["result"]["isError"], true, "{wrong}");
    }
}

pub fn pixel() -> Vec<u8> {
    image::encoded(image::drawing(30, 20), ImageFormat::Png)
}

/// Some clients show `structuredContent` to the model in place of the text.
#[test]
fn clients_that_drop_the_text_get_no_structured_content() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    for (name, arguments, structured) in [
        ("test", &[][..], true),
        ("claude-code", &[], false),
        ("codex-mcp-client", &[], false),
        ("claude-code", &["--structured", "always"], true),
        ("test", &["--structured", "never"], false),
    ] {
        let mut client = McpClient::start(&cli(&workspace), arguments, name, &json!({}));
        let tools = client.request("tools/list", &json!({}));
        let tool = &tools["result"]["tools"][0];
        assert_eq!(tool.get("outputSchema").is_some(), structured, "{name}");
        for _ in 0..2 {
            let result = client.read("a.txt");
            assert!(text(&result).contains("1:one"));
            let found = result.get("structuredContent").is_some();
            assert_eq!(found, structured, "{name} {arguments:?}");
        }
    }
}

#[test]
fn cancelled_call_has_no_response() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    endless(&workspace);
    let arguments = ["--timeout", "0"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    let call = json!({ "name": "read", "arguments": { "path": ENDLESS } });
    // More calls than can run at a time: the next one is answered only if cancelled reads end.
    for _ in 0..70 {
        let id = client.send("tools/call", &call);
        let reason = json!({ "requestId": id, "reason": "the test" });
        client.notify("notifications/cancelled", &reason);
        let id = client.send(
            "tools/call",
            &json!({
                "name": "read", "arguments": { "path": "a.txt" },
            }),
        );
        let next = client.process.receive().unwrap();
        assert_eq!(next["id"], id, "{next}");
    }
    let (status, rest) = client.process.end();
    assert!(status.success() && rest.is_empty(), "{rest:?}");
}

#[test]
fn long_reads_report_progress() {
    let workspace = Workspace::new();
    endless(&workspace);
    let arguments = ["--timeout", "3"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    // The second call takes another way through the server.
    for token in [json!("p"), json!(7)] {
        let call = json!({
            "name": "read", "arguments": { "path": ENDLESS }, "_meta": { "progressToken": token },
        });
        let id = client.send("tools/call", &call);
        let mut last = 0.0;
        loop {
            let message = client.process.receive().unwrap();
            if message.get("id") == Some(&id) {
                assert!(text(&message["result"]).contains("exceeded the timeout of 3000 ms"));
                break;
            }
            assert_eq!(message["method"], "notifications/progress", "{message}");
            assert_eq!(message["params"]["progressToken"], token);
            let progress = message["params"]["progress"].as_f64().unwrap();
            assert!(progress > last);
            last = progress;
        }
        assert!(last > 0.0);
    }
}

/// The first call goes through the service of rmcp, and the others do not, whatever the version of
/// the protocol. All have the same result.
#[test]
fn all_calls_have_the_same_result() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let described = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let other = json!({ "example.com/use": "7" });
    for meta in [described, other, json!({})] {
        let mut client = client(&workspace);
        for path in ["a.txt", "missing"] {
            let call = json!({ "name": "read", "arguments": { "path": path }, "_meta": meta });
            let first = client.request("tools/call", &call)["result"].clone();
            assert_eq!(first["isError"], path == "missing");
            let is_described = meta.as_object().unwrap().len() == 3;
            assert_eq!(first.get("resultType").is_some(), is_described, "{first}");
            for _ in 0..3 {
                assert_eq!(client.request("tools/call", &call)["result"], first);
            }
        }
    }
}

#[test]
fn roots_are_resources_with_completion() {
    let workspace = Workspace::new();
    workspace
        .file("docs/a b.txt", "one\ntwo\n")
        .file("docs/secret.txt", "x")
        .file("docs/pixel.png", pixel())
        .directory("docs/deep");
    let arguments = ["--deny", "secret.txt"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    let root = format!("file://{}/", workspace.path().display());
    let resources = client.request("resources/list", &json!({}));
    assert_eq!(resources["result"]["resources"][0]["uri"], root);
    let templates = client.request("resources/templates/list", &json!({}));
    let template = templates["result"]["resourceTemplates"][0]["uriTemplate"].clone();
    assert_eq!(template, format!("{root}{{+path}}"));

    let mut complete = |value: &str| {
        let response = client.request(
            "completion/complete",
            &json!({
                "ref": { "type": "ref/resource", "uri": template },
                "argument": { "name": "path", "value": value },
            }),
        );
        response["result"]["completion"]["values"].clone()
    };
    assert_eq!(complete("d"), json!(["docs/"]));
    assert_eq!(
        complete("docs/"),
        json!(["docs/a b.txt", "docs/deep/", "docs/pixel.png"])
    );
    assert_eq!(complete("docs/../../"), json!([]));
    assert_eq!(complete("missing/"), json!([]));

    let mut read =
        |path: &str| client.request("resources/read", &json!({ "uri": format!("{root}{path}") }));
    let text = read("docs/a%20b.txt");
    assert_eq!(text["result"]["contents"][0]["text"], "one\ntwo", "{text}");
    let image = read("docs/pixel.png");
    let contents = image["result"]["contents"].as_array().unwrap();
    assert!(
        contents.iter().any(|content| content.get("blob").is_some()),
        "{image}"
    );
    assert_eq!(read("missing.txt")["error"]["code"], -32002);
    assert!(
        read("docs/secret.txt")["error"]["message"]
            .as_str()
            .unwrap()
            .contains("denied")
    );
}

#[test]
fn log_messages_have_the_requested_level() {
    let workspace = Workspace::new();
    workspace.file("a.txt", "one\n");
    let mut client = client(&workspace);
    client.read("a.txt");
    client.request("logging/setLevel", &json!({ "level": "debug" }));
    let call = json!({ "name": "read", "arguments": { "path": "a.txt" } });
    client.send("tools/call", &call);
    let message = client.process.receive().unwrap();
    assert_eq!(message["method"], "notifications/message", "{message}");
    let data = &message["params"]["data"];
    assert_eq!(data["arguments"], json!({ "path": "a.txt" }));
    assert_eq!(data["failed"], false);
}

#[test]
#[cfg(unix)]
fn termination_ends_the_server() {
    let workspace = Workspace::new();
    endless(&workspace);
    let arguments = ["--timeout", "2"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    let call = json!({ "name": "read", "arguments": { "path": ENDLESS } });
    // Two ways through the server.
    client.request("tools/call", &call);
    let id = client.send("tools/call", &call);
    // The call has started when the next one is answered.
    client.read("missing");
    terminate(&client.process);
    let reply = client.process.reply(&id);
    assert_eq!(reply["result"]["isError"], true);
    assert!(client.process.wait().success());
}

//! Skills over MCP, as SEP-2640 has them.

mod hostile;

use super::cli;
use omniread_tests::Workspace;
use omniread_tests::process::McpClient;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

fn head(name: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\n---\n# {name}\n")
}

fn client(workspace: &Workspace, arguments: &[&str]) -> McpClient {
    let arguments = [&["--mount", "skill=skills"], arguments].concat();
    McpClient::start(&cli(workspace), &arguments, "test", &json!({}))
}

/// The result of a request.
fn result(client: &mut McpClient, method: &str, parameters: &Value) -> Value {
    let response = client.request(method, parameters);
    let result = response.get("result");
    result.unwrap_or_else(|| panic!("{response}")).clone()
}

/// The code and the message of the error of a request.
fn error(client: &mut McpClient, method: &str, parameters: &Value) -> (i64, String) {
    let response = client.request(method, parameters);
    let code = response["error"]["code"].as_i64();
    let message = response["error"]["message"].as_str().unwrap_or_default();
    let code = code.unwrap_or_else(|| panic!("{response}"));
    (code, message.to_owned())
}

/// All skills, and the skills that are not served, over all pages. Returns the number of pages too.
fn all(client: &mut McpClient) -> (Vec<Value>, Vec<Value>, usize) {
    let (mut skills, mut skipped, mut pages) = (Vec::new(), Vec::new(), 0);
    let mut parameters = json!({});
    loop {
        let page = result(client, "skills/list", &parameters);
        pages += 1;
        skills.extend(page["skills"].as_array().unwrap().clone());
        let more = page["_meta"]["omniread/skipped"].as_array();
        skipped.extend(more.cloned().unwrap_or_default());
        match page.get("nextCursor") {
            Some(next) => parameters = json!({ "cursor": next }),
            None => return (skills, skipped, pages),
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    let mut digest = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        write!(digest, "{byte:02x}").unwrap();
    }
    digest
}

/// The bytes that a read of a resource returns.
fn read(client: &mut McpClient, uri: &Value) -> Vec<u8> {
    let contents = result(client, "resources/read", &json!({ "uri": uri }));
    let contents = &contents["contents"][0];
    assert_eq!(contents["uri"], *uri);
    match contents["text"].as_str() {
        Some(text) => text.as_bytes().to_vec(),
        None => {
            use base64::Engine as _;
            let blob = contents["blob"].as_str().unwrap();
            base64::engine::general_purpose::STANDARD
                .decode(blob)
                .unwrap()
        }
    }
}

/// Checks that each file of each skill has the size and the hash of the manifest.
fn verify(client: &mut McpClient, skills: &[Value]) {
    for skill in skills {
        for file in skill["resources"].as_array().unwrap() {
            let bytes = read(client, &file["uri"]);
            assert_eq!(file["size"], bytes.len(), "{file}");
            assert_eq!(file["digest"], digest(&bytes), "{file}");
        }
    }
}

fn uris(entries: &[Value]) -> Vec<&str> {
    let uris = entries.iter().map(|entry| entry["uri"].as_str().unwrap());
    uris.collect()
}

#[test]
fn without_skills_there_is_no_extension() {
    let workspace = Workspace::new();
    workspace.file("skills/a/SKILL.md", head("a"));
    let mut client = McpClient::start(&cli(&workspace), &[], "test", &json!({}));
    assert!(client.server["capabilities"].get("extensions").is_none());
    for (method, parameters) in [
        ("skills/list", json!({})),
        ("skills/get", json!({ "uri": "skill://a/SKILL.md" })),
        ("resources/directory/read", json!({ "uri": "skill://a" })),
        ("skills/get", json!({})),
    ] {
        assert_eq!(
            error(&mut client, method, &parameters).0,
            -32601,
            "{method}"
        );
    }
}

#[test]
fn manifests_have_the_bytes_that_are_read() {
    let workspace = Workspace::new();
    workspace
        .file("skills/pdf/SKILL.md", "\u{feff}---\r\nname: pdf\r\ndescription: >-\r\n  Use when:\r\n  a form\r\nmetadata:\r\n  version: \"1.0\"\r\n  tags: [a, 2, true]\r\n---\r\n# Forms\u{200b}\r\n")
        .file("skills/pdf/refs/a b%#?.md", "no line end")
        .file("skills/pdf/empty.txt", "")
        .file("skills/pdf/long.csv", "a,b\n".repeat(200_000))
        .file("skills/pdf/latin.txt", b"caf\xe9".as_slice())
        .file("skills/pdf/nul.txt", "a\0b")
        .file("skills/pdf/a.docx", b"PK\x03\x04broken".as_slice())
        .file("skills/team/style/SKILL.md", head("style"));
    let mut client = client(&workspace, &[]);
    let declared = &client.server["capabilities"]["extensions"];
    assert_eq!(
        declared["io.modelcontextprotocol/skills"],
        json!({ "directoryRead": true })
    );
    let (skills, skipped, _) = all(&mut client);
    assert_eq!(skipped, Vec::<Value>::new());
    assert_eq!(
        uris(&skills),
        ["skill://pdf/SKILL.md", "skill://team/style/SKILL.md"]
    );
    assert_eq!(
        skills[0]["frontmatter"],
        json!({
            "name": "pdf",
            "description": "Use when: a form",
            "metadata": { "version": "1.0", "tags": ["a", 2, true] },
        })
    );
    assert_eq!(
        uris(skills[0]["resources"].as_array().unwrap()),
        [
            "skill://pdf/SKILL.md",
            "skill://pdf/a.docx",
            "skill://pdf/empty.txt",
            "skill://pdf/latin.txt",
            "skill://pdf/long.csv",
            "skill://pdf/nul.txt",
            "skill://pdf/refs/a%20b%25%23%3F.md",
        ]
    );
    verify(&mut client, &skills);
    let skill = result(
        &mut client,
        "skills/get",
        &json!({ "uri": "skill://pdf/SKILL.md" }),
    );
    assert_eq!(skill, json!({ "skill": skills[0] }));
    // Everything else is read as before.
    let lines = json!({ "uri": "skill://pdf/long.csv:2-3" });
    let lines = result(&mut client, "resources/read", &lines);
    assert!(
        lines["contents"][0]["text"]
            .as_str()
            .unwrap()
            .starts_with("a,b\na,b")
    );
}

/// From version 2026-07-28 of the protocol on, results say how long they may be kept.
#[test]
fn results_have_the_fields_of_their_version() {
    let workspace = Workspace::new();
    workspace.file("skills/a/SKILL.md", head("a"));
    let mut client = client(&workspace, &[]);
    let described = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    for (method, uri) in [
        ("skills/list", None),
        ("skills/get", Some("skill://a/SKILL.md")),
        ("resources/directory/read", Some("skill://a")),
        ("resources/read", Some("skill://a/SKILL.md")),
    ] {
        let mut parameters = json!({});
        if let Some(uri) = uri {
            parameters["uri"] = uri.into();
        }
        let before = result(&mut client, method, &parameters);
        for field in ["resultType", "ttlMs", "cacheScope"] {
            assert!(before.get(field).is_none(), "{method}: {before}");
        }
        parameters["_meta"] = described.clone();
        let now = result(&mut client, method, &parameters);
        assert_eq!(now["resultType"], "complete", "{method}: {now}");
        assert_eq!(now["ttlMs"], 0, "{method}: {now}");
        assert_eq!(now["cacheScope"], "private", "{method}: {now}");
    }
}

#[test]
fn directories_are_listed_in_pages() {
    let workspace = Workspace::new();
    workspace
        .file("skills/a/SKILL.md", head("a"))
        .file("skills/a/refs/b.png", b"\x89PNG".as_slice())
        .file("skills/a/.hidden/x", "x");
    for number in 0..510 {
        workspace.file(&format!("skills/a/many/{number:03}"), "");
    }
    let mut client = client(&workspace, &[]);
    for uri in ["skill://a", "skill://a/"] {
        let listed = result(
            &mut client,
            "resources/directory/read",
            &json!({ "uri": uri }),
        );
        assert_eq!(
            listed,
            json!({ "resources": [
                { "uri": "skill://a/SKILL.md", "name": "SKILL.md", "mimeType": "text/markdown", "size": head("a").len() },
                { "uri": "skill://a/many", "name": "many", "mimeType": "inode/directory" },
                { "uri": "skill://a/refs", "name": "refs", "mimeType": "inode/directory" },
            ] })
        );
    }
    let many = json!({ "uri": "skill://a/many" });
    let first = result(&mut client, "resources/directory/read", &many);
    assert_eq!(first["resources"].as_array().unwrap().len(), 500);
    let rest = json!({ "uri": "skill://a/many", "cursor": first["nextCursor"] });
    let rest = result(&mut client, "resources/directory/read", &rest);
    assert_eq!(rest["resources"][0]["name"], "500");
    assert_eq!(rest["resources"].as_array().unwrap().len(), 10);
    assert!(rest.get("nextCursor").is_none());
    // With its files, the skill is within the limit of 512.
    let get = json!({ "uri": "skill://a/SKILL.md" });
    let skill = result(&mut client, "skills/get", &get);
    assert_eq!(skill["skill"]["resources"].as_array().unwrap().len(), 512);
    let left_out = &skill["skill"]["_meta"]["omniread/leftOut"];
    assert_eq!(left_out, &json!(["hidden entries: 1"]));
}

#[test]
fn wrong_uris_and_cursors_are_wrong_parameters() {
    let workspace = Workspace::new();
    workspace
        .file("skills/a/SKILL.md", head("a"))
        .file("skills/n/b/SKILL.md", head("b"))
        .file("secret.txt", "secret");
    let mut client = client(&workspace, &[]);
    for uri in [
        "skill://none/SKILL.md",
        "skill://a",
        "skill://a/none.md",
        "skill://n/SKILL.md",
        "skill://../secret.txt",
        "skill://a/../a/SKILL.md",
        "skill://%61/SKILL.md",
        "skill://a%2FSKILL.md",
        "skill://a/SKILL.md?x",
        "SKILL://a/SKILL.md",
        "file:///etc/passwd",
        "",
    ] {
        let (code, message) = error(&mut client, "skills/get", &json!({ "uri": uri }));
        assert_eq!(code, -32602, "{uri}: {message}");
    }
    for uri in [
        "skill://a/SKILL.md",
        "skill://none",
        "skill://n",
        "skill://",
        "skill://a/..",
        "skill://a/../n/b",
        "skill://a//",
        "file:///",
        "",
    ] {
        let request = json!({ "uri": uri });
        let (code, message) = error(&mut client, "resources/directory/read", &request);
        assert_eq!(code, -32602, "{uri}: {message}");
    }
    for parameters in [
        json!({ "cursor": "x" }),
        json!({ "cursor": "-1/a" }),
        json!({ "cursor": "\u{0}/\u{0}".repeat(1000) }),
    ] {
        let (code, message) = error(&mut client, "skills/list", &parameters);
        assert_eq!(code, -32602, "{parameters}: {message}");
    }
    for method in ["skills/get", "resources/directory/read"] {
        assert_eq!(error(&mut client, method, &json!({})).0, -32602, "{method}");
    }
}

#[test]
fn changed_files_have_new_manifests() {
    let workspace = Workspace::new();
    workspace
        .file("skills/a/SKILL.md", head("a"))
        .file("skills/a/note.md", "one\n");
    let mut client = client(&workspace, &[]);
    let (before, ..) = all(&mut client);
    workspace
        .file("skills/a/SKILL.md", "---\nname: a\ndescription: new\n---\n")
        .file("skills/a/note.md", "two\n")
        .file("skills/a/more.md", "more\n");
    std::fs::create_dir(workspace.path().join("skills/b")).unwrap();
    // What the old manifest says is not what is read now, so that a client notices it.
    let note = &before[0]["resources"][1];
    assert_ne!(note["digest"], digest(&read(&mut client, &note["uri"])));
    let (after, ..) = all(&mut client);
    assert_eq!(after[0]["frontmatter"]["description"], "new");
    assert_eq!(after[0]["resources"].as_array().unwrap().len(), 3);
    verify(&mut client, &after);
    std::fs::remove_dir_all(workspace.path().join("skills/a")).unwrap();
    let (none, skipped, _) = all(&mut client);
    assert!(
        none.is_empty() && skipped.is_empty(),
        "{none:?} {skipped:?}"
    );
    let get = json!({ "uri": "skill://a/SKILL.md" });
    assert_eq!(error(&mut client, "skills/get", &get).0, -32602);
}

#[test]
fn files_of_a_skill_are_of_one_directory() {
    let workspace = Workspace::new();
    workspace
        .file("skills/a/SKILL.md", head("a"))
        .file("more/a/SKILL.md", head("a"))
        .file("more/a/extra.md", "of another skill")
        .file("more/b/SKILL.md", head("b"));
    let mut client = client(&workspace, &["--mount", "skill=more"]);
    let (skills, ..) = all(&mut client);
    assert_eq!(uris(&skills), ["skill://a/SKILL.md", "skill://b/SKILL.md"]);
    assert_eq!(skills[0]["resources"].as_array().unwrap().len(), 1);
    let listed = json!({ "uri": "skill://a" });
    let listed = result(&mut client, "resources/directory/read", &listed);
    assert_eq!(listed["resources"].as_array().unwrap().len(), 1);
}

#[test]
fn skills_of_a_configuration_file_are_served() {
    let workspace = Workspace::new();
    workspace
        .file("skills/a/SKILL.md", head("a"))
        .file("config.toml", "[mounts]\nskill = \"skills\"\n");
    let arguments = ["--config", "config.toml"];
    let mut client = McpClient::start(&cli(&workspace), &arguments, "test", &json!({}));
    assert_eq!(uris(&all(&mut client).0), ["skill://a/SKILL.md"]);
}

/// A page has 100 skills.
#[test]
fn thousands_of_skills_are_listed_in_pages() {
    let workspace = Workspace::new();
    for number in 0..5000 {
        let name = format!("s{number:04}");
        workspace.file(&format!("skills/{name}/SKILL.md"), head(&name));
    }
    let mut client = client(&workspace, &[]);
    let first = result(&mut client, "skills/list", &json!({}));
    assert_eq!(first["skills"].as_array().unwrap().len(), 100);
    let (skills, skipped, pages) = all(&mut client);
    assert_eq!((skills.len(), skipped.len(), pages), (5000, 0, 50));
}

//! Directories of skills that deny rules cover, that are too large, or that are not skills.

use super::{all, client, error, head, result, uris, verify};
use omniread_tests::Workspace;
use serde_json::json;

#[test]
fn denied_files_are_in_no_manifest_and_no_directory() {
    let workspace = Workspace::new();
    workspace
        .file("skills/a/SKILL.md", head("a"))
        .file("skills/a/key.pem", "secret key")
        .file("skills/a/refs/key.pem", "secret key")
        .file("skills/closed/SKILL.md", head("closed"))
        .file("skills/mute/SKILL.md", head("mute"))
        .file("outside/note.md", "outside");
    #[cfg(unix)]
    for (target, link) in [
        ("../../outside/note.md", "skills/a/out.md"),
        ("/etc/passwd", "skills/a/passwd"),
        ("../../outside", "skills/a/directory"),
        ("refs/key.pem", "skills/a/open.md"),
        ("SKILL.md", "skills/a/inside.md"),
        ("../outside", "skills/linked"),
    ] {
        std::os::unix::fs::symlink(target, workspace.path().join(link)).unwrap();
    }
    let arguments = [
        "--deny",
        "*.pem",
        "--deny",
        "closed",
        "--deny",
        "mute/SKILL.md",
    ];
    let mut client = client(&workspace, &arguments);
    let (skills, skipped, _) = all(&mut client);
    assert_eq!(uris(&skills), ["skill://a/SKILL.md"]);
    let shown = json!([skills, skipped]).to_string();
    assert!(!shown.contains("closed"), "{shown}");
    let files = uris(skills[0]["resources"].as_array().unwrap());
    let expected: &[&str] = if cfg!(unix) {
        &["skill://a/SKILL.md", "skill://a/inside.md"]
    } else {
        &["skill://a/SKILL.md"]
    };
    assert_eq!(files, expected, "{skills:?}");
    let left_out = skills[0]["_meta"]["omniread/leftOut"].to_string();
    assert!(left_out.contains("that deny rules hide"), "{left_out}");
    verify(&mut client, &skills);
    let listed = json!({ "uri": "skill://a" });
    let listed = result(&mut client, "resources/directory/read", &listed).to_string();
    for name in [
        "key.pem",
        "out.md",
        "passwd",
        "skill://a/directory",
        "open.md",
    ] {
        assert!(!listed.contains(name), "{name}: {listed}");
    }
    for path in [
        "a/key.pem",
        "a/out.md",
        "a/passwd",
        "a/directory/note.md",
        "a/open.md",
        "closed/SKILL.md",
    ] {
        let uri = json!({ "uri": format!("skill://{path}") });
        let response = client.request("resources/read", &uri);
        assert!(response.get("error").is_some(), "{path}: {response}");
    }
    for path in ["a/directory", "closed", "linked"] {
        let uri = json!({ "uri": format!("skill://{path}") });
        let (code, message) = error(&mut client, "resources/directory/read", &uri);
        assert_eq!(code, -32602, "{path}: {message}");
    }
}

#[test]
fn skills_that_are_not_served_are_named_with_the_reason() {
    let workspace = Workspace::new();
    workspace
        .file("skills/fine/SKILL.md", head("fine"))
        .file("skills/mute/SKILL.md", "---\nname: mute\n---\n")
        .file("skills/odd name/SKILL.md", head("odd name"))
        .file(
            "skills/plain/SKILL.md",
            "---\nname: plain\ndescription: Use when: x\n---\n",
        )
        .file(
            "skills/wrong/SKILL.md",
            "---\nname: \"wrong\"\n  x: [\n---\n",
        )
        .file(
            "skills/head/SKILL.md",
            format!("---\nk: {}\n---\n", "v".repeat(10 << 20)),
        )
        .file("skills/large/SKILL.md", head("large"))
        .file("skills/large/data", vec![0; 17 << 20]);
    let mut client = client(&workspace, &[]);
    let (skills, skipped, _) = all(&mut client);
    assert_eq!(
        uris(&skills),
        ["skill://fine/SKILL.md", "skill://plain/SKILL.md"]
    );
    assert_eq!(skills[1]["frontmatter"]["description"], "Use when: x");
    let skipped: Vec<(&str, &str)> = skipped
        .iter()
        .map(|skill| {
            (
                skill["uri"].as_str().unwrap(),
                skill["reason"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        skipped,
        [
            (
                "skill://head/SKILL.md",
                "the front matter is longer than 64 KiB"
            ),
            ("skill://large/SKILL.md", "its files have more than 16 MiB"),
            (
                "skill://mute/SKILL.md",
                "the front matter has no description"
            ),
            (
                "skill://odd%20name/SKILL.md",
                "names of skills have 1 to 64 lower-case letters, digits and hyphens"
            ),
            (
                "skill://wrong/SKILL.md",
                "cannot read the front matter: the indentation is not valid YAML (line 3)"
            ),
        ]
    );
    let (code, message) = error(
        &mut client,
        "skills/get",
        &json!({ "uri": "skill://large/SKILL.md" }),
    );
    assert_eq!(code, -32602);
    assert_eq!(
        message,
        "cannot serve `skill://large`: its files have more than 16 MiB"
    );
}

#[test]
fn many_entries_that_are_no_skills_are_passed() {
    let workspace = Workspace::new();
    workspace.file("skills/z/SKILL.md", head("z"));
    for number in 0..100_000 {
        std::fs::write(workspace.path().join(format!("skills/f{number}")), "").unwrap();
    }
    for number in 0..12_000 {
        workspace.directory(&format!("skills/d{number}"));
    }
    workspace.file("skills/a/SKILL.md", head("a"));
    for number in 0..11_000 {
        workspace.directory(&format!("skills/a/d{number}"));
    }
    let mut client = client(&workspace, &[]);
    let (skills, skipped, pages) = all(&mut client);
    assert_eq!(uris(&skills), ["skill://z/SKILL.md"]);
    assert_eq!(skipped.len(), 1);
    assert_eq!(
        skipped[0]["reason"],
        "it has more than 10000 files and directories"
    );
    assert!(pages > 1, "{pages}");
}

//! What lies outside the roots, or is denied, whatever leads there.

use super::{CANARY, failed, text};
use omniread::Reason;
use omniread_tests::Workspace;
use std::fs;

/// FS-1: paths that leave the roots, and paths that are none.
#[test]
fn no_path_leaves_the_roots() {
    let outer = Workspace::new();
    outer
        .file("r/inside.txt", "inside\n")
        .file("r-evil/x", CANARY);
    let root = outer.path().join("r");
    let session = omniread_tests::builder()
        .root(&root)
        .build()
        .unwrap()
        .session();
    let evil = outer.path().join("r-evil/x").display().to_string();
    let climbing = format!("{}/../r-evil/x", root.display());
    let deep = "a/".repeat(300);
    for path in [
        evil.as_str(),
        climbing.as_str(),
        "../r-evil/x",
        "//../etc/passwd",
        "/etc/passwd",
        "%2e%2e/r-evil/x",
        "../r-evil/x ",
        "../r-evil/x.",
        "file:///etc/passwd",
        "file://%2fetc%2fpasswd",
        deep.as_str(),
    ] {
        let failure = session.read(path).expect_err(path);
        assert!(!failure.text.contains(CANARY), "{path}");
        assert!(
            matches!(
                failure.reason,
                Reason::OutsideRoots(_) | Reason::NotFound(_) | Reason::Path(_)
            ),
            "{path}: {:?}",
            failure.reason
        );
    }
    for path in ["", "a\0b", &"x".repeat(5000)] {
        assert!(matches!(
            session.read(path).unwrap_err().reason,
            Reason::Path(_)
        ));
    }
    assert!(session.read("inside.txt").is_ok());
}

/// FS-2: links that leave, that loop, that lead nowhere; and honest ones.
#[test]
fn links_are_followed_inside_only() {
    let outside = Workspace::new();
    outside.file("secret", CANARY).file("folder/secret", CANARY);
    let workspace = Workspace::new();
    workspace
        .file("dir/real.txt", "real\n")
        .link("relative", "dir/real.txt")
        .link("absolute", workspace.path().join("dir/real.txt"))
        .link("folder", workspace.path().join("dir"))
        .link("dir/back", "../relative")
        .link("out", outside.path().join("secret"))
        .link("out-folder", outside.path().join("folder"))
        .link("up", "../../..")
        .link("self", workspace.path())
        .link("dangling", "nowhere");
    let mut name = "dir/real.txt".to_owned();
    for n in 0..41 {
        workspace.link(&format!("chain{n}"), &name);
        name = format!("chain{n}");
    }
    for path in [
        "relative",
        "absolute",
        "folder/real.txt",
        "dir/back",
        "folder/back",
        "self/dir/real.txt",
        "self/self/relative",
        "chain30",
    ] {
        assert_eq!(text(&workspace, path), "real", "{path}");
    }
    for (path, target) in [
        ("out", "secret"),
        ("out-folder/secret", "folder"),
        ("up/etc/passwd", "../../.."),
    ] {
        match failed(&workspace, path) {
            Reason::LinkOutsideRoots(escape) => {
                assert!(escape.target.ends_with(target), "{path}: {escape:?}");
            }
            reason => panic!("{path}: {reason:?}"),
        }
    }
    assert!(matches!(failed(&workspace, "chain40"), Reason::Links(_)));
    assert!(matches!(
        failed(&workspace, "dangling"),
        Reason::NotFound(_)
    ));
    let failure = workspace.session().read("out").unwrap_err();
    let allow = format!(
        "`--root {} --root {}` would allow it",
        workspace.path().display(),
        outside.path().display()
    );
    assert_eq!(failure.hint.as_deref(), Some(allow.as_str()));
    // A second root makes the link an honest one.
    let both = workspace
        .builder()
        .root(outside.path())
        .build()
        .unwrap()
        .session();
    assert!(both.read("out").unwrap().text().contains(CANARY));
}

/// FS-3: a hard link cannot be told from a file. This is documented.
#[test]
fn hard_links_are_files() {
    let workspace = Workspace::new();
    workspace.file("a", "shared\n");
    fs::hard_link(workspace.path().join("a"), workspace.path().join("b")).unwrap();
    assert_eq!(text(&workspace, "b"), "shared");
}

/// FS-4: links into a process.
#[test]
#[cfg(target_os = "linux")]
fn magic_links_are_not_followed() {
    let session = omniread_tests::builder()
        .root("/")
        .build()
        .unwrap()
        .session();
    for path in [
        "/proc/self/root/etc/passwd",
        "/proc/self/fd/0",
        "/dev/stdin",
        "/proc/self/cwd",
    ] {
        let failure = session.read(path).expect_err(path);
        assert!(
            matches!(
                failure.reason,
                Reason::Links(_) | Reason::NotFound(_) | Reason::Special(_) | Reason::Permission(_)
            ),
            "{path}: {:?}",
            failure.reason
        );
    }
}

/// Deny rules hold for the real path, whatever leads to it.
#[test]
fn deny_rules_hold_on_every_route() {
    let workspace = Workspace::new();
    workspace
        .file(".env", CANARY)
        .file("keys/id", CANARY)
        .file("sub/.env", CANARY)
        .file("open.txt", "open\n")
        .link("innocent", ".env")
        .link("folder", "keys");
    let absolute = workspace.path().join(".env").display().to_string();
    let url = format!("file://{absolute}");
    let session = workspace
        .builder()
        .deny(".env")
        .deny("/keys/")
        .build()
        .unwrap()
        .session();
    for path in [
        ".env",
        "./.env",
        "sub/../.env",
        "innocent",
        "keys/id",
        "folder/id",
        "sub/.env",
        ".env:raw",
        "\\:/../.env",
        &absolute,
        &url,
    ] {
        let failure = session.read(path).expect_err(path);
        assert!(!failure.text.contains(CANARY), "{path}");
        assert!(
            matches!(failure.reason, Reason::Denied(_) | Reason::NotFound(_)),
            "{path}: {:?}",
            failure.reason
        );
    }
    assert!(
        matches!(session.read(".env").unwrap_err().reason, Reason::Denied(rule) if rule == ".env")
    );
    assert!(
        matches!(session.read("keys/id").unwrap_err().reason, Reason::Denied(rule) if rule == "/keys/")
    );
    let reply = session.read(".").unwrap();
    assert!(
        !reply.text().contains(".env\n") && !reply.text().contains("keys/"),
        "{}",
        reply.text()
    );
    assert_eq!(reply.details.withheld(), 3);
    assert!(session.read("open.txt").is_ok());
}

/// Roots that are reached through links are known by both names.
#[test]
fn a_root_behind_a_link_is_one() {
    let outer = Workspace::new();
    outer.file("real/a.txt", "a\n").link("alias", "real");
    let alias = outer.path().join("alias");
    fs::write(outer.path().join("real/b"), "").unwrap();
    outer.link("real/absolute", outer.path().join("real/a.txt"));
    let session = omniread_tests::builder()
        .root(&alias)
        .build()
        .unwrap()
        .session();
    for path in [
        "a.txt".to_owned(),
        "absolute".to_owned(),
        alias.join("a.txt").display().to_string(),
        outer.path().join("real/a.txt").display().to_string(),
    ] {
        assert!(session.read(&path).is_ok(), "{path}");
    }
    // It is one directory: what is in it is found once, and shown by one name.
    outer.file("real/deep/only.rs", "x\n");
    let reply = session.read("only.rs").unwrap();
    assert_eq!(reply.details.path, "deep/only.rs");
    let real = outer.path().join("real/a.txt").display().to_string();
    assert_eq!(session.read(&real).unwrap().details.path, "a.txt");
}

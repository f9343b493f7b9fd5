//! Files outside the roots and denied files are not readable by any path or link.

use super::{CANARY, failed, text};
use omniread::{Dialect, Options, Reason};
use omniread_tests::Workspace;
use std::fs;

/// Hostile input FS-1: invalid paths, and paths that lead out of the roots (the directories that
/// may be read).
#[test]
fn paths_outside_the_roots_are_refused() {
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
                Reason::OutsideRoots(_) | Reason::NotFound(_) | Reason::InvalidPath(_)
            ),
            "{path}: {:?}",
            failure.reason
        );
    }
    for path in ["", "a\0b", &"x".repeat(5000)] {
        assert!(matches!(
            session.read(path).unwrap_err().reason,
            Reason::InvalidPath(_)
        ));
    }
    assert!(session.read("inside.txt").is_ok());
}

/// Hostile input FS-2: symlinks that point to files inside the roots, to files outside the roots,
/// to each other in a loop, and to missing files.
#[test]
fn symlinks_are_followed_only_within_the_roots() {
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
    assert!(matches!(failed(&workspace, "chain40"), Reason::Symlink(_)));
    assert!(matches!(
        failed(&workspace, "dangling"),
        Reason::NotFound(_)
    ));
    let failure = workspace.session().read("out").unwrap_err();
    let allow = format!(
        "on the command line, use `--root {} --root {}` to allow it",
        workspace.path().display(),
        outside.path().display()
    );
    assert_eq!(failure.hint.as_deref(), Some(allow.as_str()));
    let secret = outside.path().join("secret");
    let failure = workspace
        .session()
        .read(secret.to_str().unwrap())
        .unwrap_err();
    // A name without an extension may be that of a directory.
    let allow = format!(
        "on the command line, use `--root {root} --root {}` to allow it, or `--root {root} --root {}` if it is a file",
        secret.display(),
        outside.path().display(),
        root = workspace.path().display()
    );
    assert_eq!(failure.hint.as_deref(), Some(allow.as_str()));
    // A model cannot change the roots.
    let call = serde_json::json!({ "path": secret }).to_string();
    let session = workspace.session();
    let failure = session
        .call(Dialect::Omp, &call, &Options::default())
        .unwrap_err();
    let within = format!("read a path in the root `{}`", workspace.path().display());
    assert_eq!(failure.hint.as_deref(), Some(within.as_str()));
    // The link is allowed if its target is in a second root.
    let both = workspace
        .builder()
        .root(outside.path())
        .build()
        .unwrap()
        .session();
    assert!(both.read("out").unwrap().text().contains(CANARY));
}

/// Hostile input FS-3: a hard link is read, because it cannot be distinguished from any other file.
/// The documentation says so.
#[test]
fn hard_links_are_read_as_files() {
    let workspace = Workspace::new();
    workspace.file("a", "shared\n");
    fs::hard_link(workspace.path().join("a"), workspace.path().join("b")).unwrap();
    assert_eq!(text(&workspace, "b"), "shared");
}

/// Hostile input FS-4: links in `/proc` to the files and directories of a process.
#[test]
#[cfg(target_os = "linux")]
fn proc_magic_links_are_not_followed() {
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
                Reason::Symlink(_)
                    | Reason::NotFound(_)
                    | Reason::SpecialFile(_)
                    | Reason::Permission(_)
            ),
            "{path}: {:?}",
            failure.reason
        );
    }
}

/// A deny rule applies to the resolved path of a file, and so to every path that leads to the file.
#[test]
fn deny_rules_apply_to_every_path_of_a_file() {
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
    assert_eq!(reply.details.denied_entries(), 3);
    assert!(session.read("open.txt").is_ok());
}

/// If a root is a symlink, an absolute path may start with the path of the symlink or with that of
/// its target.
#[test]
fn symlinked_root_is_readable_by_both_names() {
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
    // A file in the root is found once, with one path.
    outer.file("real/deep/only.rs", "x\n");
    let reply = session.read("only.rs").unwrap();
    assert_eq!(reply.details.path, "deep/only.rs");
    let real = outer.path().join("real/a.txt").display().to_string();
    assert_eq!(session.read(&real).unwrap().details.path, "a.txt");
}

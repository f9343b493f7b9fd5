//! Deny rules: denied files are not readable by any path or in any race.

use omniread::{Dialect, Options, Reason, Session};
use omniread_tests::pack::{gzip, tar, tar_link, zip};
use omniread_tests::{Cli, Workspace};
#[cfg(target_os = "linux")]
use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

const CANARY: &str = "CANARY-4711";

fn denying(workspace: &Workspace, rules: &[&str]) -> Session {
    let builder = rules
        .iter()
        .fold(workspace.builder(), |builder, rule| builder.deny(*rule));
    builder.build().unwrap().session()
}

fn cli(workspace: &Workspace) -> Cli {
    Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path())
}

/// Reads a path, which must fail, and returns the reason and the hint of the failure.
fn refusal(session: &Session, path: &str) -> String {
    let failure = session.read(path).expect_err(path);
    format!("{:?}: {:?}", failure.reason, failure.hint)
}

/// A flag that is set when a test ends or panics, so that its other threads end.
#[cfg(target_os = "linux")]
#[derive(Default)]
struct Done(AtomicBool);

#[cfg(target_os = "linux")]
impl Done {
    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns a guard that sets the flag when it is dropped.
    fn at_the_end(&self) -> impl Drop {
        struct AtTheEnd<'d>(&'d Done);
        impl Drop for AtTheEnd<'_> {
            fn drop(&mut self) {
                self.0.0.store(true, Ordering::Relaxed);
            }
        }
        AtTheEnd(self)
    }
}

/// A symlink switches between an allowed and a denied file, while another file is renamed to the
/// path of the denied file.
///
/// When the deny rules are checked, the opened file may therefore have no path any more.
#[test]
#[cfg(target_os = "linux")]
fn file_replaced_by_rename_stays_denied() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let workspace = Workspace::new();
    workspace
        .file("free.txt", "free\n")
        .file("key.pem", CANARY)
        .link("one", "free.txt")
        .link("two", "key.pem");
    let session = denying(&workspace, &["*.pem"]);
    let root = workspace.path();
    let done = Done::default();
    let in_turns = |work: &(dyn Fn(&Path) + Sync)| {
        while !done.is_set() {
            work(&root);
        }
    };
    let read = std::thread::scope(|scope| {
        let _end = done.at_the_end();
        scope.spawn(|| {
            in_turns(&|root| {
                let (one, two) = (root.join("one"), root.join("two"));
                let _ = renameat_with(CWD, one, CWD, two, RenameFlags::EXCHANGE);
            });
        });
        scope.spawn(|| {
            in_turns(&|root| {
                let _ = std::fs::write(root.join("key.new"), CANARY);
                let _ = std::fs::rename(root.join("key.new"), root.join("key.pem"));
            });
        });
        let mut read = 0;
        for _ in 0..10_000 {
            match session.read("one") {
                Ok(reply) => {
                    read += 1;
                    assert!(!reply.text().contains(CANARY));
                }
                Err(failure) => assert!(!failure.text.contains(CANARY)),
            }
        }
        read
    });
    assert!(read > 0, "nothing was read at all");
}

#[test]
#[cfg(unix)]
fn link_into_a_denied_directory_does_not_reveal_its_names() {
    let workspace = Workspace::new();
    workspace
        .file("keys/id", CANARY)
        .directory("keys/deep")
        .link("keys/out", "../free.txt")
        .file("free.txt", "free\n")
        .link("exists", "keys/id")
        .link("missing", "keys/no-such")
        .link("folder", "keys")
        .link("nested", "folder/deep/../id")
        .link("nested-missing", "folder/none/../id");
    let session = denying(&workspace, &["/keys/"]);
    let refused = refusal(&session, "exists");
    assert!(refused.contains("Denied(\"/keys/\")"), "{refused}");
    for path in [
        "missing",
        "missing/below",
        "folder",
        "folder/id",
        "folder/no-such",
        "folder/deep/x",
        "folder/out",
        "nested",
        "nested-missing",
        "keys/no-such",
        "keys/deep/../no-such",
    ] {
        assert_eq!(refusal(&session, path), refused, "{path}");
    }
    assert!(session.read("free.txt").is_ok());
}

/// A rule whose path leads through a symlink denies that path and its target, even after the
/// symlink was changed.
#[test]
#[cfg(unix)]
fn rule_through_a_symlink_denies_its_target() {
    let workspace = Workspace::new();
    let secret = workspace.path().join("rel/42/config/s.yml");
    workspace
        .file("rel/42/config/s.yml", CANARY)
        .file("rel/43/config/s.yml", CANARY)
        .file("rel/42/open.txt", "open\n")
        .link("current", "rel/42")
        .link("absolute", workspace.path().join("rel/42"));
    for rule in [
        "current/config",
        "/current/config/s.yml",
        "absolute/config",
        "current/*/s.yml",
    ] {
        let session = denying(&workspace, &[rule]);
        for path in ["rel/42/config/s.yml", secret.to_str().unwrap()] {
            let failure = session.read(path).expect_err(path);
            assert!(
                matches!(&failure.reason, Reason::Denied(denied) if denied == rule),
                "{rule} {path}: {failure:?}"
            );
        }
        assert!(session.read("current/open.txt").is_ok(), "{rule}");
    }
    let session = denying(&workspace, &["current/config", "absolute/config"]);
    for link in ["current", "absolute"] {
        std::fs::remove_file(workspace.path().join(link)).unwrap();
    }
    workspace
        .link("current", "rel/43")
        .link("absolute", workspace.path().join("rel/43"));
    for path in [
        "current/config/s.yml",
        "absolute/config/s.yml",
        "rel/42/config/s.yml",
    ] {
        assert!(refusal(&session, path).contains("Denied"), "{path}");
    }
}

#[test]
#[cfg(unix)]
fn link_out_of_the_roots_with_deny_rules_is_reported() {
    let outside = Workspace::new();
    outside.file("f", CANARY);
    let workspace = Workspace::new();
    workspace.link("out", outside.path().join("f"));
    let session = denying(&workspace, &["*.pem"]);
    let failure = session.read("out").unwrap_err();
    assert!(
        matches!(failure.reason, Reason::LinkOutsideRoots(_)),
        "{failure:?}"
    );
}

#[test]
fn rule_outside_the_roots_is_a_usage_error() {
    let outside = Workspace::new();
    outside.file("secret/f", "");
    let workspace = Workspace::new();
    workspace.file("a.txt", "a\n");
    let rule = outside.path().join("secret").display().to_string();
    let above = workspace.path().join("..").display().to_string();
    for rule in [&rule, &above] {
        let run = cli(&workspace).run(&["--deny", rule, "a.txt"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{rule}");
        assert!(run.stderr.contains("outside the roots"), "{}", run.stderr);
    }
    // The rule is valid if its directory is a root.
    let outside = outside.path().display().to_string();
    let run = cli(&workspace).run(&["--root", ".", "--root", &outside, "--deny", &rule, "a.txt"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

/// Each kind of rule leaves the matching files and directories out of a listing.
#[test]
fn denied_entries_are_left_out_of_listings() {
    let workspace = Workspace::new();
    workspace
        .file("a.pem", "")
        .file("b.txt", "")
        .file("keys/id", "")
        .file("sub/c.pem", "")
        .file("sub/d.txt", "");
    for (rules, shown) in [
        (&["*.pem"][..], &["b.txt", "id", "d.txt"][..]),
        (&["keys/"], &["a.pem", "b.txt", "c.pem", "d.txt"]),
        (&["/sub/*.pem"], &["a.pem", "b.txt", "id", "d.txt"]),
        (&["sub"], &["a.pem", "b.txt", "id"]),
        (&["*.pem", "!a.pem", "/keys/"], &["a.pem", "b.txt", "d.txt"]),
        // A slash at the end of a rule does not restrict it to directories.
        (&["b.txt/"], &["a.pem", "id", "c.pem", "d.txt"]),
    ] {
        let text = denying(&workspace, rules).read(".").unwrap().text();
        for name in ["a.pem", "b.txt", "id", "c.pem", "d.txt"] {
            let listed = text.contains(&format!("- {name}"));
            assert_eq!(listed, shown.contains(&name), "{rules:?} {name}\n{text}");
        }
    }
    let session = denying(&workspace, &["b.txt/"]);
    assert!(refusal(&session, "b.txt").contains("Denied(\"b.txt/\")"));
}

/// The dialect `gemini` refuses a file if an ignore file matches its resolved path, even if that
/// path is not UTF-8.
#[test]
#[cfg(target_os = "linux")]
fn ignored_file_via_a_swapped_link_is_not_read() {
    use std::os::unix::ffi::OsStrExt as _;
    ignored_file_is_not_read(std::ffi::OsStr::new("secret.txt"));
    ignored_file_is_not_read(std::ffi::OsStr::from_bytes(b"secret\xff.txt"));
}

#[cfg(target_os = "linux")]
fn ignored_file_is_not_read(secret: &std::ffi::OsStr) {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let workspace = Workspace::new();
    workspace
        .file(".geminiignore", "secret*\n")
        .file("free.txt", "free\n")
        .link("one", "free.txt")
        .link("two", secret);
    std::fs::write(workspace.path().join(secret), CANARY).unwrap();
    let session = omniread_tests::builder()
        .root(workspace.path())
        .build()
        .unwrap()
        .session();
    let root = workspace.path();
    let call = format!(r#"{{"absolute_path": "{}"}}"#, root.join("one").display());
    let done = Done::default();
    let read = std::thread::scope(|scope| {
        let _end = done.at_the_end();
        scope.spawn(|| {
            while !done.is_set() {
                let (one, two) = (root.join("one"), root.join("two"));
                let _ = renameat_with(CWD, one, CWD, two, RenameFlags::EXCHANGE);
            }
        });
        let mut read = 0;
        for _ in 0..5000 {
            match session.call(Dialect::Gemini, &call, &Options::default()) {
                Ok(reply) => {
                    read += 1;
                    assert!(!reply.text().contains(CANARY));
                }
                Err(failure) => assert!(!failure.text.contains(CANARY)),
            }
        }
        read
    });
    assert!(read > 0, "nothing was read at all");
}

/// A compressed file is denied like its content, and a name in both of its Unicode forms.
#[test]
fn names_of_contents_and_other_forms_are_denied() {
    let workspace = Workspace::new();
    let secret = gzip(CANARY.as_bytes());
    workspace
        .file("key.pem.gz", secret.clone())
        .file("key.pem.GZ", secret.clone())
        .file("key.tar.gz", gzip(&tar(&[("a.txt", b"one\n")])))
        .file("nested.zip", zip(&[("x/key.pem.gz", &secret)]))
        .file("re\u{301}sume\u{301}", CANARY)
        .file("sub/r\u{e9}sum\u{e9}", CANARY)
        .file("a.txt.gz", gzip(b"free\n"));
    let session = denying(&workspace, &["*.pem", "r\u{e9}sum\u{e9}"]);
    for path in [
        "key.pem.gz",
        "key.pem.gz:raw",
        "key.pem.gz:1-3",
        "key.pem.GZ",
        "nested.zip:x/key.pem.gz",
        "re\u{301}sume\u{301}",
        "sub/r\u{e9}sum\u{e9}",
    ] {
        let failure = session.read(path).expect_err(path);
        assert!(
            matches!(failure.reason, Reason::Denied(_)),
            "{path}: {failure:?}"
        );
    }
    assert!(session.read("a.txt.gz").unwrap().text().contains("free"));
    assert!(session.read("key.tar.gz:a.txt").is_ok());
    let session = denying(&workspace, &["re\u{301}sume\u{301}"]);
    assert!(session.read("sub/r\u{e9}sum\u{e9}").is_err());
}

/// Files of `/proc` with the secrets of processes are denied without a rule.
#[test]
#[cfg(target_os = "linux")]
fn secrets_of_processes_are_denied() {
    let workspace = Workspace::new();
    workspace.link("link", "/proc/self/environ");
    let builder = omniread_tests::builder().root("/");
    let session = builder.build().unwrap().session();
    let link = workspace.path().join("link").display().to_string();
    for path in [
        "/proc/self/environ",
        "/proc/thread-self/environ",
        "/proc/self/cmdline",
        "/proc/self/auxv",
        "/proc/1/environ",
        &link,
    ] {
        let failure = session.read(path).expect_err(path);
        assert!(
            matches!(failure.reason, Reason::Denied(_) | Reason::Permission(_)),
            "{path}: {failure:?}"
        );
    }
    assert!(session.read("/proc/self/status").is_ok());
}

/// Deny rules that have no slash, except at their end, also deny members of archives,
/// whichever dialect (`--dialect`) formats the reply.
#[test]
fn member_with_a_denied_name_is_refused_and_not_listed() {
    let workspace = Workspace::new();
    let inner = zip(&[("x/deep.pem", CANARY.as_bytes()), ("y.txt", b"y\n")]);
    let members: [(&str, &[u8]); 5] = [
        ("open.txt", b"open\n"),
        ("key.pem", CANARY.as_bytes()),
        ("home/.ssh/id", CANARY.as_bytes()),
        ("keys/plain", b"plain\n"),
        ("inner.zip", &inner),
    ];
    let mut links = tar(&members);
    for (name, target) in [
        ("soft.txt", "key.pem"),
        ("l1", "key.pem"),
        ("50-60", "home/.ssh/id"),
        ("twice", "soft.txt"),
        ("through", "home/.ssh"),
        ("nowhere", "missing.pem"),
        ("free", "open.txt"),
    ] {
        // The end of an archive is two empty blocks.
        links.truncate(links.len() - 1024);
        links.extend(tar_link(name, target));
    }
    workspace
        .file("a.zip", zip(&members))
        .file("a.tar", tar(&members))
        .file("links.tar", links);
    let session = denying(&workspace, &["*.pem", ".ssh/", "/keys/"]);
    workspace.file(
        "backslashes.zip",
        zip(&[(r"app\key.pem", CANARY.as_bytes()), (r"x\.ssh\id", b"id\n")]),
    );
    for member in [
        r"app\key.pem",
        "app/key.pem",
        r"x\.ssh\id",
        "x/.ssh/id",
        r"x/.ssh\id",
    ] {
        let path = format!("backslashes.zip:{member}");
        let failure = session.read(&path).expect_err(&path);
        assert!(matches!(failure.reason, Reason::Denied(_)), "{failure:?}");
    }
    for path in [
        "links.tar:soft.txt",
        // Links whose names are selectors, through another link, and to a denied directory.
        "links.tar:l1",
        "links.tar:50-60",
        "links.tar:twice",
        "links.tar:through/id",
        "links.tar:through",
        "links.tar:nowhere",
    ] {
        let failure = session.read(path).expect_err(path);
        assert!(
            matches!(failure.reason, Reason::Denied(_)),
            "{path}: {failure:?}"
        );
    }
    assert!(session.read("links.tar:free").is_ok());
    for archive in ["a.zip", "a.tar"] {
        for member in [
            "key.pem",
            "KEY.pem",
            "missing.pem",
            "home/.ssh/id",
            "home/.ssh",
            "home/.ssh/missing",
            "inner.zip:x/deep.pem",
            "key.pem:raw",
        ] {
            let path = format!("{archive}:{member}");
            let failure = session.read(&path).expect_err(&path);
            assert!(
                matches!(failure.reason, Reason::Denied(_)),
                "{path}: {failure:?}"
            );
        }
        let reply = session.read(archive).unwrap();
        let text = reply.text();
        assert!(
            text.contains("open.txt") && text.contains("keys/"),
            "{text}"
        );
        assert!(!text.contains("key.pem"), "{text}");
        assert!(text.contains("2 members hidden by deny rules"), "{text}");
        assert_eq!(reply.details.denied_entries(), 2);
        for member in ["open.txt", "keys/plain", "inner.zip:y.txt"] {
            assert!(session.read(format!("{archive}:{member}")).is_ok());
        }
        for (dialect, argument) in [
            (Dialect::Gateway, "filePath"),
            (Dialect::Comma, "path"),
            (Dialect::Gemini, "absolute_path"),
            (Dialect::Claude, "file_path"),
        ] {
            let options = Options {
                absolute: true,
                ..Options::default()
            };
            let path = workspace.path().join(archive);
            let call = format!(r#"{{"{argument}": "{}:key.pem"}}"#, path.display());
            let failure = session.call(dialect, &call, &options).unwrap_err();
            assert!(!failure.text.contains(CANARY), "{}", failure.text);
            assert!(matches!(failure.reason, Reason::Denied(_)), "{failure:?}");
        }
    }
}

//! Directories that are mounted for the schemes of internal URLs, on a real file system.

use omniread::{BuildError, Reason, Session};
use omniread_tests::{Workspace, pack};
use std::path::{Path, PathBuf};

/// A workspace, and next to its root a directory for each scheme.
struct Mounts {
    workspace: Workspace,
    outside: Workspace,
}

impl Mounts {
    fn new() -> Self {
        Self {
            workspace: Workspace::new(),
            outside: Workspace::new(),
        }
    }

    /// Writes a file, whose path starts with a scheme.
    fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        self.outside.file(path, content);
        self
    }

    fn directory(&self, scheme: &str) -> PathBuf {
        self.outside.path().join(scheme)
    }

    fn session(&self, schemes: &[&str], deny: &[&str]) -> Session {
        let mut builder = self.workspace.builder();
        for scheme in schemes {
            builder = builder.mount(*scheme, self.directory(scheme));
        }
        for rule in deny {
            builder = builder.deny(rule);
        }
        builder.build().unwrap().session()
    }
}

fn text(session: &Session, path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    match session.read(path) {
        Ok(reply) => reply.text(),
        Err(failure) => panic!("{}: {failure}", path.display()),
    }
}

#[test]
fn resources_are_read_like_files() {
    let mounts = Mounts::new();
    mounts
        .file("docs/guide.md", "# Guide\n\ntext\n")
        .file("docs/table.csv", "id,name\n1,ann\n2,bob\n")
        .file(
            "docs/long.txt",
            (1..=2000).map(|n| format!("{n}\n")).collect::<String>(),
        );
    let session = mounts.session(&["docs"], &[]);
    assert!(text(&session, "docs://guide.md#guide").contains("# Guide"));
    assert!(text(&session, "docs://table.csv?where=id>1").contains("bob"));
    let page = session.read("docs://long.txt").unwrap();
    assert_eq!(page.details.next.as_deref(), Some("docs://long.txt:301"));
    assert!(text(&session, "docs://long.txt:-1").contains("2000"));
    let listing = session.read("docs://").unwrap();
    assert!(listing.text().contains("- guide.md"));
}

#[test]
fn archives_and_databases_are_read_in_mounts() {
    let mounts = Mounts::new();
    let archive = pack::zip(&[("a.md", b"in the archive\n")]);
    mounts.file("local/notes.zip", archive);
    let session = mounts.session(&["local"], &[]);
    assert!(text(&session, "local://notes.zip:a.md").contains("in the archive"));
    let examples = omniread_tests::project().join("examples/app.db");
    mounts.file("local/app.db", std::fs::read(examples).unwrap());
    assert!(text(&session, "local://app.db:users:7").contains("Grace"));
    assert!(
        text(
            &session,
            "local://app.db?q=SELECT name FROM users WHERE id = 7"
        )
        .contains("Grace")
    );
}

#[test]
fn only_local_files_can_be_edited() {
    let mounts = Mounts::new();
    mounts
        .file("local/plan.md", "step\n")
        .file("docs/plan.md", "step\n");
    let session = mounts.session(&["local", "docs"], &[]);
    let local = session.read("local://plan.md").unwrap();
    let file = mounts
        .directory("local")
        .join("plan.md")
        .canonicalize()
        .unwrap();
    assert!(local.text().starts_with("[local://plan.md#"));
    assert_eq!(Some(local.details.resolved_path.as_str()), file.to_str());
    assert!(session.snapshot(&file).is_some());
    let docs = session.read("docs://plan.md").unwrap();
    assert!(!docs.text().contains('#'));
}

#[test]
fn no_other_path_reads_a_mount() {
    let mounts = Mounts::new();
    mounts.file("docs/secret.md", "secret\n");
    let session = mounts.session(&["docs"], &[]);
    let directory = mounts.directory("docs");
    for path in [
        directory.join("secret.md"),
        PathBuf::from("secret.md"),
        PathBuf::from("docs:/secret.md"),
        PathBuf::from("file://docs/secret.md"),
    ] {
        let failure = session.read(&path).unwrap_err();
        assert!(
            !failure.to_string().contains("secret\n"),
            "{}",
            path.display()
        );
    }
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_a_mount() {
    let mounts = Mounts::new();
    mounts.workspace.file("in-root.md", "in the root\n");
    mounts
        .file("docs/a/real.md", "real\n")
        .file("elsewhere/x.md", "elsewhere\n");
    let root = mounts.workspace.path();
    let docs = mounts.directory("docs");
    for (name, target) in [
        ("absolute", root.join("in-root.md")),
        ("passwd", PathBuf::from("/etc/passwd")),
        ("relative", PathBuf::from("../elsewhere/x.md")),
        ("directory", PathBuf::from("../elsewhere")),
    ] {
        std::os::unix::fs::symlink(target, docs.join(name)).unwrap();
    }
    std::os::unix::fs::symlink("a/real.md", docs.join("inside")).unwrap();
    std::os::unix::fs::symlink(
        docs.canonicalize().unwrap().join("a/real.md"),
        docs.join("own"),
    )
    .unwrap();
    let session = mounts.session(&["docs"], &[]);
    for name in ["absolute", "passwd", "relative", "directory/x.md"] {
        let failure = session.read(format!("docs://{name}")).unwrap_err();
        assert!(
            matches!(
                failure.reason,
                Reason::LinkOutsideRoots(_) | Reason::OutsideRoots(_)
            ),
            "{name}: {failure}"
        );
    }
    for name in ["inside", "own"] {
        assert_eq!(text(&session, format!("docs://{name}")), "real", "{name}");
    }
}

#[test]
fn deny_rules_apply_in_mounts() {
    let mounts = Mounts::new();
    mounts
        .file("skill/open/SKILL.md", "---\ndescription: open\n---\n")
        .file("skill/open/key.pem", "key\n")
        .file("skill/closed/SKILL.md", "---\ndescription: closed\n---\n");
    let session = mounts.session(&["skill"], &["*.pem", "closed"]);
    for path in ["skill://open/key.pem", "skill://closed"] {
        let failure = session.read(path).unwrap_err();
        assert!(
            matches!(failure.reason, Reason::Denied(_)),
            "{path}: {failure}"
        );
    }
    let list = text(&session, "skill://");
    assert!(list.starts_with("open: open\n"), "{list}");
    assert!(!list.contains("closed"), "{list}");
    assert!(list.contains("1 entry hidden by deny rules"), "{list}");
}

#[test]
fn several_directories_of_a_scheme_are_searched_in_order() {
    let mounts = Mounts::new();
    mounts
        .file("one/a/SKILL.md", "---\ndescription: first\n---\n")
        .file("two/a/SKILL.md", "---\ndescription: second\n---\n")
        .file("two/b/SKILL.md", "---\ndescription: third\n---\n");
    let reader = mounts
        .workspace
        .builder()
        .mount("skill", mounts.directory("one"))
        .mount("skill", mounts.directory("two"));
    let session = reader.build().unwrap().session();
    let hidden = "[skills that are also in a later directory, where they are not read: `a`]";
    let expected = format!("a: first\nb: third\n\n{hidden}");
    assert_eq!(text(&session, "skill://"), expected);
    assert!(text(&session, "skill://a").contains("first"));
    assert!(text(&session, "skill://b").contains("third"));
}

#[test]
fn schemes_that_the_reader_handles_cannot_be_mounted() {
    let mounts = Mounts::new();
    mounts.file("docs/a.md", "a\n");
    for scheme in ["file", "http", "https", "x", "Docs", "1a", ""] {
        let builder = mounts.workspace.builder();
        let error = builder
            .mount(scheme, mounts.directory("docs"))
            .build()
            .unwrap_err();
        assert!(matches!(error, BuildError::Scheme(_)), "{scheme}: {error}");
    }
    let missing = mounts
        .workspace
        .builder()
        .mount("docs", mounts.directory("none"));
    assert!(matches!(missing.build(), Err(BuildError::Policy(_))));
}

#[test]
fn definitions_name_the_schemes() {
    let mounts = Mounts::new();
    mounts.file("skill/a/SKILL.md", "---\ndescription: a\n---\n");
    let reader = mounts
        .workspace
        .builder()
        .mount("skill", mounts.directory("skill"));
    let definitions = reader.build().unwrap().definitions().unwrap();
    assert!(
        definitions
            .iter()
            .all(|tool| tool.description.contains("`skill://…`"))
    );
}

//! Several directories of one scheme, rules for one of them, hostile names in them, completion in them, and
//! the built-in guide, which a mount replaces.

use omniread::{Reader, Reason, Session};
use omniread_tests::{Workspace, text};
use std::path::PathBuf;

/// A workspace with the mounts `one` and `two`, which are next to its root.
struct Two {
    workspace: Workspace,
    outside: Workspace,
}

impl Two {
    fn new() -> Self {
        Self {
            workspace: Workspace::new(),
            outside: Workspace::new(),
        }
    }

    fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        self.outside.file(path, content);
        self
    }

    fn directory(&self, name: &str) -> PathBuf {
        self.outside.path().join(name).canonicalize().unwrap()
    }

    fn reader(&self, scheme: &str, deny: &[String]) -> Reader {
        let mut builder = self.workspace.builder();
        for name in ["one", "two"] {
            builder = builder.mount(scheme, self.directory(name));
        }
        for rule in deny {
            builder = builder.deny(rule);
        }
        builder.build().unwrap()
    }

    fn session(&self, scheme: &str) -> Session {
        self.reader(scheme, &[]).session()
    }
}

#[test]
fn listing_has_the_entries_of_all_directories_and_names_hidden_ones() {
    let two = Two::new();
    two.file("one/a.md", "first\n")
        .file("one/sub/x.md", "x of one\n")
        .file("two/a.md", "hidden\n")
        .file("two/b.md", "second\n")
        .file("two/sub/y.md", "y of two\n");
    let session = two.session("docs");
    let reply = session.read("docs://").unwrap();
    let list = reply.text();
    for name in ["- a.md", "- b.md", "- sub/", "- x.md", "- y.md"] {
        assert_eq!(list.matches(name).count(), 1, "{name}: {list}");
    }
    let note = "`a.md` is also in directory 2 of `docs://`";
    assert!(list.contains(note), "{list}");
    let sub = text(&session, "docs://sub/");
    assert!(sub.contains("- x.md") && sub.contains("- y.md"), "{sub}");
    assert_eq!(text(&session, "docs://a.md"), "first");
    assert_eq!(text(&session, "docs://sub/y.md"), "y of two");
}

#[test]
fn skill_of_a_later_directory_is_named_in_a_note() {
    let two = Two::new();
    two.file("one/a/SKILL.md", "---\ndescription: first\n---\n")
        .file("two/a/SKILL.md", "---\ndescription: second\n---\n")
        .file("two/b/SKILL.md", "---\ndescription: third\n---\n");
    let list = text(&two.session("skill"), "skill://");
    assert!(list.starts_with("a: first\nb: third"), "{list}");
    assert!(
        list.contains("also in a later directory, where they are not read: `a`"),
        "{list}"
    );
}

#[test]
fn absolute_rule_denies_one_path_and_not_the_same_path_elsewhere() {
    let two = Two::new();
    two.workspace.file("sub/secret.md", "in the root\n");
    two.file("one/sub/secret.md", "one\n")
        .file("one/sub/other.md", "other\n")
        .file("two/sub/secret.md", "two\n");
    let rule = |path: PathBuf| path.display().to_string();
    for rule in [
        rule(two.directory("one").join("sub/secret.md")),
        rule(two.directory("one").join("sub/sec*")),
        rule(two.outside.path().join("one/sub/secret.md")),
    ] {
        let session = two.reader("docs", std::slice::from_ref(&rule)).session();
        let failure = session.read("docs://sub/secret.md").unwrap_err();
        assert!(
            matches!(failure.reason, Reason::Denied(_)),
            "{rule}: {failure}"
        );
        assert_eq!(text(&session, "docs://sub/other.md"), "other");
        assert!(
            text(&session, "sub/secret.md").contains("in the root"),
            "{rule}"
        );
    }
    // A rule of the root does not deny the file of a mount, and one of the second mount not the first.
    for rule in [
        rule(
            two.workspace
                .path()
                .canonicalize()
                .unwrap()
                .join("sub/secret.md"),
        ),
        rule(two.directory("two").join("sub/secret.md")),
    ] {
        let session = two.reader("docs", std::slice::from_ref(&rule)).session();
        assert_eq!(text(&session, "docs://sub/secret.md"), "one", "{rule}");
    }
    // Relative rules still apply everywhere, and a later absolute exception only at its path.
    let exception = format!("!{}", two.directory("one").join("sub/secret.md").display());
    let session = two
        .reader("docs", &["secret.md".to_owned(), exception])
        .session();
    assert_eq!(text(&session, "docs://sub/secret.md"), "one");
    assert!(matches!(
        session.read("sub/secret.md").unwrap_err().reason,
        Reason::Denied(_)
    ));
}

#[test]
fn messages_of_mounts_do_not_speak_of_roots() {
    let two = Two::new();
    two.file("one/a.md", "a\n").file("two/b.md", "b\n");
    let session = two.session("docs");
    for path in [
        "docs://../x",
        "docs:///etc/passwd",
        "docs://a/../../x",
        "docs://%2e%2e/x",
        "docs://%2Fetc/passwd",
        "docs://..%2fx",
        "docs://..\\x",
        "docs://%5c..%5cx",
        "docs://none.md",
    ] {
        let failure = session.read(path).unwrap_err();
        let message = format!("{failure:#}");
        assert!(!message.contains("root"), "{path}: {message}");
        if path != "docs://none.md" {
            assert!(
                matches!(failure.reason, Reason::OutsideRoots(_)),
                "{path}: {failure:?}"
            );
        }
    }
    let missing = two
        .workspace
        .builder()
        .mount("docs", two.outside.path().join("none"));
    let message = missing.build().unwrap_err().to_string();
    assert!(message.starts_with("cannot mount"), "{message}");
    assert!(
        message.contains("`docs://`") && !message.contains("as a root"),
        "{message}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn hostile_names_are_shown_escaped_and_cannot_leave_the_listing() {
    use std::os::unix::ffi::OsStringExt as _;
    let two = Two::new();
    two.file("one/a\nb: injected.md", "newline\n")
        .file("one/e\u{1b}[31m.md", "escape\n")
        .file(
            "one/skill\nx: injected/SKILL.md",
            "---\ndescription: d\n---\n",
        )
        .file("two/c.md", "c\n");
    let raw = std::ffi::OsString::from_vec(b"bad\xff.md".to_vec());
    std::fs::write(two.directory("one").join(raw), "x\n").unwrap();
    let list = text(&two.session("docs"), "docs://");
    assert!(
        !list.contains('\u{1b}') && !list.contains("\nb: injected"),
        "{list}"
    );
    assert!(list.contains("not UTF-8"), "{list}");
    assert!(list.contains("- c.md"), "{list}");
    let skills = text(&two.session("skill"), "skill://");
    assert!(!skills.contains("\nx: injected"), "{skills}");
    let session = two.session("docs");
    assert_eq!(text(&session, "docs://a\nb: injected.md"), "newline");
    assert!(session.read("docs://bad\u{fffd}.md").is_err());
}

#[test]
fn mount_with_many_entries_is_listed_in_part_and_says_so() {
    let two = Two::new();
    two.file("two/late.md", "late\n")
        .file("one/known.md", "known\n");
    let one = two.directory("one");
    for n in 0..100_000 {
        std::fs::File::create(one.join(format!("{n:06}"))).unwrap();
    }
    let reader = two.reader("docs", &[]);
    let session = reader.session();
    let list = text(&session, "docs://");
    assert!(list.contains("100002 entries"), "{list}");
    assert!(list.len() < 100_000);
    assert_eq!(text(&session, "docs://late.md"), "late");
    assert!(reader.complete("docs://", 7).len() == 7);
    let failure = session.read("docs://knwon.md").unwrap_err();
    assert!(matches!(failure.reason, Reason::NotFound(_)), "{failure}");
}

#[test]
fn front_matter_that_is_long_or_wrong_is_read_leniently() {
    let two = Two::new();
    let long = format!(
        "---\ndescription: long\npadding: {}\n---\n",
        "x".repeat(10 << 20)
    );
    let late = format!(
        "---\npadding: {}\ndescription: late\n---\n",
        "x".repeat(10 << 20)
    );
    two.file("one/long/SKILL.md", long)
        .file("one/late/SKILL.md", late)
        .file(
            "one/tabs/SKILL.md",
            "---\n\tdescription: [a, {b\nx: *none\n---\n",
        )
        .file("one/open/SKILL.md", "---\ndescription: never closed\n")
        .file(
            "one/odd/SKILL.md",
            "---\ndescription: \"a\\qb\n: : :\n- ]\n---\n",
        )
        .file(
            "one/bytes/SKILL.md",
            b"---\ndescription: \xff\xfe bytes\n---\n",
        )
        .file("two/x.md", "");
    let list = text(&two.session("skill"), "skill://");
    assert!(list.contains("long: long"), "{list}");
    assert!(
        list.contains("without a description") && list.contains("`late`"),
        "{list}"
    );
    assert!(list.len() < 10_000, "{}", list.len());
}

#[test]
fn names_in_mounts_are_completed() {
    let two = Two::new();
    two.file("one/plan.md", "")
        .file("one/pdf/SKILL.md", "---\ndescription: d\n---\n")
        .file("one/pdf/forms.md", "")
        .file("one/.env", "")
        .file("two/parts.md", "")
        .file("two/plan.md", "");
    let deny = [".env".to_owned()];
    let complete = |scheme: &str, path: &str| two.reader(scheme, &deny).complete(path, 9);
    assert_eq!(complete("docs", "docs://pl"), ["docs://plan.md"]);
    assert_eq!(
        complete("docs", "docs://"),
        ["docs://parts.md", "docs://pdf/", "docs://plan.md"]
    );
    assert_eq!(complete("docs", "docs://pdf/f"), ["docs://pdf/forms.md"]);
    assert_eq!(complete("skill", "skill://pd"), ["skill://pdf"]);
    assert_eq!(complete("skill", "skill://pdf/f"), ["skill://pdf/forms.md"]);
    assert_eq!(complete("rule", "rule://pl"), ["rule://plan"]);
    assert_eq!(
        complete("memory", "memory://"),
        ["memory://root", "memory://root/"]
    );
    assert_eq!(
        complete("memory", "memory://root/pl"),
        ["memory://root/plan.md"]
    );
    for outside in ["docs://../", "docs:///", "docs://pdf/../../", "other://"] {
        assert!(complete("docs", outside).is_empty(), "{outside}");
    }
}

#[test]
fn guide_is_read_without_a_mount_and_replaced_by_one() {
    let two = Two::new();
    let session = two.workspace.session();
    let list = text(&session, "omp://");
    let pages: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|line| line.0)
        .collect();
    assert!(pages.len() > 10, "{list}");
    for page in pages {
        let shown = text(&session, page);
        assert!(shown.contains("# "), "{page}: {shown}");
    }
    let tables = session.read("omp://tables.md").unwrap();
    assert!(!tables.text().starts_with('['));
    assert!(text(&session, "omp://tables").contains('#'));
    let failure = session.read("omp://paths.md").unwrap_err();
    assert!(
        matches!(&failure.reason, Reason::NotFound(similar) if similar.iter().any(|url| url == "omp://paths-and-selectors.md")),
        "{failure:?}"
    );
    two.file("one/own.md", "own\n").file("two/x.md", "");
    let session = two.session("omp");
    assert!(text(&session, "omp://").contains("- own.md"));
    assert!(session.read("omp://tables.md").is_err());
}

//! Files at revisions of git repositories, which git itself makes.

use omniread::{Dialect, Failure, Options, Reason, Session};
use omniread_tests::{Workspace, pack};
use std::path::Path;
use std::process::Command;

/// A repository in a workspace.
struct Repository {
    workspace: Workspace,
}

impl Repository {
    /// A repository with one commit of some files.
    fn new(files: &[(&str, &[u8])]) -> Self {
        let repository = Self {
            workspace: Workspace::new(),
        };
        repository.git(&["init", "-q", "-b", "main", "."]);
        repository.commit(files, "The first commit");
        repository
    }

    /// Runs git without the settings of the user, and returns the first line of its output.
    fn git(&self, arguments: &[&str]) -> String {
        git(&self.workspace.path(), arguments)
    }

    fn commit(&self, files: &[(&str, &[u8])], message: &str) {
        for (name, content) in files {
            self.workspace.file(name, content);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn session(&self, deny: &[&str]) -> Session {
        let mut builder = self.workspace.builder();
        for rule in deny {
            builder = builder.deny(rule);
        }
        builder.build().unwrap().session()
    }

    fn text(&self, path: &str) -> String {
        match self.session(&[]).read(path) {
            Ok(reply) => reply.text(),
            Err(failure) => panic!("{path}: {failure}"),
        }
    }

    fn failure(&self, path: &str) -> Failure {
        refused(&self.session(&[]), path)
    }
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(directory)
        .envs([
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_AUTHOR_NAME", "Ann"),
            ("GIT_AUTHOR_EMAIL", "ann@example.com"),
            ("GIT_AUTHOR_DATE", "2026-01-02T12:00:00Z"),
            ("GIT_COMMITTER_NAME", "Ann"),
            ("GIT_COMMITTER_EMAIL", "ann@example.com"),
            ("GIT_COMMITTER_DATE", "2026-01-02T12:00:00Z"),
        ])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {errors}");
    let output = String::from_utf8_lossy(&output.stdout);
    output.lines().next().unwrap_or_default().to_owned()
}

fn refused(session: &Session, path: &str) -> Failure {
    match session.read(path) {
        Ok(reply) => panic!("{path} is read: {}", reply.text()),
        Err(failure) => failure,
    }
}

/// The reply without its notices.
fn content(text: &str) -> &str {
    text.split("\n\n[").next().unwrap()
}

#[test]
fn both_forms_read_a_file_at_a_revision() {
    let repository = Repository::new(&[("src/a.txt", b"one\ntwo\nthree\n")]);
    repository.git(&["tag", "v1"]);
    repository.git(&["branch", "feature/x"]);
    repository.commit(&[("src/a.txt", b"new\n")], "The second commit");
    for path in [
        "src/a.txt@HEAD~1",
        "src/a.txt@v1",
        "src/a.txt@feature/x",
        "./src/a.txt@v1",
        "git://HEAD~1/src/a.txt",
        "git://feature/x/src/a.txt",
        "GIT://v1/src/a.txt",
        "git://v1//src/./a.txt",
    ] {
        let text = repository.text(path);
        assert_eq!(content(&text), "one\ntwo\nthree", "{path}");
        assert!(text.contains("of 2026-01-02: The first commit"), "{text}");
    }
    let absolute = repository.workspace.path().join("src/a.txt@main");
    assert_eq!(content(&repository.text(absolute.to_str().unwrap())), "new");
    let id = repository.git(&["rev-parse", "v1"]);
    for digits in [&id, &id[..8]] {
        let text = repository.text(&format!("src/a.txt@{digits}:2-2:raw"));
        assert!(text.starts_with("two\n"), "{text}");
    }
    assert!(
        repository
            .text("git://v1/src/a.txt:3:raw")
            .starts_with("three\n")
    );
    // The file in the work tree is read as before.
    assert!(repository.text("src/a.txt").contains("1:new"));
}

#[test]
fn packed_repositories_are_read_as_loose_ones() {
    let long: String = (0..500).map(|line| format!("line {line}\n")).collect();
    let repository = Repository::new(&[("a.txt", long.as_bytes())]);
    for number in 0..5 {
        let changed = long.replace("line 7\n", &format!("number {number}\n"));
        repository.commit(&[("a.txt", changed.as_bytes())], "another");
    }
    let before = repository.text("a.txt@HEAD~2:8-8:raw");
    repository.git(&["gc", "-q", "--prune=now"]);
    assert!(before.starts_with("number 2\n"), "{before}");
    assert_eq!(repository.text("a.txt@HEAD~2:8-8:raw"), before);
}

#[test]
fn a_file_with_exactly_this_name_comes_first() {
    let repository = Repository::new(&[("a.txt", b"at main\n"), ("a.txt@main", b"literal\n")]);
    assert!(repository.text("a.txt@main").contains("literal"));
    assert_eq!(content(&repository.text("a.txt@main@main")), "literal");
    assert_eq!(content(&repository.text("git://main/a.txt")), "at main");
}

#[test]
fn names_with_signs_are_not_revisions() {
    let repository = Repository::new(&[("logo.png", b"x"), ("@types/node.d.ts", b"declare\n")]);
    let failure = repository.failure("logo@2x.png");
    assert!(
        failure.message.contains("Path 'logo@2x.png' not found"),
        "{failure}"
    );
    assert_eq!(
        content(&repository.text("@types/node.d.ts@HEAD")),
        "declare"
    );
    let failure = repository.failure("logo.png@2x");
    assert!(
        failure.message.contains("there is no revision `2x`"),
        "{failure}"
    );
    let without = Workspace::new();
    without.file("a.txt", "a\n");
    let failure = refused(&without.session(), "a.txt@HEAD");
    assert!(
        failure.message.contains("not in a git repository"),
        "{failure}"
    );
    assert!(matches!(
        refused(&without.session(), "git://HEAD/a").reason,
        Reason::NotFound(_)
    ));
}

#[test]
fn containers_and_documents_are_read_in_a_revision() {
    let zip = pack::zip(&[("dir/b.txt", b"in a zip\n")]);
    let repository = Repository::new(&[("a.zip", &zip), ("t.csv", b"id,name\n1,ann\n2,bob\n")]);
    repository.git(&["rm", "-q", "-r", "."]);
    repository.commit(&[("other", b"x")], "without them");
    assert_eq!(
        content(&repository.text("a.zip@HEAD~1:dir/b.txt")),
        "in a zip"
    );
    assert_eq!(
        content(&repository.text("git://HEAD~1/a.zip:dir/b.txt")),
        "in a zip"
    );
    assert!(
        repository
            .text("t.csv@HEAD~1?where=id=2")
            .contains("|2|bob|")
    );
    assert!(repository.text("git://HEAD~1/t.csv:").contains("|1|ann|"));
}

#[test]
fn directories_and_names_are_listed() {
    let repository = Repository::new(&[
        ("src/a.rs", b"12345"),
        ("src/deep/b.rs", b"b"),
        ("top", b""),
    ]);
    repository.git(&["tag", "-a", "v1", "-m", "one"]);
    repository.git(&["branch", "feature/x"]);
    for path in ["git://main/", "git://main", ".@main", "git://main/."] {
        let text = repository.text(path);
        for part in ["src/", "a.rs", "5B", "deep/", "top"] {
            assert!(text.contains(part), "{path}: {text}");
        }
    }
    for path in ["git://v1/src", "git://v1/src/", "src@v1", "src/@v1"] {
        let text = repository.text(path);
        assert!(
            text.contains("b.rs") && !text.contains("top"),
            "{path}: {text}"
        );
    }
    let names = repository.text("git://");
    for part in [
        "HEAD is the branch main",
        "git://feature/x/",
        "git://v1/",
        "Tags:",
    ] {
        assert!(names.contains(part), "{names}");
    }
}

#[test]
fn a_diff_compares_with_the_work_tree() {
    let repository = Repository::new(&[("a.txt", b"one\ntwo\n"), ("b.bin", b"\0\x01")]);
    assert_eq!(
        content(&repository.text("a.txt@HEAD:diff")),
        "(no differences)"
    );
    repository
        .workspace
        .file("a.txt", "one\n2\n")
        .file("b.bin", b"\0\x02");
    for path in ["a.txt@HEAD:diff", "git://HEAD/a.txt:diff"] {
        let text = repository.text(path);
        let expected = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2";
        assert_eq!(content(&text), expected, "{path}");
    }
    assert!(
        repository
            .text("a.txt@HEAD:diff:1-1:raw")
            .starts_with("--- a/a.txt\n")
    );
    assert_eq!(
        content(&repository.text("b.bin@HEAD:diff")),
        "Binary files a/b.bin and b/b.bin differ"
    );
    std::fs::remove_file(repository.workspace.path().join("a.txt")).unwrap();
    let text = repository.text("a.txt@HEAD:diff");
    assert!(
        text.contains("+++ /dev/null") && text.contains("does not exist in the work tree"),
        "{text}"
    );
    let failure = repository.failure("git://HEAD/:diff");
    assert!(
        matches!(failure.reason, Reason::Unsupported(_)),
        "{failure}"
    );
}

#[test]
fn what_does_not_exist_has_similar_names() {
    let repository = Repository::new(&[("src/library.rs", b"x\n")]);
    repository.git(&["branch", "feature/search"]);
    for (path, similar) in [
        ("src/libary.rs@main", "src/library.rs@main"),
        ("git://main/src/libary.rs:5", "git://main/src/library.rs"),
        ("git://main/srcs/library.rs", "git://main/src/library.rs"),
        ("git://feature/serch/src", "feature/search"),
    ] {
        let failure = repository.failure(path);
        assert!(
            matches!(&failure.reason, Reason::NotFound(names) if names.iter().any(|it| it == similar)),
            "{path}: {failure:?}"
        );
    }
    for path in ["git://main:src/library.rs", "git://main:src"] {
        let failure = repository.failure(path);
        let hint = failure.hint.as_deref().unwrap_or_default();
        assert!(hint.starts_with("write `git://main/src"), "{failure:?}");
    }
    assert!(content(&repository.text("git://main:2:raw")).contains("src/"));
    let failure = repository.failure("git://main~5/src");
    assert!(failure.message.contains("has no parent"), "{failure}");
    let failure = repository.failure("src/library.rs@main..HEAD");
    assert!(
        matches!(failure.reason, Reason::Unsupported(_)),
        "{failure:?}"
    );
}

#[test]
fn deny_rules_apply_at_each_revision() {
    let files: [(&str, &[u8]); 4] = [
        (".env", b"SECRET\n"),
        ("keys/a.txt", b"SECRET\n"),
        ("sub/x.pem", b"SECRET\n"),
        ("ok.txt", b"fine\n"),
    ];
    let repository = Repository::new(&files);
    repository.workspace.link("link", "keys/a.txt");
    repository.workspace.link("dir", "keys");
    repository.commit(&[], "with links");
    repository.git(&["rm", "-q", "-r", "keys", ".env", "sub", "link", "dir"]);
    repository.commit(&[], "without secrets");
    let session = repository.session(&[".env", "/keys/a.txt", "*.pem"]);
    for path in [
        ".env@HEAD~1",
        "git://HEAD~1/.env",
        "git://HEAD~1/.env:raw",
        "git://HEAD~1/%2eenv",
        "git://HEAD~1/keys/a.txt",
        "git://HEAD~1/keys/../keys/a.txt",
        "keys/a.txt@HEAD~1",
        "keys/a.txt@HEAD~1:diff",
        "git://HEAD~1/sub/x.pem",
        "git://HEAD~1/link",
        "link@HEAD~1",
        "git://HEAD~1/dir/a.txt",
    ] {
        let failure = refused(&session, path);
        assert!(
            matches!(failure.reason, Reason::Denied(_)),
            "{path}: {failure:?}"
        );
        assert!(!failure.to_string().contains("SECRET"));
    }
    assert_eq!(
        content(&session.read("git://HEAD~1/ok.txt").unwrap().text()),
        "fine"
    );
    let list = session.read("git://HEAD~1/").unwrap().text();
    assert!(
        !list.contains(".env") && !list.contains("pem") && !list.contains("a.txt"),
        "{list}"
    );
    assert!(list.contains("hidden by deny rules"), "{list}");
    let session_without = repository.session(&[".git/"]);
    for path in ["ok.txt@HEAD~1", "git://HEAD~1/ok.txt", "git://"] {
        let failure = refused(&session_without, path);
        assert!(
            matches!(failure.reason, Reason::Denied(_)),
            "{path}: {failure:?}"
        );
    }
    // A tree has no place in the work tree, so that nobody knows which rules apply.
    let tree = repository.git(&["rev-parse", "HEAD~1:keys"]);
    let failure = refused(&session, &format!("git://{tree}/a.txt"));
    assert!(!failure.to_string().contains("SECRET"), "{failure}");
    assert!(
        matches!(failure.reason, Reason::InvalidPath(_)),
        "{failure:?}"
    );
    assert!(session.read("git://HEAD~1^{tree}/ok.txt").is_ok());
}

#[test]
fn symlinks_submodules_and_pointers_are_said() {
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";
    let repository = Repository::new(&[("dir/a.txt", b"a\n"), ("large.bin", pointer)]);
    let commit = repository.git(&["rev-parse", "HEAD"]);
    repository
        .workspace
        .link("link", "dir/a.txt")
        .link("out", "../../etc/passwd");
    repository.git(&["add", "-A"]);
    let entry = format!("160000,{commit},mod");
    repository.git(&["update-index", "--add", "--cacheinfo", &entry]);
    repository.git(&["commit", "-q", "-m", "links"]);
    let text = repository.text("git://HEAD/link");
    assert_eq!(content(&text), "a");
    assert!(
        text.contains("`link` is a symlink to `dir/a.txt`"),
        "{text}"
    );
    let failure = repository.failure("git://HEAD/out");
    assert!(
        matches!(failure.reason, Reason::LinkOutsideRoots { .. }),
        "{failure:?}"
    );
    for path in ["git://HEAD/mod", "git://HEAD/mod/a/b", "mod@HEAD"] {
        let failure = repository.failure(path);
        assert!(failure.message.contains(&commit), "{path}: {failure}");
    }
    let text = repository.text("large.bin@HEAD");
    assert!(text.contains("12345 bytes and is in Git LFS"), "{text}");
}

#[test]
fn submodules_and_work_trees_have_their_own_repository() {
    let workspace = Workspace::new();
    workspace.file("one/file", "in one\n");
    let run = |arguments: &[&str]| git(&workspace.path(), arguments);
    run(&["init", "-q", "-b", "main", "one"]);
    run(&["-C", "one", "add", "-A"]);
    run(&["-C", "one", "commit", "-q", "-m", "one"]);
    run(&["init", "-q", "-b", "main", "super"]);
    run(&[
        "-C",
        "super",
        "submodule",
        "--quiet",
        "add",
        "../one",
        "sub",
    ]);
    run(&["-C", "super", "commit", "-q", "-m", "super"]);
    run(&[
        "-C", "one", "worktree", "add", "-q", "-b", "other", "../tree",
    ]);
    let session = workspace.session();
    for path in ["one/file@main", "super/sub/file@main", "tree/file@other"] {
        assert_eq!(
            content(&session.read(path).unwrap().text()),
            "in one",
            "{path}"
        );
    }
    // The file `.git` of the work tree names a directory outside of the root.
    let narrow = omniread_tests::builder().root(workspace.path().join("tree"));
    let failure = refused(&narrow.build().unwrap().session(), "git://HEAD/file");
    assert!(
        matches!(failure.reason, Reason::OutsideRoots(_)),
        "{failure:?}"
    );
}

#[test]
fn damage_is_a_failure_with_a_next_step() {
    let repository = Repository::new(&[("a.txt", b"text\n")]);
    let id = repository.git(&["rev-parse", "HEAD:a.txt"]);
    let object = format!(".git/objects/{}/{}", &id[..2], &id[2..]);
    std::fs::remove_file(repository.workspace.path().join(&object)).unwrap();
    let failure = repository.failure("a.txt@HEAD");
    assert!(
        failure.message.contains("does not have the object"),
        "{failure}"
    );
    repository.workspace.file(&object, b"not an object");
    let failure = repository.failure("a.txt@HEAD");
    assert!(failure.message.contains("is damaged"), "{failure}");
    assert!(failure.hint.is_some_and(|hint| hint.contains("git fsck")));
    repository
        .workspace
        .file(".git/HEAD", "ref: refs/heads/main\n".repeat(1000));
    assert!(matches!(
        repository.failure("a.txt@HEAD").reason,
        Reason::Limit { .. }
    ));
}

#[test]
fn ignore_files_apply_at_each_revision() {
    let repository = Repository::new(&[("old/private.txt", b"SECRET\n"), ("ok.txt", b"fine\n")]);
    repository.git(&["rm", "-q", "-r", "old"]);
    repository.commit(&[(".geminiignore", b"private.txt\n")], "ignored");
    let session = repository.session(&[]);
    let read = |path: &str| session.read_as(path, Dialect::Gemini, &Options::default());
    for path in ["old/private.txt@HEAD~1", "git://HEAD~1/old/private.txt"] {
        let failure = read(path).unwrap_err();
        assert!(
            matches!(failure.reason, Reason::Ignored { .. }),
            "{path}: {failure:?}"
        );
    }
    assert!(read("ok.txt@HEAD~1").unwrap().text().contains("fine"));
}

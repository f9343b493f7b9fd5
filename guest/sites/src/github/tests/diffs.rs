use super::super::diff::files as diff_files;
use super::super::{Diff, Forge, diff_file, diff_listing, diff_text};
use super::{API, has, page, replies};
use crate::canned::Canned;
use crate::limits;
use crate::service::{Fault, Reply};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Made by git 2.47 from a small repository, shortened.
const DIFF: &str = "diff --git a/a b/a
index 0cfbf08..2f9d147 100644
--- a/a
+++ b/a
@@ -1,3 +1,4 @@ fn x()
 one
-two
+diff --git a/fake b/fake
+--- a/fake
 three
diff --git \"a/\\303\\244 b\" \"b/\\303\\244 b\"
new file mode 100755
index 0000000..e69de29
--- /dev/null
+++ \"b/\\303\\244 b\"
@@ -0,0 +1 @@
+x
\\ No newline at end of file
diff --git a/old name b/new name
similarity index 100%
rename from old name
rename to new name
diff --git a/logo b/c.png b/logo b/c.png
index 1..2 100644
Binary files a/logo b/c.png and b/logo b/c.png differ
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1,2 +0,0 @@
---- a/x
-++ b/x
";

fn forge() -> Forge {
    Forge::new("github.com", "octocat", "Hello-World", None)
}

#[test]
fn listing_has_the_path_of_each_file() {
    assert_eq!(
        diff_listing(DIFF, "pr://12/diff"),
        "# Changed files: 6 files, +3 -3

1. `a` modified, +2 -1: `pr://12/diff/1`
2. `ä b` added, +1 -0: `pr://12/diff/2`
3. `new name` renamed from `old name`, +0 -0: `pr://12/diff/3`
4. `logo b/c.png` modified, binary, +0 -0: `pr://12/diff/4`
5. `run.sh` modified, mode 100644 → 100755, +0 -0: `pr://12/diff/5`
6. `gone` deleted, +0 -2: `pr://12/diff/6`

All files: `pr://12/diff/all`
"
    );
    assert_eq!(diff_listing("", "pr://12/diff"), "# Changed files: none\n");
}

#[test]
fn files_are_the_whole_diff() {
    let joined: String = (1..=6)
        .map(|number| diff_file(DIFF, number).unwrap())
        .collect();
    assert_eq!(joined, DIFF);
    has(diff_file(DIFF, 1).unwrap(), &["+diff --git a/fake"]);
    for number in [0, 7, u64::MAX] {
        assert_eq!(diff_file(DIFF, number), Err(6));
    }
}

#[test]
fn damaged_diffs_have_their_files() {
    // A hunk that promises more lines than it has ends at the next header.
    let (files, _) = diff_files(
        "diff --git a/a b/a\n@@ -1,99 +1,99 @@\n-x\ndiff --git a/b b/b\n@@ x @@\n@@ -1,z +1 @@\n",
    );
    assert_eq!(
        files
            .iter()
            .map(|file| file.path.as_str())
            .collect::<Vec<_>>(),
        ["a", "b"]
    );
    for text in [
        "x",
        "@@ -1 +1 @@",
        "diff --git ",
        "diff --git \"",
        "diff --git \"a\\",
        "diff --git a",
        "+++ b/x",
        "\n\n",
    ] {
        let (files, more) = diff_files(text);
        assert!(files.len() <= 1 && more == 0, "{text}");
    }
    // Every end of the text.
    for at in (0..DIFF.len()).filter(|at| DIFF.is_char_boundary(*at)) {
        let cut = &DIFF[..at];
        let (files, _) = diff_files(cut);
        let joined: String = files.iter().map(|file| &cut[file.bytes.clone()]).collect();
        assert_eq!(joined, if files.is_empty() { "" } else { cut });
    }
}

#[test]
fn flood_of_files_is_counted() {
    let flood = "diff --git a/a b/a\n".repeat(limits::DIFF_FILES + 5);
    let (files, more) = diff_files(&flood);
    assert_eq!((files.len(), more), (limits::DIFF_FILES, 5));
    has(
        &diff_listing(&flood, "pr://1/diff"),
        &[
            "10005 files",
            "5 more files from 10001 on: `pr://1/diff/all`",
        ],
    );
}

#[test]
fn diff_is_one_request() {
    let url = format!("{API}/pulls/12");
    let mut canned = Canned::default().body(&url, "application/vnd.github.diff", DIFF.as_bytes());
    assert_eq!(diff_text(&mut canned, &forge(), 12).unwrap().text, DIFF);
    assert_eq!(
        canned.requests,
        [(url.clone(), "application/vnd.github.diff")]
    );
    let page = page(
        "https://github.com/octocat/Hello-World/pull/12/files",
        &mut canned,
    );
    has(
        &page.markdown,
        &[
            "# Diff of octocat/Hello-World#12\n\n## Changed files: 6 files",
            "`pr://octocat/Hello-World/12/diff/1`",
            "```diff\ndiff --git a/a",
        ],
    );
    let mut canned = Canned::default().body(&url, "text/html", b"<html>");
    assert_eq!(
        diff_text(&mut canned, &forge(), 12),
        Err(Fault::Wrong("text/html instead of a diff".to_owned()))
    );
    let mut canned = Canned::default().body(&url, "application/vnd.github.diff", b"");
    assert_eq!(
        diff_text(&mut canned, &forge(), 12).unwrap(),
        Diff::default()
    );
}

#[test]
fn diff_that_is_too_large_is_joined_from_its_files() {
    let url = format!("{API}/pulls/12");
    // <https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files>
    let files = json!([
        {"filename": "a", "status": "modified", "additions": 1, "deletions": 1, "changes": 2, "patch": "@@ -1 +1 @@\n-a\n+b", "unknown": 1},
        {"filename": "new\nname", "previous_filename": "o\"ld", "status": "renamed", "changes": 0, "patch": null},
        {"filename": "big", "status": "added", "additions": 90_000, "deletions": 0, "changes": 90_000},
        {"filename": "gone", "status": "removed", "changes": 1, "patch": "@@ -1 +0,0 @@\n-x\n\\ No newline at end of file"},
        null
    ]);
    let canned = || Canned::default().result(&url, Err(Fault::Failed(406)));
    let next = |value: &Value| Reply {
        has_next: true,
        body: value.to_string().into_bytes(),
        ..Reply::default()
    };
    let page = |number: u64| format!("{url}/files?per_page=100&page={number}");
    let mut service = canned()
        .result(&page(1), Ok(next(&files)))
        .json(&page(2), &replies::commit()["files"]);
    let Diff { text, notes } = diff_text(&mut service, &forge(), 12).unwrap();
    assert_eq!(service.requests.len(), 3);
    has(
        &notes.join("\n"),
        &[
            "the service does not send a diff of this size, so the diff is joined from the list of files",
        ],
    );
    has(
        &diff_listing(&text, "d"),
        &[
            "# Changed files: 7 files, +2 -3",
            "1. `a` modified, +1 -1: `d/1`",
            "2. `new name` renamed from `o\"ld`, +0 -0",
            "3. `big` added, without its lines, +0 -0",
            "4. `gone` deleted, +0 -1",
            "5. `unknown` modified, without its lines",
            "6. `file1.txt` modified, +1 -1",
            "7. `logo.png` added, without its lines",
        ],
    );
    has(
        &text,
        &[
            "(the service does not send the lines of this file, which is binary or has too many: +90000 -0)\n",
        ],
    );
    // Pages that never end.
    let mut service = (1..=100).fold(canned(), |canned, number| {
        canned.result(&page(number), Ok(next(&files)))
    });
    let Diff { text, notes } = diff_text(&mut service, &forge(), 12).unwrap();
    assert_eq!((service.requests.len(), notes.len()), (31, 1));
    has(
        &text,
        &["(the service does not send the files after this one"],
    );
    has(
        &diff_listing(&text, "d"),
        &["\n(the service does not send the files after this one"],
    );
}

#[test]
fn diff_over_the_limit_of_the_reader_is_joined_from_smaller_pages() {
    let url = format!("{API}/pulls/12");
    let large = || Err(Fault::TooLarge(4 << 20));
    let list = |from: u64, to: u64, has_next: bool| {
        let files = (from..to).map(
            |n| json!({"filename": format!("f{n}"), "changes": 1, "patch": "@@ -1 +1 @@\n-a\n+b"}),
        );
        let files: Value = files.collect();
        Ok(Reply {
            has_next,
            body: files.to_string().into_bytes(),
            ..Reply::default()
        })
    };
    let page = |size: u64, number: u64| format!("{url}/files?per_page={size}&page={number}");
    let mut service = Canned::default()
        .result(&url, large())
        .result(&page(100, 1), list(0, 100, true))
        .result(&page(100, 2), large())
        .result(&page(10, 11), large())
        .result(&page(100, 3), list(200, 205, false));
    for number in 101..111 {
        service = service.result(&page(1, number), list(number - 1, number, true));
    }
    for number in 111..201 {
        service = service.result(&page(1, number), large());
    }
    // A page of one file that is too large ends the list, and the diff says so.
    let Diff { text, notes } = diff_text(&mut service, &forge(), 12).unwrap();
    has(
        &notes.join("\n"),
        &[
            "the reply is larger than the limit of 4 MiB, so the diff is joined from the list of files",
        ],
    );
    has(
        &diff_listing(&text, "d"),
        &[
            "# Changed files: 110 files",
            "110. `f109`",
            "the files after this one: ",
            "per_page=1&page=111: the reply is larger than the limit of 4 MiB",
        ],
    );
    // After the files of a large page, pages are large again.
    let mut service = Canned::default()
        .result(&url, large())
        .result(&page(100, 1), large())
        .result(&page(100, 2), list(100, 105, false));
    for number in 1..11 {
        service = service.result(&page(10, number), list(number * 10 - 10, number * 10, true));
    }
    let found = diff_text(&mut service, &forge(), 12).unwrap();
    has(
        &diff_listing(&found.text, "d"),
        &["105. `f104`", "105 files"],
    );
    assert!(!found.text.contains("does not send"));
    // Not one file can be read.
    let mut service = [url.clone(), page(100, 1), page(10, 1), page(1, 1)]
        .iter()
        .fold(Canned::default(), |canned, url| canned.result(url, large()));
    assert_eq!(diff_text(&mut service, &forge(), 12).err(), large().err());
}

/// Runs git in a directory, without the settings of the user. Returns its output.
fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.com",
            "-c",
            "core.autocrlf=false",
        ])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn diff_of_git_has_the_files_and_lines_that_git_counts() {
    let directory =
        std::env::temp_dir().join(format!("omniread-sites-diff-{}", std::process::id()));
    std::fs::create_dir_all(directory.join("a b/c b")).unwrap();
    let write = |name: &str, text: &[u8]| std::fs::write(directory.join(name), text).unwrap();
    let long: String = (0..40).map(|n| format!("line {n}\n")).collect();
    git(&directory, &["init", "--quiet"]);
    for name in [
        "plain",
        "a b/ä b",
        "quote\"d",
        "tab\tname",
        "back\\slash",
        "a b/c b/d",
        "gone",
        "-- a",
    ] {
        write(name, long.as_bytes());
    }
    write("binary", &[0; 300]);
    write("empty", b"");
    git(&directory, &["add", "--all"]);
    git(&directory, &["commit", "--quiet", "--message", "a"]);
    // Lines that look like headers of a diff.
    let changed = long.replace(
        "line 7\n",
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- x\n",
    );
    for name in [
        "plain",
        "a b/ä b",
        "quote\"d",
        "tab\tname",
        "back\\slash",
        "a b/c b/d",
        "-- a",
    ] {
        write(name, changed.trim_end().as_bytes());
    }
    write("binary", &[0, 1, 2]);
    write("empty", b"x");
    std::fs::rename(directory.join("gone"), directory.join("a b/moved\nhere")).unwrap();
    git(&directory, &["add", "--all"]);
    for options in [
        &["--no-renames"][..],
        &["--no-renames", "--binary"],
        &["--no-renames", "--unified=0"],
    ] {
        let diff = git(&directory, &[&["diff", "--cached"], options].concat());
        let numbers = git(
            &directory,
            &["diff", "--cached", "--no-renames", "--numstat", "-z"],
        )
        .replace("-\t-\t", "0\t0\t");
        let (files, _) = diff_files(&diff);
        let found: Vec<String> = files
            .iter()
            .map(|file| format!("{}\t{}\t{}", file.added, file.removed, file.path))
            .collect();
        assert_eq!(found, numbers.split_terminator('\0').collect::<Vec<_>>());
        assert_eq!(files.len(), 11);
    }
    let renamed = git(&directory, &["diff", "--cached", "--find-renames"]);
    let (files, _) = diff_files(&renamed);
    let moved = files.iter().find(|file| file.from.is_some()).unwrap();
    assert_eq!(
        (moved.path.as_str(), moved.from.as_deref()),
        ("a b/moved\nhere", Some("gone"))
    );
    std::fs::remove_dir_all(&directory).unwrap();
}

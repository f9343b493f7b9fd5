use super::{API, SITE, fault, file, has, page, read, replies, service, with_next};
use crate::canned::Canned;
use crate::service::Fault;
use serde_json::json;

#[test]
fn pages_that_are_not_known_send_no_request() {
    let mut canned = Canned::default();
    for url in [
        "https://github.com/",
        "https://github.com/octocat",
        "https://github.com/features/actions",
        "https://github.com/orgs/octocat/repositories",
        "https://github.com/Settings/profile",
        "https://github.com/sponsors/octocat",
        "https://github.com/topics/rust",
        "https://github.com/marketplace/x",
        "https://github.com/search/advanced",
        "https://github.com/octocat/Hello-World/discussions/12",
        "https://github.com/octocat/Hello-World/settings",
        "https://github.com/octocat/Hello-World/blob",
        "https://github.com/octocat/Hello-World/blob/main",
        "https://github.com/octocat/Hello-World/blob/main/a%2e%2e/%2e%2e%2fx%00",
        "https://github.com/octocat/Hello-World/blame/main/a",
        "https://github.com/octocat/Hello-World/issues/new",
        "https://github.com/octocat/Hello-World/issues/0",
        "https://github.com/octocat/Hello-World/issues/+1",
        "https://github.com/octocat/Hello-World/issues?assignee=x",
        "https://github.com/octocat/Hello-World/pull/12.diff",
        "https://github.com/octocat/Hello-World/pull/12/checks",
        "https://github.com/octocat/Hello-World/commit/6dcb09b5b5.patch",
        "https://github.com/octocat/Hello-World/compare/a...b.diff",
        "https://github.com/octocat/Hello-World/compare/a..b",
        "https://github.com/octocat/Hello-World/releases/download/v1/a.zip",
        "https://github.com/octocat/Hello-World/archive/main.zip",
        "https://github.com/octocat/Hello-World/wiki/_history",
        "https://github.com/octocat/Hello%20World",
        "https://github.com/octocat/Hello-World?tab=stars",
        "https://gist.github.com/octocat",
        "https://gist.github.com/discover",
        "https://gist.github.com/octocat/2decf6c462d9b4418f2aaaaaaaaaaaaa/raw/x",
        "https://raw.githubusercontent.com/octocat/Hello-World/main/a",
        "https://github.com.evil.example/octocat/Hello-World",
        "https://github.com:8443/octocat/Hello-World",
        "https://api.github.com/repos/octocat/Hello-World",
    ] {
        assert_eq!(read(url, &mut canned), None, "{url}");
    }
    assert_eq!(canned.urls(), Vec::<&str>::new());
}

#[test]
fn repository_has_its_facts_files_and_readme() {
    let mut canned = service(&[
        ("", replies::repository()),
        ("/contents/", replies::content_directory()),
    ])
    .body(
        &format!("{API}/readme"),
        "application/vnd.github.raw+json",
        b"# Title\n\nText\n",
    );
    for url in [
        "https://www.github.com/octocat/Hello-World.git",
        "https://github.com/octocat/Hello-World/?tab=readme-ov-file#usage",
    ] {
        let page = page(url, &mut canned);
        assert_eq!(
            page.markdown,
            "# octocat/Hello-World

This your first repo!

- Default branch: `main`
- Fork of: octocat/Template
- License: MIT
- Topics: octocat, api
- Last push: 2011-01-26 19:06 UTC
- Stars: 80
- Forks: 9
- Open issues and pull requests: 0
- This repository is: archived, fork

## Files

- `deep/`
- `a.rs`, 625 B
- `lib`, submodule
- `link`, symbolic link to `a.rs`
- `vendor`, submodule
- `?`

## README

#### Title

Text
"
        );
        assert_eq!(page.notes, Vec::<String>::new());
    }
}

#[test]
fn repository_without_files_says_so() {
    let page = page(SITE, &mut service(&[("", json!({}))]));
    assert_eq!(
        page.markdown,
        "# octocat/Hello-World\n\n\nThe repository has no files.\n"
    );
    let failing = Err(Fault::Failed(502));
    let mut canned = service(&[("", json!({}))])
        .result(&format!("{API}/contents/"), failing.clone())
        .result(&format!("{API}/readme"), failing);
    let page = super::page(SITE, &mut canned);
    has(
        &page.notes.join("\n"),
        &[
            "the files are left out: the service fails with status 502",
            "the README is left out",
        ],
    );
}

#[test]
fn commit_over_the_limit_has_its_first_files() {
    let url = format!("{API}/commits/6dcb09b5b57875f334f61aebed695e2e4193db5e");
    let mut canned = Canned::default().result(
        &format!("{url}?per_page=10&page=1"),
        Ok(with_next(&replies::commit())),
    );
    for large in [url.clone(), format!("{url}?per_page=100&page=1")] {
        canned = canned.result(&large, Err(Fault::TooLarge(4 << 20)));
    }
    let site = format!("{SITE}/commit/6dcb09b5b57875f334f61aebed695e2e4193db5e");
    let page = page(&site, &mut canned);
    has(&page.markdown, &["## Files: 2", "diff --git a/file1.txt"]);
    assert_eq!(
        page.notes,
        [format!(
            "the reply is larger than the limit of 4 MiB, so only the first 2 files are shown: `{site}.diff` has all"
        )]
    );
}

#[test]
fn commit_has_its_message_and_diff() {
    let path = "/commits/6dcb09b5b57875f334f61aebed695e2e4193db5e";
    let page = page(
        &format!("{SITE}/commit/6dcb09b5b57875f334f61aebed695e2e4193db5e"),
        &mut service(&[(path, replies::commit())]),
    );
    assert_eq!(
        page.markdown,
        "# Fix all the bugs (octocat/Hello-World)

- Commit: `6dcb09b5b57875f334f61aebed695e2e4193db5e`
- Author: Monalisa Octocat (@octocat), 2011-04-14 16:00 UTC
- Committer: GitHub, 2011-04-14 16:00 UTC
- Parents: 762941318ee16e59dabbacb1b4049eec22f0d303
- Signature: verified
- Lines: +104 -4
- URL: https://github.com/octocat/Hello-World/commit/6dcb09b5b57875f334f61aebed695e2e4193db5e

```
Fix all the bugs

# Not a heading
```

## Files: 2

````diff
diff --git a/file1.txt b/file1.txt
--- a/file1.txt
+++ b/file1.txt
@@ -1 +1 @@
-a
+```b
diff --git a/logo.png b/logo.png
new file mode 100644
(the service does not send the lines of this file, which is binary or has too many: +0 -0)
````
"
    );
    let url = format!("{API}/commits/6dcb09b");
    let mut more = Canned::default().result(&url, Ok(with_next(&replies::commit())));
    has(
        &super::page(&format!("{SITE}/pull/12/commits/6dcb09b"), &mut more)
            .notes
            .join("\n"),
        &["only the first 2 files are shown", ".diff`"],
    );
    let mut wrong = Canned::default().json(&format!("{API}/commits/abcdef0"), &replies::commit());
    assert!(matches!(
        fault(&format!("{SITE}/commit/abcdef0"), &mut wrong),
        Fault::Wrong(_)
    ));
}

#[test]
fn commits_of_a_branch_with_slashes_and_of_a_path_are_listed() {
    let plain = "/commits?per_page=30&page=1";
    let listed = page(
        &format!("{SITE}/commits/"),
        &mut service(&[(plain, replies::commits())]),
    );
    assert_eq!(
        listed.markdown,
        "# Commits of octocat/Hello-World

- `6dcb09b5b578` Fix all the bugs by Monalisa Octocat (@octocat), 2011-04-14 16:00 UTC
- `abc` (without a message)
"
    );
    let path = "/commits?per_page=30&page=1&sha=main&path=src%2Fa.rs";
    let listed = page(
        &format!("{SITE}/commits/main/src/a.rs"),
        &mut service(&[(path, replies::commits())]),
    );
    has(
        &listed.markdown,
        &["# Commits of octocat/Hello-World at `main: src/a.rs`\n"],
    );
    let branch = "/commits?per_page=30&page=2&sha=feature%2Fx";
    let mut canned = Canned::default().result(
        &format!("{API}{branch}"),
        Ok(with_next(&replies::commits())),
    );
    let listed = page(&format!("{SITE}/commits/feature/x?page=2"), &mut canned);
    has(
        &listed.notes.join("\n"),
        &["`https://github.com/octocat/Hello-World/commits/feature/x?page=3`"],
    );
    let pull = "/pulls/12/commits?per_page=100&page=1";
    let listed = page(
        &format!("{SITE}/pull/12/commits"),
        &mut service(&[(pull, replies::commits())]),
    );
    has(
        &listed.markdown,
        &["# Commits of octocat/Hello-World#12\n", "- `abc`"],
    );
}

#[test]
fn comparison_says_what_is_left_out() {
    let path = "/compare/master...me:topic%2Fx";
    let page = page(
        &format!("{SITE}/compare/master...me:topic/x"),
        &mut service(&[(path, replies::comparison())]),
    );
    has(
        &page.markdown,
        &[
            "# Comparison `master...me:topic/x` of octocat/Hello-World\n\n- Status: diverged\n",
            "## Commits: 1\n\n- `6dcb09b5b578` Fix all the bugs",
            "## Files: 1\n\n```diff\ndiff --git a/a b/b\nrename from a\nrename to b\n```\n",
        ],
    );
    has(&page.notes.join("\n"), &["3 commits left out"]);
    let mut many = replies::comparison();
    many["files"] = json!(vec![json!({"filename": "a"}); 300]);
    has(
        &super::page(
            &format!("{SITE}/compare/master...me:topic/x"),
            &mut service(&[(path, many)]),
        )
        .notes
        .join("\n"),
        &[
            "at most 300 files: `https://github.com/octocat/Hello-World/compare/master...me:topic%2Fx.diff`",
        ],
    );
}

#[test]
fn releases_have_their_notes_and_files() {
    let expected = "# octocat/Hello-World: v1.0.0

- Tag: `v1.0.0`
- Published: 2013-02-27 19:35 UTC by @octocat
- This release is a prerelease
- URL: https://github.com/octocat/Hello-World/releases/v1.0.0

#### Description of the release

## Release files

- `example.zip`, 2 MiB: https://github.com/octocat/Hello-World/releases/download/v1.0.0/example.zip
- `b`
";
    let mut canned = service(&[
        ("/releases/tags/v1.0.0", replies::release()),
        ("/releases/latest", replies::release()),
    ]);
    assert_eq!(
        page(&format!("{SITE}/releases/tag/v1.0.0"), &mut canned).markdown,
        expected
    );
    assert_eq!(
        page(&format!("{SITE}/releases/latest"), &mut canned).markdown,
        expected
    );
    let mut wrong = service(&[("/releases/tags/a%2Fv2", replies::release())]);
    assert_eq!(
        fault(&format!("{SITE}/releases/tag/a/v2"), &mut wrong),
        Fault::Wrong("the release v1.0.0 instead of a/v2".to_owned())
    );
    let url = format!("{API}/releases?per_page=10&page=1");
    let mut canned =
        Canned::default().result(&url, Ok(with_next(&json!([replies::release(), null]))));
    let listed = page(&format!("{SITE}/releases"), &mut canned);
    has(
        &listed.markdown,
        &[
            "\n## v1.0.0\n",
            "\n### Release files\n",
            "\n## (release without a name)\n",
        ],
    );
    has(&listed.notes.join("\n"), &["/releases?page=2`"]);
}

#[test]
fn wiki_is_its_source() {
    let base = "https://raw.githubusercontent.com/wiki/octocat/Hello-World";
    let mut canned = Canned::default()
        .body(&format!("{base}/Home.md"), "text/plain", b"x")
        .body(&format!("{base}/Old-Page.rst"), "text/plain", b"x");
    assert_eq!(
        file(&format!("{SITE}/wiki"), &mut canned).0,
        format!("{base}/Home.md")
    );
    assert_eq!(
        file(&format!("{SITE}/wiki/Old-Page"), &mut canned).0,
        format!("{base}/Old-Page.rst")
    );
    assert!(matches!(
        fault(&format!("{SITE}/wiki/None"), &mut canned),
        Fault::Missing(_)
    ));
}

#[test]
fn gist_has_its_files() {
    const ID: &str = "2decf6c462d9b4418f2aaaaaaaaaaaaa";
    let url = format!("https://api.github.com/gists/{ID}");
    let mut canned = Canned::default().json(&url, &replies::gist());
    let shown = page(
        &format!("https://gist.github.com/octocat/{ID}"),
        &mut canned,
    );
    assert_eq!(
        shown.markdown,
        "# Gist octocat/2decf6c462d9b4418f2aaaaaaaaaaaaa

Hello World Examples

- Updated: 2010-04-14 02:15 UTC
- Files: 2

## `big.txt`

```
start
```

## `hello_world.rb`, 167 B

````ruby
class HelloWorld
# ```
end
````
"
    );
    let raw = format!("https://gist.githubusercontent.com/octocat/{ID}/raw/abc/big.txt");
    assert_eq!(
        shown.notes,
        [
            "1 comment left out".to_owned(),
            format!("`big.txt` is not complete: read `{raw}`")
        ]
    );
    // One file is read as what it is, but only from the host for files.
    let mut one = replies::gist();
    one["files"].as_object_mut().unwrap().remove("big.txt");
    let canned =
        |value: &serde_json::Value| Canned::default().json(&format!("{url}/abcdef0"), value);
    let (found, _, notes) = file(
        &format!("https://gist.github.com/octocat/{ID}/abcdef0"),
        &mut canned(&one),
    );
    assert_eq!(
        found,
        format!("https://gist.githubusercontent.com/octocat/{ID}/raw/abc/hello_world.rb")
    );
    assert_eq!(
        notes,
        ["description: Hello World Examples", "1 comment left out"]
    );
    one["files"]["hello_world.rb"]["raw_url"] = json!("https://evil.example/x");
    has(
        &page(
            &format!("https://gist.github.com/octocat/{ID}/abcdef0"),
            &mut canned(&one),
        )
        .markdown,
        &["class HelloWorld"],
    );
    one["id"] = json!("other");
    assert!(matches!(
        fault(
            &format!("https://gist.github.com/octocat/{ID}/abcdef0"),
            &mut canned(&one)
        ),
        Fault::Wrong(_)
    ));
}

#[test]
fn run_has_the_steps_that_failed() {
    let jobs = ("/actions/runs/30433642/jobs?per_page=100", replies::jobs());
    let page = page(
        &format!("{SITE}/actions/runs/30433642"),
        &mut service(&[("/actions/runs/30433642", replies::run()), jobs]),
    );
    has(
        &page.markdown,
        &[
            "# Update README.md (octocat/Hello-World run 30433642)\n\n- Workflow: Build\n- Status: failure\n",
            "## Jobs\n\n- build: failure\n  - Run tests: failure\n",
        ],
    );
    has(
        &page.notes.join("\n"),
        &[
            "1 more job left out",
            "steps that succeeded or were skipped are left out",
        ],
    );
}

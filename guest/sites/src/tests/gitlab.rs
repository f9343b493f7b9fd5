//! Replies after <https://docs.gitlab.com/api/commits/>, <https://docs.gitlab.com/api/repositories/>,
//! <https://docs.gitlab.com/api/repository_files/>, <https://docs.gitlab.com/api/issues/>,
//! <https://docs.gitlab.com/api/merge_requests/> and <https://docs.gitlab.com/api/notes/>.

use super::{Case, found, page, unknown};
use crate::canned::Canned;
use crate::handler::Found;
use crate::service::{Fault, Reply};
use serde_json::{Value, json};

/// The URL of a request about the project `ann/sub/tiny`.
fn api(path: &str) -> &'static str {
    Box::leak(
        format!("https://gitlab.com/api/v4/projects/ann%2Fsub%2Ftiny/{path}").into_boxed_str(),
    )
}

fn commit() -> Value {
    json!({"id": "a".repeat(40), "short_id": "aaaaaaaa", "committed_date": "2026-01-02T03:04:05.000+00:00", "stats": null})
}

fn tree() -> Value {
    json!([
        {"id": "1", "name": "src", "type": "tree", "path": "src", "mode": "040000"},
        {"id": "2", "name": "README.md", "type": "blob", "path": "README.md", "mode": "100644"},
        {"id": "3", "name": "link", "type": "blob", "path": "link", "mode": "120000"},
        {"id": "4", "name": "lib", "type": "commit", "path": "lib", "mode": "160000"},
        {"name": null, "path": null, "type": null},
    ])
}

fn issue() -> Value {
    json!({
        "id": 900, "iid": 3, "title": "It fails", "description": "# Steps\n```\nrun", "state": "opened", "labels": ["bug", null],
        "author": {"username": "ann", "name": "Ann"}, "assignees": [{"username": "bob"}, null], "milestone": null,
        "created_at": "2026-01-02T03:04:05.678Z", "updated_at": null, "closed_at": null, "confidential": true,
        "upvotes": 2, "downvotes": 0, "due_date": null, "web_url": "https://gitlab.com/ann/sub/tiny/-/issues/3",
    })
}

fn notes() -> Value {
    json!([
        {"id": 1, "body": "## Me too", "author": {"username": "cat"}, "created_at": "2026-01-03T00:00:00Z", "system": false},
        {"id": 2, "body": "added ~bug label", "author": {"username": "ann"}, "system": true},
        {"id": 3, "body": "Here", "author": null, "system": false, "resolved": true, "position":
            {"new_path": "src/a.rs", "old_path": null, "new_line": 7}},
        {"id": 4, "body": null},
    ])
}

const NOTES: &str = "notes?sort=asc&order_by=created_at&per_page=100";

pub fn cases() -> Vec<Case> {
    let mut merge = issue();
    for (field, value) in [
        ("source_branch", json!("fix/it")),
        ("target_branch", json!("main")),
        ("changes_count", json!("5")),
        ("draft", json!(true)),
        ("detailed_merge_status", json!("mergeable")),
        ("merged_at", Value::Null),
        ("reviewers", json!([{"username": "dan"}])),
        ("head_pipeline", json!({"status": "success"})),
    ] {
        merge[field] = value;
    }
    let commits = api("repository/commits/main?stats=false");
    let list = json!([{"short_id": "aaaaaaaa", "title": "Fix\nit", "author_name": "Ann", "committed_date": "2026-01-02T03:04:05Z"}, {}]);
    vec![
        Case {
            url: "https://gitlab.com/ann/sub/tiny/-/tree/main",
            json: vec![
                (commits, commit()),
                (api("repository/tree?ref=main&path=&per_page=100"), tree()),
            ],
            html: vec![(
                api("repository/files/README.md/raw?ref=main&lfs=true"),
                "# Tiny\ntext",
            )],
        },
        Case {
            url: "https://gitlab.com/ann/sub/tiny/-/issues/3#note_1",
            json: vec![
                (api("issues/3"), issue()),
                (api(&format!("issues/3/{NOTES}")), notes()),
            ],
            html: vec![],
        },
        Case {
            url: "https://gitlab.com/ann/sub/tiny/-/merge_requests/3",
            json: vec![
                (api("merge_requests/3"), merge),
                (api(&format!("merge_requests/3/{NOTES}")), json!([])),
            ],
            html: vec![],
        },
        Case {
            url: "https://gitlab.com/ann/sub/tiny/-/merge_requests/3/commits",
            json: vec![(api("merge_requests/3/commits?per_page=100"), list)],
            html: vec![],
        },
        Case {
            url: "https://gitlab.com/ann/sub/tiny/-/blob/main/a.rs#L3-9",
            json: vec![(commits, commit())],
            html: vec![],
        },
    ]
}

#[test]
fn tree_has_entries_and_its_readme() {
    let (page, urls) = cases()[0].page();
    let expected = "# ann/sub/tiny at main

- src/
- lib (submodule at commit 4)
- README.md
- link (symbolic link)

## README.md

#### Tiny
text
";
    assert_eq!(page.markdown, expected);
    assert_eq!(
        page.notes,
        [format!(
            "`main` is commit {} of 2026-01-02.",
            "a".repeat(40)
        )]
    );
    assert_eq!(urls.len(), 3);
}

#[test]
fn tree_with_more_entries_says_so() {
    let url = api("repository/tree?ref=main&path=&per_page=100");
    let reply = Reply {
        url: url.to_owned(),
        has_next: true,
        body: tree().to_string().into_bytes(),
        ..Reply::default()
    };
    let mut service = cases()[0].service().result(url, Ok(reply));
    let page = page(cases()[0].url, &mut service);
    let note = format!("More than 100 entries: {url}&page=2");
    assert!(page.notes.contains(&note), "{:?}", page.notes);
}

#[test]
fn issue_has_its_comments() {
    let (page, _) = cases()[1].page();
    let expected = "# It fails (#3)

- State: opened, confidential
- Opened: 2026-01-02 by ann
- Labels: bug
- Assignees: bob
- Votes: 2 for, 0 against
- URL: https://gitlab.com/ann/sub/tiny/-/issues/3

## Description

#### Steps
```
run
```

## 2 comments

### cat, 2026-01-03

##### Me too

### a deleted user, on src/a.rs:7, resolved

Here
";
    assert_eq!(page.markdown, expected);
    assert_eq!(
        page.notes,
        ["2 notes of the system left out: https://gitlab.com/ann/sub/tiny/-/issues/3"]
    );
}

#[test]
fn merge_request_has_branches_and_the_url_of_its_diff() {
    let (page, _) = cases()[2].page();
    for part in [
        "# It fails (!3)\n",
        "- State: opened, draft, confidential\n",
        "- Reviewers: dan\n",
        "- Branches: fix/it into main\n",
        "- Changed files: 5\n",
        "- Pipeline: success\n",
        "- Diff: https://gitlab.com/ann/sub/tiny/-/merge_requests/3/diffs\n",
    ] {
        assert!(page.markdown.contains(part), "{part}: {}", page.markdown);
    }
    let (page, _) = cases()[3].page();
    assert!(
        page.markdown
            .contains("- aaaaaaaa Fix it (Ann, 2026-01-02)\n"),
        "{}",
        page.markdown
    );
}

/// The URL of the file that a page leads to, and the requests.
fn file(url: &str, mut service: Canned) -> (String, Vec<String>) {
    match found(url, &mut service) {
        Some(Ok(Found::File { url, .. })) => (
            url.to_string(),
            service.urls().iter().map(|it| (*it).to_owned()).collect(),
        ),
        other => panic!("{url}: {other:?}"),
    }
}

#[test]
fn file_is_requested_from_the_api() {
    let (url, requests) = file(cases()[4].url, cases()[4].service());
    assert_eq!(
        url,
        api("repository/files/a.rs/raw?ref=main&lfs=true#L3-L9")
    );
    assert_eq!(requests.len(), 1);
    let (url, requests) = file(
        "https://gitlab.com/ann/sub/tiny/-/merge_requests/3/diffs?tab=x",
        Canned::default(),
    );
    assert_eq!(url, api("merge_requests/3/raw_diffs"));
    assert!(requests.is_empty());
}

#[test]
fn branch_with_slashes_is_found() {
    let service =
        || Canned::default().json(api("repository/commits/fix%2Fit?stats=false"), &commit());
    let (url, requests) = file(
        "https://gitlab.com/ann/sub/tiny/-/blob/fix/it/src/a.rs",
        service(),
    );
    assert_eq!(
        url,
        api("repository/files/src%2Fa.rs/raw?ref=fix%2Fit&lfs=true")
    );
    assert_eq!(
        requests,
        [
            api("repository/commits/fix?stats=false"),
            api("repository/commits/fix%2Fit?stats=false")
        ]
    );
    // No more than three names are tried, and the last name is the file.
    let mut service = Canned::default();
    let deep = found(
        "https://gitlab.com/ann/sub/tiny/-/blob/a/b/c/d/e",
        &mut service,
    );
    assert!(matches!(deep, Some(Err(Fault::Missing(_)))) && service.requests.len() == 3);
    let mut service = Canned::default();
    let one = found("https://gitlab.com/ann/sub/tiny/-/blob/a/e", &mut service);
    assert!(matches!(one, Some(Err(Fault::Missing(_)))) && service.requests.len() == 1);
}

#[test]
fn own_hosts_are_recognised_by_their_names() {
    let url = "https://gitlab.example.org/api/v4/projects/a%2Fb/issues/3";
    let mut service = Canned::default().json(url, &issue());
    let page = page("https://gitlab.example.org/a/b/-/issues/3", &mut service);
    assert!(
        page.markdown
            .contains("- URL: https://gitlab.example.org/a/b/-/issues/3\n"),
        "{}",
        page.markdown
    );
    assert!(
        page.notes[0].starts_with("The comments are missing: "),
        "{:?}",
        page.notes
    );
}

#[test]
fn another_issue_or_commit_is_wrong() {
    let mut service = Canned::default().json(api("issues/4"), &issue());
    let wrong = Fault::Wrong("3 instead of 4".to_owned());
    assert_eq!(
        found("https://gitlab.com/ann/sub/tiny/-/issues/4", &mut service),
        Some(Err(wrong))
    );
    let mut service = Canned::default().json(
        api("repository/commits/main?stats=false"),
        &json!({"id": "x"}),
    );
    let wrong = Fault::Wrong("x instead of main".to_owned());
    assert_eq!(
        found("https://gitlab.com/ann/sub/tiny/-/tree/main", &mut service),
        Some(Err(wrong))
    );
}

#[test]
fn other_pages_are_not_handled() {
    unknown(&[
        "https://gitlab.com/",
        "https://gitlab.com/ann/tiny",
        "https://gitlab.com/ann/tiny/-/issues",
        "https://gitlab.com/ann/tiny/-/issues/x",
        "https://gitlab.com/ann/tiny/-/raw/main/a.rs",
        "https://gitlab.com/ann/tiny/-/pipelines/7",
        "https://gitlab.com/groups/-/issues/3",
        "https://gitlab.com/groups/ann/-/epics/3",
        "https://about.gitlab.com/ann/tiny/-/issues/3",
        "https://notgitlab.com/ann/tiny/-/issues/3",
    ]);
}

use super::super::{Ask, Forge, Kind, Links, Thread, thread};
use super::{API, SITE, has, page, replies, service, with_next};
use crate::canned::Canned;
use crate::service::{Fault, Reply};
use serde_json::{Value, json};

const PULL: &str = "https://github.com/octocat/Hello-World/pull/12";
const ISSUE: &str = "https://github.com/octocat/Hello-World/issues/1347";

fn forge() -> Forge {
    Forge::new("github.com", "octocat", "Hello-World", None)
}

fn issue() -> Canned {
    service(&[
        ("/issues/1347", replies::issue()),
        (
            "/issues/1347/comments?per_page=100&page=1",
            replies::comments(),
        ),
    ])
}

fn pull() -> Canned {
    service(&[
        ("/pulls/12", replies::pull()),
        ("/issues/12", replies::issue_of_pull()),
        (
            "/issues/12/comments?per_page=100&page=1",
            replies::comments(),
        ),
        ("/pulls/12/reviews?per_page=100&page=1", replies::reviews()),
        (
            "/pulls/12/comments?per_page=100&page=1",
            replies::review_comments(),
        ),
    ])
}

fn ask(kind: Kind, number: u64, comments: Option<u64>) -> Ask {
    Ask {
        kind,
        number,
        comments,
        links: Links::Scheme,
    }
}

fn shown(canned: &mut Canned, ask: Ask) -> Thread {
    thread(canned, &forge(), &ask).unwrap()
}

#[test]
fn base_of_the_api_is_that_of_the_host() {
    for (host, given, api, name) in [
        ("github.com", None, "https://api.github.com", "o/r"),
        ("WWW.GitHub.com:443", None, "https://api.github.com", "o/r"),
        (
            "github.com",
            Some("http://127.0.0.1:9/"),
            "http://127.0.0.1:9",
            "o/r",
        ),
        (
            "www.ghe.corp",
            None,
            "https://www.ghe.corp/api/v3",
            "www.ghe.corp/o/r",
        ),
        (
            "octocorp.ghe.com",
            None,
            "https://api.octocorp.ghe.com",
            "octocorp.ghe.com/o/r",
        ),
        (
            "localhost:8080",
            None,
            "http://localhost:8080/api/v3",
            "localhost:8080/o/r",
        ),
    ] {
        let forge = Forge::new(host, "o", "r", given);
        assert_eq!(
            (forge.api_base.as_str(), forge.name().as_str()),
            (api, name),
            "{host}"
        );
    }
    for (host, api, page) in [
        (
            "ghe.corp",
            "http://ghe.corp/api/v3",
            "http://ghe.corp/o/r/x",
        ),
        (
            "localhost",
            "https://localhost/api/v3",
            "https://localhost/o/r/x",
        ),
        (
            "github.com",
            "http://127.0.0.1:9",
            "https://github.com/o/r/x",
        ),
    ] {
        assert_eq!(Forge::new(host, "o", "r", Some(api)).page("/x"), page);
    }
}

#[test]
fn issue_has_its_facts_and_comments() {
    let page = page(ISSUE, &mut issue());
    assert_eq!(
        page.markdown,
        "# Found a bug (octocat/Hello-World#1347)

- Issue: closed as not planned by @hubot, 2011-04-23 13:33 UTC
- Author: @octocat (COLLABORATOR), 2011-04-22 13:33 UTC
- Updated: 2011-04-24 13:33 UTC
- Labels: bug, plain
- Assignees: hubot
- Milestone: v1.0
- Comments: 2
- Locked: too heated
- Reactions: 👍 2 ❤️ 1
- URL: https://github.com/octocat/Hello-World/issues/1347

## Description

##### Steps

I'm having a problem with this.

## Comment by @renovate[bot], 2011-04-14 16:00 UTC, edited (#issuecomment-1)

Me too

##### Comment by @admin (OWNER)

```
open
```

Reactions: 🚀 4

## Comment by a deleted user, 2011-04-15 16:00 UTC (#issuecomment-2)

(empty)
"
    );
    assert_eq!(
        page.notes,
        ["1 HTML comment, which the page does not show, left out"]
    );
}

#[test]
fn pull_request_has_reviews_and_comments_in_the_order_of_their_times() {
    let thread = shown(&mut pull(), ask(Kind::Pull, 12, Some(1)));
    has(
        &thread.head,
        &[
            "# Amazing new feature (octocat/Hello-World#12)\n",
            "- Pull request: open, draft\n",
            "- Reviewers asked: other_user, justice-league\n",
            "- Branches: `octocat:master` ← `octocat:new-topic` (6dcb09b5b578)\n",
            "- Changes: 3 commits, 1 file, +100, -3: `pr://octocat/Hello-World/12/diff`\n",
            "- Comments: 1, and 2 on lines\n",
        ],
    );
    let comments = thread.comments.unwrap();
    let headings: Vec<&str> = comments
        .lines()
        .filter(|line| line.starts_with("## "))
        .collect();
    assert_eq!(
        headings,
        [
            "## Comment by @renovate[bot], 2011-04-14 16:00 UTC, edited (#issuecomment-1)",
            "## Comment on `file1.txt` lines 18-20 by @octocat, 2011-04-14 16:10 UTC (#discussion_r10)",
            "## Review by @hubot (COLLABORATOR), 2011-04-14 16:30 UTC: changes requested (#pullrequestreview-80)",
            "## Comment on `file1.txt` old line 2 (outdated) by @octocat, 2011-04-14 16:50 UTC, reply (#discussion_r11)",
            "## Comment by a deleted user, 2011-04-15 16:00 UTC (#issuecomment-2)",
        ]
    );
    has(
        &comments,
        &["```diff\n b\n c\n d\n+e\n```\n\nGreat stuff!\n```suggestion\nx\n```\n"],
    );
    assert_eq!(thread.notes, Vec::<String>::new());
}

#[test]
fn merged_pull_request_says_who_merged_it() {
    let mut merged = replies::pull();
    merged["merged"] = json!(true);
    merged["merged_at"] = json!("2012-01-26T19:01:12Z");
    merged["merged_by"] = json!({"login": "hubot"});
    merged["state"] = json!("closed");
    let thread = shown(
        &mut service(&[("/pulls/12", merged)]),
        ask(Kind::Pull, 12, None),
    );
    has(
        &thread.head,
        &["- Pull request: merged by @hubot, 2012-01-26 19:01 UTC\n"],
    );
}

#[test]
fn number_of_another_kind_is_shown_as_what_it_is() {
    let thread = shown(&mut pull(), ask(Kind::Issue, 12, None));
    assert_eq!(thread.kind, Kind::Pull);
    has(
        &thread.head,
        &["- Pull request: open, draft\n", "- Reactions: 👀 5\n"],
    );
    has(
        &thread.notes.join("\n"),
        &["12 is a pull request, not an issue: `pr://octocat/Hello-World/12`"],
    );
    let thread = shown(&mut issue(), ask(Kind::Pull, 1347, None));
    assert_eq!(thread.kind, Kind::Issue);
    has(
        &thread.notes.join("\n"),
        &[
            "1347 is an issue, not a pull request: `issue://octocat/Hello-World/1347`",
            "2 comments left out: read `issue://octocat/Hello-World/1347` for them",
        ],
    );
}

#[test]
fn thread_without_comments_sends_one_request() {
    let mut canned = issue();
    assert_eq!(
        shown(&mut canned, ask(Kind::Issue, 1347, None)).comments,
        None
    );
    assert_eq!(canned.urls(), [format!("{API}/issues/1347")]);
    let mut silent = replies::issue();
    silent["comments"] = json!(0);
    let mut canned = service(&[("/issues/1347", silent)]);
    assert_eq!(
        shown(&mut canned, ask(Kind::Issue, 1347, Some(1)))
            .comments
            .as_deref(),
        Some("")
    );
    assert_eq!(canned.urls().len(), 1);
}

/// A thread with 100,000 comments, whose pages never end.
fn flood() -> Canned {
    let mut many = replies::issue();
    many["comments"] = json!(100_000);
    let comments: Vec<Value> = (0..100)
        .map(|n| json!({"body": format!("c{n}"), "user": {"login": "a"}}))
        .collect();
    let canned = service(&[("/issues/1347", many)]);
    (1..=10).chain([1000]).fold(canned, |canned, page| {
        let url = format!("{API}/issues/1347/comments?per_page=100&page={page}");
        canned.result(&url, Ok(with_next(&json!(comments))))
    })
}

#[test]
fn flood_of_comments_ends_and_names_the_rest() {
    let mut canned = flood();
    let thread = shown(&mut canned, ask(Kind::Issue, 1347, Some(1)));
    assert_eq!(canned.requests.len(), 4);
    assert_eq!(
        thread.comments.unwrap().matches("## Comment by").count(),
        300
    );
    let here = "issue://octocat/Hello-World/1347";
    let rest = format!(
        "99700 more comments: read them with `{here}?comments=4`, the last ones with `{here}?comments=1000`"
    );
    assert!(thread.notes.contains(&rest), "{:?}", thread.notes);
    // The path in the note shows them.
    let mut canned = flood();
    let page = page(&format!("{SITE}/issues/1347?comments=4"), &mut canned);
    assert_eq!(
        canned.urls()[1],
        format!("{API}/issues/1347/comments?per_page=100&page=4")
    );
    has(
        &page.notes.join("\n"),
        &[
            "99400 more comments",
            "?comments=7`",
            "start at page 4 of 100 each",
        ],
    );
    let last = shown(&mut flood(), ask(Kind::Issue, 1347, Some(1000)));
    has(&last.notes.join("\n"), &["start at page 1000"]);
}

#[test]
fn large_comments_end_the_requests_earlier() {
    let mut many = replies::issue();
    many["comments"] = json!(500);
    let long = json!([{"body": "x".repeat(3 << 20), "user": {"login": "a"}}]);
    let url = |page: u64| format!("{API}/issues/1347/comments?per_page=100&page={page}");
    let mut canned = service(&[("/issues/1347", many)]).result(&url(1), Ok(with_next(&long)));
    let thread = shown(&mut canned, ask(Kind::Issue, 1347, Some(1)));
    assert_eq!(canned.requests.len(), 2);
    has(&thread.notes.join("\n"), &["?comments=2`"]);
    has(
        &thread.comments.unwrap(),
        &["more bytes of this text are on the page itself]"],
    );
}

#[test]
fn comments_that_fail_are_a_note() {
    let mut canned = issue().result(
        &format!("{API}/issues/1347/comments?per_page=100&page=1"),
        Err(Fault::Limited(Some(1_795_924_140))),
    );
    let thread = shown(&mut canned, ask(Kind::Issue, 1347, Some(1)));
    has(&thread.head, &["# Found a bug"]);
    has(
        &thread.notes.join("\n"),
        &[
            "the comments from page 1 on are left out: the limit of requests is reached until 2026-11-29 03:49 UTC",
        ],
    );
}

#[test]
fn another_number_is_wrong_unless_the_issue_was_transferred() {
    let url = format!("{API}/issues/7");
    let wrong = thread(
        &mut Canned::default().json(&url, &replies::issue()),
        &forge(),
        &ask(Kind::Issue, 7, None),
    );
    assert_eq!(
        wrong,
        Err(Fault::Wrong("number 1347 instead of 7".to_owned()))
    );
    let reply = |to: &str| Reply {
        url: to.to_owned(),
        body: replies::issue().to_string().into_bytes(),
        ..Reply::default()
    };
    let moved = "https://api.github.com/repositories/9/issues/1347";
    let mut canned = Canned::default().result(&url, Ok(reply(moved))).json(
        &format!("{moved}/comments?per_page=100&page=1"),
        &replies::comments(),
    );
    let thread_ = shown(&mut canned, ask(Kind::Issue, 7, Some(1)));
    has(
        &thread_.notes.join("\n"),
        &["issue 7 was transferred, and has number 1347 there"],
    );
    has(&thread_.comments.unwrap(), &["Me too"]);
    // The links are those of the repository that the reply names.
    let mut issue = replies::issue();
    for field in ["html_url", "repository_url"] {
        issue["html_url"] = Value::Null;
        issue[field] = json!(match field {
            "html_url" => "https://github.com/new/home/issues/1347",
            _ => "https://api.github.com/repos/new/home",
        });
        let elsewhere = Reply {
            url: moved.to_owned(),
            body: issue.to_string().into_bytes(),
            ..Reply::default()
        };
        let mut canned = Canned::default().result(&url, Ok(elsewhere));
        let thread = shown(&mut canned, ask(Kind::Issue, 7, None));
        has(&thread.head, &["(new/home#1347)"]);
        has(
            &thread.notes.join("\n"),
            &[
                "issue 7 was transferred, and has number 1347 in new/home",
                "`issue://new/home/1347`",
            ],
        );
    }
    let mut canned = Canned::default().result(&url, Ok(reply("https://evil.example/issues/1347")));
    assert!(thread(&mut canned, &forge(), &ask(Kind::Issue, 7, Some(1))).is_err());
}

#[test]
fn comment_that_the_fragment_names_is_shown() {
    // <https://docs.github.com/en/rest/issues/comments#get-an-issue-comment>
    let mut comment = json!({
        "id": 99, "body": "Far away", "user": {"login": "octocat"}, "unknown": 1, "updated_at": null,
        "issue_url": "https://api.github.com/repos/octocat/Hello-World/issues/1347"
    });
    let url = format!("{ISSUE}#issuecomment-99");
    let canned = |comment: &Value| issue().json(&format!("{API}/issues/comments/99"), comment);
    let page_ = page(&url, &mut canned(&comment));
    assert!(
        page_
            .markdown
            .ends_with("\n\n## Comment by @octocat (#issuecomment-99)\n\nFar away\n"),
        "{}",
        page_.markdown
    );
    has(
        &page_.notes.join("\n"),
        &["the last comment is the one that the fragment names"],
    );
    comment["issue_url"] = json!("https://api.github.com/repos/octocat/Hello-World/issues/1");
    let wrong = page(&url, &mut canned(&comment));
    assert!(!wrong.markdown.contains("Far away"));
    has(
        &wrong.notes.join("\n"),
        &["left out: the service answers with a comment on something else"],
    );
    // A comment that is shown anyway, and fragments of other kinds.
    for fragment in [
        "issuecomment-2",
        "issuecomment-x",
        "new_comment_field",
        "issuecomment-",
    ] {
        let mut canned = issue();
        page(&format!("{ISSUE}#{fragment}"), &mut canned);
        assert_eq!(canned.requests.len(), 2, "{fragment}");
    }
    let mut canned = pull().json(
        &format!("{API}/pulls/comments/98"),
        &json!({"id": 98, "body": "x", "path": "a.rs"}),
    );
    has(
        &page(&format!("{PULL}#discussion_r98"), &mut canned).markdown,
        &["## Comment on `a.rs` by a deleted user (#discussion_r98)"],
    );
}

#[test]
fn code_that_ends_as_a_heading_does_not_replace_the_comment_that_the_fragment_names() {
    let mut value = replies::issue();
    value["body"] = json!("```\n## a (#issuecomment-99)\n## Comment by b (#issuecomment-99)\n```");
    let comment = json!({"id": 99, "body": "Far away", "user": {"login": "octocat"}});
    let mut canned = issue()
        .json(&format!("{API}/issues/1347"), &value)
        .json(&format!("{API}/issues/comments/99"), &comment);
    let page = page(&format!("{ISSUE}#issuecomment-99"), &mut canned);
    has(
        &page.markdown,
        &[
            "\n## a (#issuecomment-99)\n\\## Comment by b (#issuecomment-99)\n",
            "\nFar away\n",
        ],
    );
}

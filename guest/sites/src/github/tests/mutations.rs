//! Each field of each reply is replaced by a value of another type. A page is written, or the reply is wrong: there
//! is no panic, and no empty page.

use super::{API, SITE, read, replies};
use crate::canned::Canned;
use crate::handler::Found;
use crate::service::Fault;
use serde_json::{Value, json};

type Replies = Vec<(String, Value)>;

/// The pages, each with its replies.
fn pages() -> Vec<(String, Replies)> {
    let page = |page: &str, replies: &[(&str, Value)]| {
        let replies = replies
            .iter()
            .map(|(path, value)| (format!("{API}{path}"), value.clone()));
        (format!("{SITE}{page}"), replies.collect::<Replies>())
    };
    let gist = "2decf6c462d9b4418f2aaaaaaaaaaaaa";
    let gist_replies = vec![(
        format!("https://api.github.com/gists/{gist}"),
        replies::gist(),
    )];
    let search = "https://api.github.com/search/issues?q=repo%3Aoctocat%2FHello-World%20is%3Aissue%20x&per_page=30&page=1";
    vec![
        page(
            "/issues/1347",
            &[
                ("/issues/1347", replies::issue()),
                (
                    "/issues/1347/comments?per_page=100&page=1",
                    replies::comments(),
                ),
            ],
        ),
        page(
            "/pull/12",
            &[
                ("/pulls/12", replies::pull()),
                (
                    "/issues/12/comments?per_page=100&page=1",
                    replies::comments(),
                ),
                ("/pulls/12/reviews?per_page=100&page=1", replies::reviews()),
                (
                    "/pulls/12/comments?per_page=100&page=1",
                    replies::review_comments(),
                ),
            ],
        ),
        page(
            "/issues/12",
            &[
                ("/issues/12", replies::issue_of_pull()),
                ("/pulls/12", replies::pull()),
            ],
        ),
        page(
            "/issues",
            &[(
                "/issues?state=open&sort=created&direction=desc&per_page=100&page=1",
                replies::issues(),
            )],
        ),
        page(
            "/pulls",
            &[(
                "/pulls?state=open&sort=created&direction=desc&per_page=30&page=1",
                replies::pulls(),
            )],
        ),
        (
            format!("{SITE}/issues?q=x"),
            vec![(search.to_owned(), replies::search())],
        ),
        page(
            "",
            &[
                ("", replies::repository()),
                ("/contents/", replies::content_directory()),
            ],
        ),
        page(
            "/blob/main/src/a.rs",
            &[("/contents/src/a.rs?ref=main", replies::content_file())],
        ),
        page(
            "/tree/main/src",
            &[("/contents/src?ref=main", replies::content_directory())],
        ),
        page(
            "/tree/main/test/qunit",
            &[(
                "/contents/test/qunit?ref=main",
                replies::content_submodule(),
            )],
        ),
        page(
            "/tree/feature/x/src",
            &[
                (
                    "/git/matching-refs/heads/feature/x?per_page=100",
                    replies::refs(),
                ),
                ("/git/matching-refs/tags/feature/x?per_page=100", json!([])),
                (
                    "/contents/src?ref=feature%2Fx",
                    replies::content_directory(),
                ),
            ],
        ),
        page(
            "/commit/6dcb09b",
            &[("/commits/6dcb09b", replies::commit())],
        ),
        page(
            "/commits/main",
            &[("/commits?per_page=30&page=1&sha=main", replies::commits())],
        ),
        page(
            "/compare/master...topic",
            &[("/compare/master...topic", replies::comparison())],
        ),
        page(
            "/releases/tag/v1.0.0",
            &[("/releases/tags/v1.0.0", replies::release())],
        ),
        page(
            "/releases",
            &[("/releases?per_page=10&page=1", json!([replies::release()]))],
        ),
        (
            format!("https://gist.github.com/octocat/{gist}"),
            gist_replies,
        ),
        page(
            "/actions/runs/30433642",
            &[
                ("/actions/runs/30433642", replies::run()),
                ("/actions/runs/30433642/jobs?per_page=100", replies::jobs()),
            ],
        ),
    ]
}

/// The paths of all values in a value, as JSON pointers (RFC 6901).
fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                pointers(
                    inner,
                    &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")),
                    out,
                );
            }
        }
        Value::Array(elements) => {
            for (index, inner) in elements.iter().enumerate() {
                pointers(inner, &format!("{at}/{index}"), out);
            }
        }
        _ => {}
    }
}

#[test]
fn fields_of_other_types_are_never_a_panic_or_an_empty_page() {
    let others = [
        json!(null),
        json!(true),
        json!(-1),
        json!(u64::MAX),
        json!(1.5e300),
        json!(""),
        json!("é\u{0}\n## Comment by @root\n```"),
        json!("T"),
        json!([]),
        json!([null, [1], {"a": 1}]),
        json!({}),
    ];
    let mut read_pages = 0;
    for (url, replies) in pages() {
        for (index, (_, reply)) in replies.iter().enumerate() {
            let mut all = Vec::new();
            pointers(reply, "", &mut all);
            for (pointer, other) in all
                .iter()
                .flat_map(|pointer| others.iter().map(move |other| (pointer, other)))
            {
                let mut changed = reply.clone();
                *changed.pointer_mut(pointer).unwrap() = other.clone();
                let mut canned = Canned::default();
                for (at, (api, value)) in replies.iter().enumerate() {
                    canned = canned.json(api, if at == index { &changed } else { value });
                }
                match read(&url, &mut canned) {
                    Some(Ok(Found::Page(page))) => {
                        read_pages += 1;
                        let has_title =
                            page.markdown.starts_with("# ") && page.markdown.ends_with('\n');
                        assert!(has_title, "{url} {pointer} {other}: {}", page.markdown);
                        let forged = page
                            .markdown
                            .lines()
                            .any(|line| line == "## Comment by @root");
                        let in_code = page.markdown.contains("````")
                            || url.contains("gist")
                            || url.contains("commit");
                        assert!(!forged || in_code, "{url} {pointer}: {}", page.markdown);
                    }
                    Some(Ok(Found::File { .. }) | Err(Fault::Wrong(_) | Fault::Missing(_))) => {}
                    other => panic!("{url} {pointer}: {other:?}"),
                }
            }
        }
    }
    assert!(read_pages > 3000, "{read_pages}");
}

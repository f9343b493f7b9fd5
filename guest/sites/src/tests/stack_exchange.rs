//! Replies after <https://api.stackexchange.com/docs>: `questions-by-ids`, `answers-on-questions`,
//! `answers-by-ids`, `comments-on-posts`, `wrapper` and `error-handling`.

use super::{Case, found, page, unknown};
use crate::canned::Canned;
use crate::service::Fault;
use serde_json::{Value, json};

/// The URL of a request.
fn api(method: &str, more: &str) -> &'static str {
    let url = format!(
        "https://api.stackexchange.com/2.3/{method}?site=unix.stackexchange.com&filter=withbody{more}"
    );
    Box::leak(url.into_boxed_str())
}

const VOTES: &str = "&order=desc&sort=votes&pagesize=30";
const OLDEST: &str = "&order=asc&sort=creation&pagesize=100";

fn question() -> Value {
    json!({
        "items": [{
            "question_id": 5, "title": "How to &quot;list&quot; files &amp; sizes?", "body": "<p>With <code>ls</code></p>",
            "score": -2, "view_count": 700, "answer_count": 40, "accepted_answer_id": 8, "is_answered": true,
            "tags": ["ls", null, "files"], "owner": {"display_name": "Ann &amp; Co", "user_id": 1}, "link": null,
            "creation_date": 0, "last_edit_date": 60, "closed_reason": "Duplicate", "content_license": null,
        }],
        "has_more": false, "quota_max": 300, "quota_remaining": 200, "backoff": 10,
    })
}

fn answers() -> Value {
    json!({
        "items": [
            {"answer_id": 7, "question_id": 5, "score": 9, "is_accepted": false, "body": "<h1># Use du</h1>",
             "owner": null, "creation_date": 120},
            {"answer_id": 8, "question_id": 5, "score": 4, "is_accepted": true, "body": "Use ls", "owner":
             {"display_name": "bob"}, "creation_date": 180, "last_edit_date": null},
        ],
        "has_more": true, "quota_remaining": 199,
    })
}

fn comments() -> Value {
    json!({"items": [
        {"comment_id": 1, "post_id": 8, "score": 3, "body": "Not <b>portable</b>\n# no", "creation_date": 240,
         "owner": {"display_name": "cat"}},
        {"comment_id": 2, "post_id": 5, "score": 0, "body": "Which system?", "owner": {"display_name": "dan"}},
        {"comment_id": 3, "post_id": null}, {"comment_id": 4, "post_id": 8, "body": null},
    ], "has_more": false})
}

pub fn cases() -> Vec<Case> {
    let replies = vec![
        (api("questions/5", ""), question()),
        (api("questions/5/answers", VOTES), answers()),
        (api("posts/5;8;7/comments", OLDEST), comments()),
    ];
    let mut linked = vec![(
        api("answers/6", ""),
        json!({"items": [{"answer_id": 6, "question_id": 5, "body": "x"}]}),
    )];
    linked.extend(replies.iter().take(2).cloned());
    linked.push((api("posts/5;6;8;7/comments", OLDEST), comments()));
    vec![
        Case {
            url: "https://unix.stackexchange.com/questions/5/how-to-list",
            json: replies,
            html: vec![],
        },
        Case {
            url: "https://unix.stackexchange.com/a/6/1",
            json: linked,
            html: vec![],
        },
    ]
}

#[test]
fn question_has_answers_and_comments() {
    let (page, urls) = cases()[0].page();
    let expected = "# How to \"list\" files & sizes?

- Score: -2
- Asked: Ann & Co, 1970-01-01 00:00 UTC
- Edited: 1970-01-01 00:01 UTC
- Tags: ls, files
- Views: 700
- Closed: Duplicate
- URL: https://unix.stackexchange.com/questions/5

With ls

Comments:

- dan: Which system?

## 40 answers

### Answer 8, score 4, bob, 1970-01-01 00:03 UTC (accepted)

Use ls

Comments:

- cat, 1970-01-01 00:04 UTC, score 3: Not portable # no

### Answer 7, score 9, 1970-01-01 00:02 UTC

#### Use du

[38 more answers: https://unix.stackexchange.com/questions/5?answertab=votes&page=2]
";
    assert_eq!(page.markdown, expected);
    let notes = [
        "38 more answers: https://unix.stackexchange.com/questions/5?answertab=votes&page=2",
        "The service asks to wait 10 seconds before more requests.",
    ];
    assert_eq!(page.notes, notes);
    assert_eq!(urls.len(), 3);
}

#[test]
fn linked_answer_is_first() {
    let (page, urls) = cases()[1].page();
    let at = |text: &str| {
        page.markdown
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {}", page.markdown))
    };
    assert!(at("### Answer 6 (linked)") < at("### Answer 8"));
    assert_eq!(urls.len(), 4);
    for url in [
        "https://unix.stackexchange.com/questions/5/how-to-list/7#7",
        "https://unix.stackexchange.com/q/5/1#7",
    ] {
        let page = super::page(url, &mut cases()[0].service());
        let linked = page
            .markdown
            .find("### Answer 7, score 9, 1970-01-01 00:02 UTC (linked)");
        assert!(
            linked < page.markdown.find("### Answer 8") && linked.is_some(),
            "{}",
            page.markdown
        );
    }
}

#[test]
fn few_requests_left_comments_are_left_out() {
    let mut answers = answers();
    answers["quota_remaining"] = json!(19);
    let mut service = cases()[0]
        .service()
        .json(api("questions/5/answers", VOTES), &answers);
    let page = page(cases()[0].url, &mut service);
    assert_eq!(
        page.notes[0],
        "The comments are missing: few requests are left today."
    );
    assert_eq!(service.requests.len(), 2);
}

#[test]
fn errors_of_the_service_are_faults() {
    let answer = |reply: &Value| {
        found(
            cases()[0].url,
            &mut Canned::default().json(api("questions/5", ""), reply),
        )
    };
    let error = |id: u64, message: &str| json!({"error_id": id, "error_name": "x", "error_message": message});
    let limited = error(
        502,
        "too many requests from this IP, more requests available in 5834 seconds",
    );
    assert_eq!(
        answer(&limited),
        Some(Err(Fault::Limited(Some(1_795_924_140 + 5834))))
    );
    assert_eq!(
        answer(&error(502, "simulated")),
        Some(Err(Fault::Limited(None)))
    );
    let mut backoff = error(502, "too many requests from this IP");
    backoff["backoff"] = json!(30);
    assert_eq!(
        answer(&backoff),
        Some(Err(Fault::Limited(Some(1_795_924_140 + 30))))
    );
    let refused = Fault::Refused("api.stackexchange.com".to_owned());
    assert_eq!(answer(&error(403, "x")), Some(Err(refused)));
    assert_eq!(
        answer(&error(400, "x")),
        Some(Err(Fault::Wrong("the error 400".to_owned())))
    );
    let missing = Fault::Missing("https://unix.stackexchange.com/questions/5".to_owned());
    assert_eq!(answer(&json!({"items": []})), Some(Err(missing)));
    let other = Fault::Wrong("6 instead of 5".to_owned());
    assert_eq!(
        answer(&json!({"items": [{"question_id": 6}]})),
        Some(Err(other))
    );
}

#[test]
fn other_pages_are_not_handled() {
    unknown(&[
        "https://stackoverflow.com/",
        "https://stackoverflow.com/questions",
        "https://stackoverflow.com/questions/tagged/rust",
        "https://stackoverflow.com/users/1/ann",
        "https://api.stackexchange.com/questions/5",
        "https://chat.stackexchange.com/q/5",
        "https://stackexchange.com/questions/5",
        "https://stackoverflow.com.evil.example/questions/5",
        "https://stackoverflow.com/questions/99999999999999999999",
    ]);
}

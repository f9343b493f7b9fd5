//! Tests of pages that have a handler, which fails.

use super::*;
use crate::world::Http as _;

const PAGE: &str = "https://github.com/o/r/issues/1";
const ISSUE: &str = "https://api.github.com/repos/o/r/issues/1";

/// An issue in JSON. `more` is a text in its description.
fn issue(more: &str) -> MemoryResponse {
    let body = format!("{{\"number\": 1, \"title\": \"From the API\", \"body\": \"{more}\"}}");
    MemoryResponse::new(200, body).header("Content-Type", "application/json")
}

#[test]
fn page_is_read_if_its_handler_takes_too_long() {
    for (response, why) in [
        // A request that hangs.
        (
            MemoryResponse::hangs(15_000),
            "the server did not answer within 15000 ms",
        ),
        // A body whose parts arrive slowly.
        (
            issue(&"x".repeat(60_000)).slow(7_000),
            "the server did not answer within 20000 ms",
        ),
    ] {
        let (mut world, http) = world(&[(ISSUE, response), (PAGE, article("From the page"))]);
        let (head, body) = shown(&mut world, PAGE);
        assert!(body.contains("# From the page"), "{body}");
        assert!(head.contains("the handler `github` was not used"), "{head}");
        assert!(head.contains(why), "{head}");
        assert!(http.millis() < 35_000, "{}", http.millis());
    }
}

#[test]
fn requests_of_a_handler_end_after_one_that_hangs() {
    let api = "https://api.github.com/repos/o/r";
    let repository = MemoryResponse::new(200, "{\"full_name\": \"o/r\"}")
        .header("Content-Type", "application/json");
    let pages = [
        (api, repository),
        (
            "https://api.github.com/repos/o/r/contents/",
            MemoryResponse::hangs(15_000),
        ),
    ];
    let (mut world, http) = world(&pages);
    let (head, _) = shown(&mut world, "https://github.com/o/r");
    for note in [
        "the files are left out: the server did not answer within 15000 ms",
        "the README is left out: the server did not answer within 20000 ms \
         (the rest of the time is for the page itself)",
    ] {
        assert!(head.contains(note), "{head}");
    }
    assert_eq!(http.requests().len(), 2);
}

#[test]
fn reply_over_the_limit_is_a_limit() {
    let large = issue(&"x".repeat(5 << 20));
    let (mut world, _) = world(&[(ISSUE, large.clone()), (PAGE, article("From the page"))]);
    let (head, body) = shown(&mut world, PAGE);
    assert!(body.contains("# From the page"), "{body}");
    let why = "the reply is larger than the limit of 4 MiB";
    assert!(head.contains(why), "{head}");
    let failure = Dialect::Omp.read("issue://o/r/1", &exact(), &mut world);
    let failure = failure.unwrap_err().failure;
    assert_eq!(failure.reason, Reason::limit("reply-bytes", 4 << 20));
    assert!(failure.message.ends_with(why), "{}", failure.message);
    assert!(
        failure
            .hint
            .is_some_and(|hint| hint.contains("`?limit=10`"))
    );
}

#[test]
fn error_of_stack_exchange_says_when_requests_are_possible() {
    let api =
        "https://api.stackexchange.com/2.3/questions/5?site=unix.stackexchange.com&filter=withbody";
    let page = "https://unix.stackexchange.com/questions/5/title";
    let error = |text: &str| {
        MemoryResponse::new(400, text).header("Content-Type", "application/json; charset=utf-8")
    };
    for (reply, why) in [
        (
            error("{\"error_id\": 502, \"error_name\": \"throttle_violation\", \"backoff\": 60}"),
            "the limit of requests is reached until 1970-01-01 00:01 UTC",
        ),
        (error("<html>"), "JSON"),
    ] {
        let (mut world, _) = world(&[(api, reply), (page, article("From the page"))]);
        world.now = 0;
        let (head, body) = shown(&mut world, page);
        assert!(body.contains("# From the page"), "{body}");
        assert!(head.contains(why), "{head}");
    }
}

use super::super::{Filter, Forge, Kind, State, list};
use super::{API, SITE, has, page, read, replies, service, with_next};
use crate::canned::Canned;
use crate::service::Fault;
use serde_json::{Value, json};

fn forge() -> Forge {
    Forge::new("github.com", "octocat", "Hello-World", None)
}

#[test]
fn listing_of_issues_leaves_out_pull_requests() {
    let path = "/issues?state=open&sort=created&direction=desc&per_page=100&page=1";
    let page = page(
        &format!("{SITE}/issues"),
        &mut service(&[(path, replies::issues())]),
    );
    assert_eq!(
        page.markdown,
        "# Open issues of octocat/Hello-World

- #1347 Found a bug [bug] by @octocat, 2011-04-22, 1 comment
- #1345 (without a title) by a deleted user, closed
"
    );
    has(
        &page.notes.join("\n"),
        &["`https://github.com/octocat/Hello-World/issues/1347`"],
    );
}

#[test]
fn listing_of_pull_requests_has_their_states() {
    let path = "/pulls?state=all&sort=created&direction=desc&per_page=30&page=1";
    let page = page(
        &format!("{SITE}/pulls?state=all"),
        &mut service(&[(path, replies::pulls())]),
    );
    assert_eq!(
        page.markdown,
        "# Pull requests of octocat/Hello-World

- #12 Amazing by @octocat, 2011-01-26, draft
- #11 Done by a deleted user, merged
"
    );
    let filter = Filter {
        state: State::Merged,
        author: Some("octo cat".to_owned()),
        labels: vec!["a b".to_owned(), "c".to_owned()],
        ..Filter::default()
    };
    let path = "/issues?state=closed&sort=created&direction=desc&per_page=100&creator=octo%20cat&labels=a%20b%2Cc&page=1";
    let mut canned = service(&[(path, replies::issues())]);
    let page = list(&mut canned, &forge(), Kind::Pull, &filter).unwrap();
    assert_eq!(
        page.markdown,
        "# Merged pull requests of octocat/Hello-World by @octo cat with the labels a b, c\n\n- #1346 A pull request by a deleted user, merged\n"
    );
}

#[test]
fn listing_names_its_next_page_and_its_limit() {
    let many: Vec<Value> = (1..=100)
        .map(|n| json!({"number": n, "title": "t"}))
        .collect();
    let url = |page: u64| {
        format!("{API}/issues?state=all&sort=created&direction=desc&per_page=100&page={page}")
    };
    let all = |mut canned: Canned, entries: &Value| {
        for page in 1..=9 {
            canned = canned.result(&url(page), Ok(with_next(entries)));
        }
        canned
    };
    let filter = Filter {
        state: State::All,
        limit: 60,
        page: 2,
        ..Filter::default()
    };
    let mut canned = all(Canned::default(), &json!(many));
    let page = list(&mut canned, &forge(), Kind::Issue, &filter).unwrap();
    assert_eq!(canned.requests.len(), 2);
    assert_eq!(
        page.markdown
            .lines()
            .filter(|line| line.starts_with("- "))
            .count(),
        60
    );
    has(&page.markdown, &["- #61 ", "- #20 "]);
    has(
        &page.notes.join("\n"),
        &["read `issue://octocat/Hello-World?state=all&limit=60&page=3`"],
    );
    // Issues that are rare among pull requests.
    let pulls: Vec<Value> = (1..=100)
        .map(|n| json!({"number": n, "pull_request": {}}))
        .collect();
    let mut canned = all(Canned::default(), &json!(pulls));
    let page = list(&mut canned, &forge(), Kind::Issue, &filter).unwrap();
    assert_eq!(canned.requests.len(), 5);
    has(&page.markdown, &["There are no such issues"]);
    has(
        &page.notes.join("\n"),
        &[
            "only the newest 500 issues and pull requests were looked at: `https://github.com/octocat/Hello-World/issues?q=is%3Aissue`",
        ],
    );
}

#[test]
fn search_has_its_number_of_results() {
    let url = "https://api.github.com/search/issues?q=repo%3Aoctocat%2FHello-World%20is%3Aissue%20windows&per_page=30&page=2";
    let page = page(
        &format!("{SITE}/issues?q=is%3Aissue+windows&page=2"),
        &mut Canned::default().json(url, &replies::search()),
    );
    has(
        &page.markdown,
        &[
            "for `is:issue windows`",
            "- #132 Line Number Indexes Beyond 20 Not Displayed by @Nick3C\n",
        ],
    );
    has(
        &page.notes.join("\n"),
        &["249 results more", "&page=3`", "the search ended early"],
    );
    // A query that does not say its kind has that of the page.
    let pulls = "https://api.github.com/search/issues?q=repo%3Aoctocat%2FHello-World%20is%3Apull-request%20windows&per_page=30&page=1";
    let mut canned = Canned::default().json(pulls, &replies::search());
    has(
        &super::page(&format!("{SITE}/pulls?q=windows"), &mut canned)
            .notes
            .join("\n"),
        &["/pulls?q=windows&page=2`"],
    );
    let mut canned = Canned::default().result(url, Err(Fault::Failed(422)));
    let hidden = read(
        &format!("{SITE}/issues?q=is%3Aissue+windows&page=2"),
        &mut canned,
    );
    assert!(matches!(hidden, Some(Err(Fault::Missing(_)))));
}

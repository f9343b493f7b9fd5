//! Replies after <https://github.com/HackerNews/API> (items) and <https://hn.algolia.com/api> (`items/:id`).

use super::{Case, found, page, unknown};
use crate::canned::Canned;
use crate::limits;
use crate::service::Fault;
use serde_json::{Value, json};

const ITEM: &str = "https://hacker-news.firebaseio.com/v0/item/8863.json";
const TREE: &str = "https://hn.algolia.com/api/v1/items/8863";
const PAGE: &str = "https://news.ycombinator.com/item?id=8863";

fn story() -> Value {
    json!({
        "by": "ann", "descendants": 4, "id": 8863, "kids": [30, 10], "score": 111, "time": 1_175_714_200, "text": null,
        "title": "My app", "type": "story", "url": "https://example.com/app", "dead": null,
    })
}

fn tree() -> Value {
    json!({
        "id": 8863, "author": "ann", "title": "My app", "points": 111, "parent_id": null, "options": [null],
        "children": [
            {"id": 10, "author": "bob", "created_at": "2007-04-04T19:16:40.000Z", "created_at_i": 1_175_714_200,
             "text": "<p># First</p>", "parent_id": 8863, "children": [
                {"id": 11, "author": null, "text": null, "children": []},
             ]},
            {"id": 30, "author": "cat", "text": "Second", "children": null},
        ],
    })
}

pub fn cases() -> Vec<Case> {
    vec![
        Case {
            url: PAGE,
            json: vec![(ITEM, story()), (TREE, tree())],
            html: vec![],
        },
        Case {
            url: "https://news.ycombinator.com/item?id=10#11",
            json: vec![(
                "https://hacker-news.firebaseio.com/v0/item/10.json",
                json!({"id": 10, "by": "bob", "type": "comment", "parent": 8863, "text": "A<p>B", "time": 0}),
            )],
            html: vec![],
        },
    ]
}

#[test]
fn story_has_its_comments_in_the_order_of_the_site() {
    let (page, urls) = cases()[0].page();
    let expected = "# My app

- URL: https://example.com/app
- Points: 111
- By: ann
- Time: 2007-04-04 19:16 UTC

## Comments

- **cat**, id 30

  Second
- **bob**, 2007-04-04 19:16 UTC, id 10

  #### First
  - **[deleted]**, id 11

    [deleted]
";
    assert_eq!(page.markdown, expected);
    assert_eq!(
        page.notes,
        [format!("The search has 3 of 4 comments; {PAGE} has all.")]
    );
    assert_eq!(urls, [ITEM, TREE]);
}

#[test]
fn comment_without_replies_is_one_request() {
    let (page, urls) = cases()[1].page();
    let expected = "# Comment by bob

- By: bob
- Time: 1970-01-01 00:00 UTC
- Parent: https://news.ycombinator.com/item?id=8863

AB
";
    assert_eq!(page.markdown, expected);
    assert_eq!(urls.len(), 1);
}

#[test]
fn comments_above_the_limit_are_counted() {
    let children = (0..limits::COMMENTS + 3).map(|id| json!({"id": id, "text": "x"}));
    let tree = json!({"id": 8863, "children": children.collect::<Vec<_>>()});
    let mut service = Canned::default().json(ITEM, &story()).json(TREE, &tree);
    let page = page(PAGE, &mut service);
    let end = format!("[3 more comments of 503: {PAGE}]\n");
    assert!(page.markdown.ends_with(&end), "{}", page.markdown);
    assert_eq!(
        page.notes,
        [format!(
            "3 more comments: {PAGE} (`:raw` has all), or the URL of a comment"
        )]
    );
}

#[test]
fn missing_or_other_item_is_a_fault() {
    let mut service = Canned::default().json(ITEM, &Value::Null);
    assert_eq!(
        found(PAGE, &mut service),
        Some(Err(Fault::Missing(ITEM.to_owned())))
    );
    let mut service = Canned::default().json(ITEM, &json!({"id": 1}));
    let wrong = Some(Err(Fault::Wrong("1 instead of 8863".to_owned())));
    assert_eq!(found(PAGE, &mut service), wrong);
    let mut service = Canned::default()
        .json(ITEM, &story())
        .json(TREE, &json!({"id": 1}));
    assert_eq!(found(PAGE, &mut service), wrong);
}

#[test]
fn lists_are_not_handled() {
    unknown(&[
        "https://news.ycombinator.com/",
        "https://news.ycombinator.com/newest",
        "https://news.ycombinator.com/item",
        "https://news.ycombinator.com/item?id=x",
        "https://news.ycombinator.com/item?id=99999999999999999999",
        "https://news.ycombinator.com/user?id=ann",
    ]);
}

//! Hacker News: a story or a comment with its comments.
//!
//! The official API (<https://github.com/HackerNews/API>) has one request for each comment. The search that Hacker
//! News has on each of its pages (<https://hn.algolia.com/api>) answers with all comments of an item, so the item
//! itself and the order of its comments come from the official API, and their texts from that search. Lists such
//! as the front page are complete in their pages, so they are read as any other page.

use crate::address::{is_at, is_number, parameter};
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::limits;
use crate::nested::nested;
use crate::service::{Fault, Service};
use crate::text::{block, count, time};
use crate::value::Fields;
use crate::writer::Writer;
use serde_json::Value;
use url::Url;

/// Items.
pub struct HackerNews;

impl Handler for HackerNews {
    fn name(&self) -> &'static str {
        "hacker-news"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        if !is_at(url, &["news.ycombinator.com"]) || url.path() != "/item" {
            return None;
        }
        let id = parameter(url, "id").filter(|id| is_number(id))?;
        let id = id.parse().ok()?;
        Some(item(id, service))
    }
}

/// An item and its comments.
fn item(id: u64, service: &mut dyn Service) -> Result<Found, Fault> {
    let url = format!("https://hacker-news.firebaseio.com/v0/item/{id}.json");
    let value = crate::service::json(service, &url)?;
    if value.is_null() {
        return Err(Fault::Missing(url));
    }
    let found = value.number("id");
    if found != Some(id) {
        return Err(fetch::other(&id.to_string(), value.line("id").as_deref()));
    }
    let page_url = format!("https://news.ycombinator.com/item?id={id}");
    let author = value.line("by").unwrap_or_else(|| "[deleted]".to_owned());
    let title = value
        .line("title")
        .unwrap_or_else(|| format!("Comment by {author}"));
    let mut page = Writer::new(&title);
    page.fact("URL", value.line("url"));
    page.fact("Points", value.number("score").map(|it| it.to_string()));
    page.fact("By", Some(author));
    page.fact("Time", value.number("time").map(time));
    let parent = value.number("parent");
    page.fact(
        "Parent",
        parent.map(|it| format!("https://news.ycombinator.com/item?id={it}")),
    );
    for state in ["dead", "deleted"] {
        if value.is(state) {
            page.item(&format!("This item is {state}."));
        }
    }
    if let Some(text) = value.block("text") {
        let text = service.markdown(&text, &page_url);
        page.body(&text);
    }

    let order: Vec<u64> = value
        .list("kids")
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    let parts = value.list("parts");
    if order.is_empty() && parts.is_empty() {
        return Ok(page.page());
    }
    let tree = fetch::object(
        service,
        &format!("https://hn.algolia.com/api/v1/items/{id}"),
    )?;
    if tree.number("id") != Some(id) {
        return Err(fetch::other(&id.to_string(), tree.line("id").as_deref()));
    }
    options(&mut page, &tree);
    let placed = |child| {
        let number = Value::number(child, "id");
        let place = order.iter().position(|it| number == Some(*it));
        (place.unwrap_or(usize::MAX), child)
    };
    let mut children: Vec<(usize, &Value)> = tree.list("children").iter().map(placed).collect();
    // The sort is stable: comments that the official API does not list yet are last.
    omniread_document::order::by(&mut children, |a, b| a.0.cmp(&b.0));
    let children = children.into_iter().map(|(_, child)| child).collect();
    let comments = Comments {
        page_url: &page_url,
        service,
        shown: 0,
        left: 0,
        bytes: 0,
    };
    comments.write(&mut page, children, value.number("descendants"));
    Ok(page.page())
}

/// The options of a poll.
fn options(page: &mut Writer, tree: &Value) {
    let options = tree.list("options").iter();
    let options: Vec<String> = options
        .filter_map(|it| {
            let points = it.number("points").unwrap_or(0);
            Some(format!("{}: {}", it.line("text")?, count(points, "point")))
        })
        .collect();
    if !options.is_empty() {
        page.section("Options");
        page.items(&options, limits::LIST_ITEMS, "the page itself");
    }
}

/// Comments that are written.
struct Comments<'a> {
    page_url: &'a str,
    service: &'a mut dyn Service,
    shown: u64,
    left: u64,
    bytes: usize,
}

impl Comments<'_> {
    /// Writes comments and their replies: each one is an item of a list that is in the item of its parent, so no
    /// text of a comment is on the level of the page.
    fn write(mut self, page: &mut Writer, children: Vec<&Value>, total: Option<u64>) {
        page.section("Comments");
        // The comments that are next are last.
        let mut stack: Vec<(usize, &Value)> =
            children.into_iter().rev().map(|it| (0, it)).collect();
        let mut text = String::new();
        while let Some((depth, comment)) = stack.pop() {
            let replies = comment.list("children").iter().rev();
            stack.extend(replies.map(|it| (depth.saturating_add(1), it)));
            if self.shown >= limits::COMMENTS || self.bytes >= limits::DISCUSSION_BYTES {
                self.left = self.left.saturating_add(1);
                continue;
            }
            self.shown = self.shown.saturating_add(1);
            let comment = self.comment(comment, depth);
            self.bytes = self.bytes.saturating_add(comment.len());
            text.push_str(&comment);
        }
        let text = if text.is_empty() {
            "There are no comments."
        } else {
            text.trim_end()
        };
        page.block(text);
        if self.left > 0 {
            let (left, url) = (count(self.left, "more comment"), self.page_url);
            page.block(&format!(
                "[{left} of {}: {url}]",
                self.shown.saturating_add(self.left)
            ));
            page.note(format!(
                "{left}: {url} (`:raw` has all), or the URL of a comment"
            ));
        } else if let Some(total) = total.filter(|it| *it > self.shown) {
            let shown = self.shown;
            page.note(format!(
                "The search has {shown} of {total} comments; {} has all.",
                self.page_url
            ));
        }
    }

    /// A comment with its author and time, as an item of a list.
    fn comment(&mut self, comment: &Value, depth: usize) -> String {
        let author = comment
            .line("author")
            .unwrap_or_else(|| "[deleted]".to_owned());
        let time = comment
            .number("created_at_i")
            .map_or_else(String::new, |it| format!(", {}", time(it)));
        let id = comment
            .number("id")
            .map_or_else(String::new, |it| format!(", id {it}"));
        let indent = "  ".repeat(depth.min(limits::COMMENT_DEPTH));
        let level = if depth > limits::COMMENT_DEPTH {
            format!(", level {}", depth.saturating_add(1))
        } else {
            String::new()
        };
        let html = comment
            .block("text")
            .unwrap_or_else(|| "[deleted]".to_owned());
        let text = self.service.markdown(&html, self.page_url);
        let mut out = format!("{indent}- **{author}**{time}{id}{level}\n\n");
        for line in nested(&block(&text)).lines() {
            if line.is_empty() {
                out.push('\n');
            } else {
                out.push_str(&format!("{indent}  {line}\n"));
            }
        }
        out
    }
}

//! Stack Overflow and the other sites of the Stack Exchange network: a question with its answers and comments.
//!
//! The API is described in <https://api.stackexchange.com/docs>: `questions/{ids}`, `questions/{ids}/answers`,
//! `answers/{ids}` and `posts/{ids}/comments`, with the filter `withbody`
//! (<https://api.stackexchange.com/docs/filters>). A site is named by its domain.

use crate::address::{is_number, parts, segments};
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::html::unescape;
use crate::limits;
use crate::service::{Fault, Service};
use crate::text::{count, line, time};
use crate::value::Fields;
use crate::writer::{Writer, length};
use serde_json::Value;
use std::collections::BTreeMap;
use url::Url;

/// Questions and answers.
pub struct StackExchange;

/// Sites whose names do not end in `.stackexchange.com`.
const SITES: &[&str] = &[
    "askubuntu.com",
    "es.stackoverflow.com",
    "ja.stackoverflow.com",
    "mathoverflow.net",
    "meta.askubuntu.com",
    "meta.mathoverflow.net",
    "meta.serverfault.com",
    "meta.stackoverflow.com",
    "meta.superuser.com",
    "pt.stackoverflow.com",
    "ru.stackoverflow.com",
    "serverfault.com",
    "stackapps.com",
    "stackoverflow.com",
    "superuser.com",
];

/// Hosts of the network that are not sites with questions.
const OTHERS: &[&str] = &["api", "blog", "chat", "data", "elections", "openid", "www"];

impl Handler for StackExchange {
    fn name(&self) -> &'static str {
        "stack-exchange"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        let host = url.host_str().filter(|_| url.port().is_none())?;
        let host = host.strip_prefix("www.").unwrap_or(host);
        let of_network = host.strip_suffix(".stackexchange.com");
        if !SITES.contains(&host) && of_network.is_none_or(|it| OTHERS.contains(&it)) {
            return None;
        }
        let segments = segments(url);
        let number = |text: &str| text.parse().ok().filter(|_| is_number(text));
        let (question, answer) = match parts(&segments).as_slice() {
            ["questions" | "q", question] | ["questions" | "q", question, _] => {
                (Some(number(question)?), None)
            }
            ["questions", question, _, answer] => (Some(number(question)?), number(answer)),
            ["a", answer] | ["a", answer, _] => (None, Some(number(answer)?)),
            _ => return None,
        };
        // Older links to answers have their number as the fragment.
        let answer = answer.or_else(|| number(url.fragment()?));
        let mut site = Site {
            host,
            service,
            backoff: 0,
            quota: None,
        };
        Some(site.page(question, answer))
    }
}

/// Requests to one site.
struct Site<'a> {
    host: &'a str,
    service: &'a mut dyn Service,
    /// The longest time in seconds that the service asks to wait.
    backoff: u64,
    /// The number of requests that are left today.
    quota: Option<u64>,
}

impl Site<'_> {
    /// The page of a question, or of the question of an answer.
    fn page(&mut self, question: Option<u64>, answer: Option<u64>) -> Result<Found, Fault> {
        let mut linked = None;
        let question = match (question, answer) {
            (Some(question), _) => question,
            (None, Some(answer)) => {
                let item = self.answer(answer)?;
                let question = item.number("question_id");
                linked = Some(item);
                question.ok_or_else(|| Fault::Wrong("an answer without a question".to_owned()))?
            }
            (None, None) => return Err(Fault::Wrong("no question".to_owned())),
        };
        let reply = self.items(&format!("questions/{question}"), "")?;
        let found = reply.list("items").first().unwrap_or(&Value::Null);
        if reply.list("items").is_empty() {
            return Err(Fault::Missing(format!(
                "https://{}/questions/{question}",
                self.host
            )));
        }
        if found.number("question_id") != Some(question) {
            return Err(fetch::other(
                &question.to_string(),
                found.line("question_id").as_deref(),
            ));
        }
        let most = limits::ANSWERS;
        let more = format!("&order=desc&sort=votes&pagesize={most}");
        let reply = self.items(&format!("questions/{question}/answers"), &more)?;
        let mut answers: Vec<&Value> = reply.list("items").iter().collect();
        answers.retain(|it| it.number("question_id").is_none_or(|it| it == question));
        let is_linked = |it: &Value| answer.is_some() && it.number("answer_id") == answer;
        // An answer that is linked but not among those with the most votes.
        if let Some(answer) = answer
            && linked.is_none()
            && reply.is("has_more")
            && !answers.iter().any(|it| is_linked(it))
        {
            let other = self.answer(answer).ok();
            linked = other.filter(|it| it.number("question_id") == Some(question));
        }
        if let Some(linked) = &linked
            && !answers.iter().any(|it| is_linked(it))
        {
            answers.push(linked);
        }
        // The sort is stable, so the others stay in the order of their votes.
        let key = |it: &Value| (!is_linked(it), !it.is("is_accepted"));
        omniread_document::order::by(&mut answers, |a, b| key(a).cmp(&key(b)));

        let mut posts: Vec<String> = vec![question.to_string()];
        posts.extend(
            answers
                .iter()
                .filter_map(|it| it.number("answer_id"))
                .map(|it| it.to_string()),
        );
        let comments = self.comments(&posts);

        let title = found.line("title").map(|it| unescape(&it));
        let mut page = Writer::new(&title.unwrap_or_else(|| format!("Question {question}")));
        let comments = comments.unwrap_or_else(|why| {
            page.note(format!("The comments are missing: {why}."));
            Comments::default()
        });
        self.question(&mut page, found, question, &comments);
        let total = found
            .number("answer_count")
            .unwrap_or_else(|| length(&answers));
        page.section(&count(total.max(length(&answers)), "answer"));
        for answer in &answers {
            self.write_answer(&mut page, answer, is_linked(answer), &comments);
        }
        let left = total.saturating_sub(length(&answers));
        if left > 0 {
            let url = format!(
                "https://{}/questions/{question}?answertab=votes&page=2",
                self.host
            );
            page.block(&format!("[{}: {url}]", count(left, "more answer")));
            page.note(format!("{}: {url}", count(left, "more answer")));
        }
        if comments.has_more {
            page.note(
                "More comments are on the page itself: append `:raw` to the URL to read it."
                    .to_owned(),
            );
        }
        if self.backoff > 0 {
            page.note(format!(
                "The service asks to wait {} seconds before more requests.",
                self.backoff
            ));
        }
        Ok(page.page())
    }

    /// An answer.
    fn answer(&mut self, answer: u64) -> Result<Value, Fault> {
        let mut reply = self.items(&format!("answers/{answer}"), "")?;
        let items = reply.get_mut("items").and_then(Value::as_array_mut);
        let Some(item) = items.and_then(Vec::pop) else {
            return Err(Fault::Missing(format!("https://{}/a/{answer}", self.host)));
        };
        if item.number("answer_id") == Some(answer) {
            Ok(item)
        } else {
            Err(fetch::other(
                &answer.to_string(),
                item.line("answer_id").as_deref(),
            ))
        }
    }

    /// A reply with items.
    fn items(&mut self, method: &str, more: &str) -> Result<Value, Fault> {
        let url = format!(
            "https://api.stackexchange.com/2.3/{method}?site={}&filter=withbody{more}",
            self.host
        );
        // Its errors have status 400.
        let reply = fetch::object_or_error(self.service, &url)?;
        if let Some(error) = reply.number("error_id") {
            // <https://api.stackexchange.com/docs/error-handling>
            return Err(match error {
                404 => Fault::Missing(url),
                401..=403 => Fault::Refused("api.stackexchange.com".to_owned()),
                502 => Fault::Limited(self.until(&reply)),
                _ => Fault::Wrong(format!("the error {error}")),
            });
        }
        if reply.at("items").is_some_and(|it| !it.is_array()) {
            return Err(Fault::Wrong("items that are not a list".to_owned()));
        }
        self.backoff = self.backoff.max(reply.number("backoff").unwrap_or(0));
        self.quota = reply.number("quota_remaining").or(self.quota);
        Ok(reply)
    }

    /// The time at which the service accepts requests again: in `backoff` seconds, or the message of the error ends
    /// in `more requests available in 5834 seconds`.
    fn until(&mut self, reply: &Value) -> Option<u64> {
        let message = reply.line("error_message").unwrap_or_default();
        let stated = message
            .strip_suffix(" seconds")
            .and_then(|text| text.rsplit(' ').next()?.parse::<u64>().ok());
        let seconds = stated.max(reply.number("backoff"))?;
        Some(self.service.now().saturating_add(seconds))
    }

    /// The comments of posts, by their posts.
    fn comments(&mut self, posts: &[String]) -> Result<Comments, Fault> {
        if self.quota.is_some_and(|it| it < limits::QUOTA) {
            return Err(Fault::Unanswered("few requests are left today".to_owned()));
        }
        let posts: Vec<&str> = posts.iter().take(100).map(String::as_str).collect();
        let method = format!("posts/{}/comments", posts.join(";"));
        let reply = self.items(&method, "&order=asc&sort=creation&pagesize=100")?;
        let mut comments = Comments {
            has_more: reply.is("has_more"),
            ..Comments::default()
        };
        for item in reply.list("items") {
            if let Some(post) = item.number("post_id") {
                comments.by_post.entry(post).or_default().push(item.clone());
            }
        }
        Ok(comments)
    }

    /// Writes the question.
    fn question(&mut self, page: &mut Writer, found: &Value, id: u64, comments: &Comments) {
        page.fact("Score", score(found));
        page.fact("Asked", written(found));
        page.fact("Edited", found.number("last_edit_date").map(time));
        let tags: Vec<String> = found
            .list("tags")
            .iter()
            .filter_map(|it| Some(line(it.as_str()?, 50)))
            .collect();
        page.fact("Tags", (!tags.is_empty()).then(|| tags.join(", ")));
        page.fact("Views", found.number("view_count").map(|it| it.to_string()));
        page.fact(
            "Closed",
            found.line("closed_reason").map(|it| unescape(&it)),
        );
        page.fact("URL", Some(format!("https://{}/questions/{id}", self.host)));
        self.body(page, found);
        self.write_comments(page, id, comments);
    }

    /// Writes an answer.
    fn write_answer(
        &mut self,
        page: &mut Writer,
        answer: &Value,
        is_linked: bool,
        comments: &Comments,
    ) {
        let mut title = "Answer".to_owned();
        let id = answer.number("answer_id");
        if let Some(id) = id {
            title.push_str(&format!(" {id}"));
        }
        if let Some(score) = score(answer) {
            title.push_str(&format!(", score {score}"));
        }
        if let Some(written) = written(answer) {
            title.push_str(&format!(", {written}"));
        }
        for (is_so, state) in [
            (answer.is("is_accepted"), " (accepted)"),
            (is_linked, " (linked)"),
        ] {
            title.push_str(if is_so { state } else { "" });
        }
        page.part(&title);
        self.body(page, answer);
        if let Some(id) = id {
            self.write_comments(page, id, comments);
        }
    }

    /// Writes the body of a post.
    fn body(&mut self, page: &mut Writer, post: &Value) {
        let Some(html) = post.block("body") else {
            return;
        };
        let base = format!("https://{}/", self.host);
        page.body(&self.service.markdown(&html, &base));
    }

    /// Writes the comments of a post, each in one line.
    fn write_comments(&mut self, page: &mut Writer, post: u64, comments: &Comments) {
        let Some(list) = comments.by_post.get(&post) else {
            return;
        };
        page.block("Comments:");
        let base = format!("https://{}/", self.host);
        for comment in list {
            let Some(html) = comment.block("body") else {
                continue;
            };
            let text = line(&self.service.markdown(&html, &base), limits::COMMENT_CHARS);
            let by = written(comment).unwrap_or_default();
            let score = score(comment)
                .filter(|it| it != "0")
                .map_or_else(String::new, |it| format!(", score {it}"));
            page.item(&format!("{by}{score}: {text}"));
        }
    }
}

/// Comments by the number of their post.
#[derive(Default)]
struct Comments {
    by_post: BTreeMap<u64, Vec<Value>>,
    has_more: bool,
}

/// The score of a post, which may be below 0.
fn score(post: &Value) -> Option<String> {
    Some(post.at("score")?.as_i64()?.to_string())
}

/// The author of a post and the time.
fn written(post: &Value) -> Option<String> {
    let name = post.line("owner.display_name").map(|it| unescape(&it));
    let time = post.number("creation_date").map(time);
    match (name, time) {
        (Some(name), Some(time)) => Some(format!("{name}, {time}")),
        (name, time) => name.or(time),
    }
}

//! A service for tests, with replies that are written by hand.

use crate::service::{Fault, Reply, Request, Service};
use std::collections::BTreeMap;

/// Replies for URLs. A URL without a reply is missing.
#[derive(Default)]
pub struct Canned {
    replies: BTreeMap<String, Result<Reply, Fault>>,
    /// The URLs that were requested, in order, each with its `Accept`.
    pub requests: Vec<(String, &'static str)>,
}

impl Canned {
    /// Adds a reply in JSON.
    pub fn json(self, url: &str, body: &serde_json::Value) -> Self {
        self.body(url, "application/json", body.to_string().as_bytes())
    }

    /// Adds a reply with a type.
    pub fn body(self, url: &str, mime: &str, body: &[u8]) -> Self {
        let reply = Reply {
            url: url.to_owned(),
            mime: Some(mime.to_owned()),
            body: body.to_vec(),
            ..Reply::default()
        };
        self.result(url, Ok(reply))
    }

    /// Adds a reply or a fault.
    pub fn result(mut self, url: &str, result: Result<Reply, Fault>) -> Self {
        self.replies.insert(url.to_owned(), result);
        self
    }

    /// The URLs that were requested, in order.
    pub fn urls(&self) -> Vec<&str> {
        self.requests.iter().map(|(url, _)| url.as_str()).collect()
    }
}

impl Service for Canned {
    fn get(&mut self, request: &Request<'_>) -> Result<Reply, Fault> {
        self.requests.push((request.url.to_owned(), request.accept));
        let missing = || Err(Fault::Missing(request.url.to_owned()));
        self.replies
            .get(request.url)
            .cloned()
            .unwrap_or_else(missing)
    }

    /// HTML without its tags.
    fn markdown(&mut self, html: &str, _base: &str) -> String {
        let mut text = String::new();
        for part in html.split('<') {
            text.push_str(part.split_once('>').map_or(part, |(_, after)| after));
        }
        text
    }

    /// 2026-11-29 03:49 UTC.
    fn now(&mut self) -> u64 {
        1_795_924_140
    }
}

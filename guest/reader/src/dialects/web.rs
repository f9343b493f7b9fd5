//! The data of a reply about the response to a request for a web address.

use crate::web::{Facts, Method};
use serde::Serialize;

/// The response to a request for a web address.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Web<'a> {
    url: &'a str,
    final_url: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    redirects: &'a [String],
    status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_type: Option<&'a str>,
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    age: Option<u64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

impl<'a> Web<'a> {
    /// The data of these facts.
    pub fn of(facts: &'a Facts) -> Self {
        Self {
            url: &facts.url,
            final_url: &facts.final_url,
            redirects: &facts.redirects,
            status: facts.status,
            content_type: facts.content_type.as_deref(),
            method: facts.method.map(Method::name),
            age: facts.age,
            notes: &facts.notes,
        }
    }
}

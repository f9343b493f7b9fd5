//! Pages as server-sent events: each is sent as soon as it is read.
//!
//! The id of an event is the path of the next page. A client that connects again sends it as `Last-Event-ID`, as browsers
//! do by themselves, and goes on there. <https://html.spec.whatwg.org/multipage/server-sent-events.html>

use super::reads::Read;
use super::response::{Body, Gone};
use crate::bindings::omniread::read::types as wit;
use crate::bindings::wasi::http::types::ResponseOutparam;
use crate::json;
use crate::limits::PAGES;
use serde_json::{Value, json};

/// The id of the last event if nothing is left: no path, because it has only a selector.
const END: &str = ":end";

/// The type of a body with events.
const EVENTS: &str = "text/event-stream";

/// The pages of a read from one of them.
pub struct Events(Read);

impl Events {
    /// The pages of a read. `last` is the id of the last event that the client has. `None` if that was the end: then
    /// nothing is sent, and a browser does not connect again.
    pub fn new(read: Read, last: Option<String>) -> Option<Self> {
        match last {
            Some(last) if last == END => None,
            Some(last) if !last.is_empty() && read.of_path().is_some() => {
                Some(Self(read.with_path(last)))
            }
            _ => Some(Self(read)),
        }
    }

    /// Reads and sends page by page, until the content ends, a page fails, or there are enough.
    pub fn send(self, out: ResponseOutparam) -> Result<(), Gone> {
        let Self(mut read) = self;
        let mut body = Body::start(out, 200, EVENTS, &[], None)?;
        let mut pages = 0;
        let next = loop {
            let reply = match read.reply() {
                Ok(reply) => reply,
                Err(failure) => {
                    body.write(failed(&failure).as_bytes())?;
                    // A later page can be read again.
                    break read.of_path().filter(|_| pages > 0).map(str::to_owned);
                }
            };
            pages += 1;
            let next = reply.details.next.clone();
            let id = next.as_deref().unwrap_or(END);
            body.write(event("reply", &json::reply(&reply), Some(id)).as_bytes())?;
            match next {
                Some(next) if pages < PAGES && read.of_path().is_some() => {
                    read = read.with_path(next);
                }
                next => break next,
            }
        };
        // A client that connects again goes on, unless nothing is left.
        let id = next.as_deref().unwrap_or(END);
        let end = event("end", &json!({ "pages": pages, "next": next }), Some(id));
        body.write(end.as_bytes())?;
        body.finish()
    }
}

fn failed(failure: &wit::Failure) -> String {
    event("failure", &json::failure(failure), None)
}

/// One event. JSON has no line ending outside of its strings, and escapes those in them.
fn event(name: &str, data: &Value, id: Option<&str>) -> String {
    let id = match id {
        // A name can contain what an id cannot.
        Some(id) if !id.contains(['\n', '\r', '\0']) => format!("id: {id}\n"),
        _ => String::new(),
    };
    format!("event: {name}\n{id}data: {data}\n\n")
}

//! The share of the time of a read that the handler of a site may use. The page itself needs the rest, if the
//! handler fails.

use crate::failure::NetworkError;
use crate::limits;
use crate::world::{Http, HttpBody, HttpRequest, HttpResponse, RequestFailure};
use std::cell::Cell;
use std::rc::Rc;

/// The time that is left for a handler.
#[derive(Debug)]
struct Time {
    /// The time in milliseconds at which it ends. It ends at once if a request takes too long.
    end: Cell<u64>,
}

impl Time {
    /// Fails if no time is left.
    fn check(&self, http: &dyn Http) -> Result<(), RequestFailure> {
        if http.millis() < self.end.get() {
            return Ok(());
        }
        Err(RequestFailure {
            error: NetworkError::Timeout(limits::HANDLER_MILLIS),
            hint: Some("the rest of the time is for the page itself".to_owned()),
        })
    }

    /// Ends the time if a request has taken too long: others would take as long.
    fn note(&self, failure: &RequestFailure) {
        if matches!(failure.error, NetworkError::Timeout(_)) {
            self.end.set(0);
        }
    }
}

/// Requests of a handler, whose responses end after its share of the time.
pub struct Share {
    http: Rc<dyn Http>,
    time: Rc<Time>,
}

impl Share {
    /// Requests from now on.
    pub fn new(http: &Rc<dyn Http>) -> Self {
        let end = http.millis().saturating_add(limits::HANDLER_MILLIS);
        Self {
            http: Rc::clone(http),
            time: Rc::new(Time {
                end: Cell::new(end),
            }),
        }
    }

    /// The same requests whose bodies may take any time, for a file in place of the page.
    pub fn of_file(&self) -> Start {
        Start {
            http: Rc::clone(&self.http),
            time: Rc::clone(&self.time),
            has_answered: Cell::new(false),
        }
    }
}

impl Http for Share {
    fn send(&self, request: &HttpRequest<'_>) -> Result<HttpResponse, RequestFailure> {
        self.time.check(&*self.http)?;
        let sent = self.http.send(request);
        let response = sent.inspect_err(|failure| self.time.note(failure))?;
        let body = Box::new(Body {
            inner: response.body,
            http: Rc::clone(&self.http),
            time: Rc::clone(&self.time),
        });
        Ok(HttpResponse { body, ..response })
    }

    fn millis(&self) -> u64 {
        self.http.millis()
    }
}

/// Requests for a file, of which only the first response has to start in time.
pub struct Start {
    http: Rc<dyn Http>,
    time: Rc<Time>,
    has_answered: Cell<bool>,
}

impl Http for Start {
    fn send(&self, request: &HttpRequest<'_>) -> Result<HttpResponse, RequestFailure> {
        if self.has_answered.get() {
            return self.http.send(request);
        }
        self.time.check(&*self.http)?;
        let sent = self.http.send(request);
        let response = sent.inspect_err(|failure| self.time.note(failure))?;
        self.has_answered.set((200..300).contains(&response.status));
        Ok(response)
    }

    fn millis(&self) -> u64 {
        self.http.millis()
    }
}

/// The body of a response.
struct Body {
    inner: Box<dyn HttpBody>,
    http: Rc<dyn Http>,
    time: Rc<Time>,
}

impl HttpBody for Body {
    fn next(&mut self) -> Result<Option<Vec<u8>>, RequestFailure> {
        self.time.check(&*self.http)?;
        let part = self.inner.next();
        part.inspect_err(|failure| self.time.note(failure))
    }
}

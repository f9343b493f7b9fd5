//! The component: answers a request with what the reader says.

#![allow(
    unsafe_code,
    reason = "the generated bindings pass pointers across the boundary"
)]

mod events;
mod reads;
mod request;
mod response;

use crate::accept::{Form, form};
use crate::bindings::exports::wasi::http::incoming_handler;
use crate::bindings::omniread::read::{tools, types as wit};
use crate::bindings::wasi::cli::environment;
use crate::bindings::wasi::http::types::{IncomingRequest, ResponseOutparam};
use crate::json;
use crate::refused::Refused;
use crate::route::{Route, route};
use crate::token;
use events::Events;
use reads::{Read, outcome};
use request::Request;
use response::{JSON, Response, TEXT};
use serde_json::{Map, Value};

crate::bindings::export!(Server with_types_in crate::bindings);

struct Server;

impl incoming_handler::Guest for Server {
    fn handle(request: IncomingRequest, out: ResponseOutparam) {
        let request = Request::new(request);
        let form = form(request.list("accept").as_deref());
        // A client that has gone gets no response, and there is nobody else to say it to.
        let _ = match answer(&request, form) {
            Ok(Answer::Whole(response)) => response.send(out, request.is_head()),
            Ok(Answer::Events(events)) => events.send(out),
            Err(refused) => refusal(&refused, form).send(out, request.is_head()),
        };
    }
}

/// What a request is answered with.
enum Answer {
    /// A response that is known.
    Whole(Response),
    /// Pages, which are read while they are sent.
    Events(Events),
}

fn answer(request: &Request, form: Form) -> Result<Answer, Refused> {
    let route = route(&request.method(), &request.target())?;
    if route != Route::Health {
        authorize(request)?;
    }
    let read = match route {
        Route::Health => {
            return Ok(Answer::Whole(Response {
                status: 200,
                kind: TEXT,
                headers: Vec::new(),
                body: b"ok\n".to_vec(),
            }));
        }
        Route::Tools { dialect, current } => {
            return definitions(dialect.as_deref(), current).map(Answer::Whole);
        }
        Route::Read { path, settings } => Read::path(path, settings)?,
        Route::Call { settings } => Read::call(request.body()?, settings)?,
    };
    if form == Form::Events && !request.is_head() {
        let last = request.header("last-event-id");
        return Ok(match Events::new(read, last) {
            Some(events) => Answer::Events(events),
            None => Answer::Whole(Response {
                status: 204,
                kind: TEXT,
                headers: Vec::new(),
                body: Vec::new(),
            }),
        });
    }
    outcome(&read, form).map(Answer::Whole)
}

/// Checks who has sent a request.
fn authorize(request: &Request) -> Result<(), Refused> {
    let variables = environment::get_environment();
    let configured = variables.iter().find(|(name, _)| name == token::TOKEN);
    token::check(
        configured.map(|(_, value)| value.as_str()),
        request
            .header("authorization")
            .as_deref()
            .map(str::as_bytes),
        request.host().as_deref(),
        request.header("origin").is_some(),
    )
}

/// The definitions of the tools by dialect, or that of one.
fn definitions(dialect: Option<&str>, current: bool) -> Result<Response, Refused> {
    let all = if current {
        tools::current_definitions()
    } else {
        tools::definitions()
    };
    let named = |definition: &wit::Definition| reads::name(definition.dialect);
    let body = match dialect {
        Some(dialect) => {
            reads::dialect(dialect)?;
            let found = all.iter().find(|definition| named(definition) == dialect);
            found.map_or(Value::Null, json::definition)
        }
        None => all
            .iter()
            .map(|definition| (named(definition).to_owned(), json::definition(definition)))
            .collect::<Map<_, _>>()
            .into(),
    };
    Ok(Response {
        status: 200,
        kind: JSON,
        headers: Vec::new(),
        body: body.to_string().into_bytes(),
    })
}

/// The response to a request that is refused.
fn refusal(refused: &Refused, form: Form) -> Response {
    let mut headers = Vec::new();
    if let Some(allow) = refused.allow {
        headers.push(("allow", allow.to_owned()));
    }
    if refused.status == 401 {
        headers.push(("www-authenticate", "Bearer".to_owned()));
    }
    let (kind, body) = match form {
        Form::Json => (JSON, refused.json().to_string()),
        _ => (TEXT, refused.text()),
    };
    Response {
        status: refused.status,
        kind,
        headers,
        body: body.into_bytes(),
    }
}

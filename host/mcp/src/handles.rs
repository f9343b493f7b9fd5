//! The sessions that clients name by handles.
//!
//! From version 2026-07-28 of the protocol on, there are no sessions of the protocol: a server gives a handle, and
//! its client sends it with later requests (SEP-2567). Earlier clients, and those on standard input, may do so too,
//! for example to have a session for each of several agents.

use super::client_state::Grant;
use super::random;
use super::reader::Session;
use rmcp::model::{ErrorData, MetaObject, RequestMetaObject};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The field of `_meta` with the handle, in requests and in results.
pub const SESSION: &str = "omniread/session";

/// The field of `_meta` with the name of the generation: the part of the conversation that the model still sees.
pub const GENERATION: &str = "omniread/generation";

/// The beginning of a handle. A store of sessions may have others, such as that of the command line, which are not
/// those of clients.
const PREFIX: &str = "s-";

/// The number of random bytes of a handle: a client cannot guess that of another one.
const RANDOM: usize = 16;

/// The value that requests a new handle.
const NEW: &str = "new";

/// The argument of the tool with the handle, if the server has one.
pub const ARGUMENT: &str = "session";

/// The session of a request.
pub struct Chosen {
    pub session: Arc<dyn Session>,
    /// Its handle, if the request names or requests one.
    pub handle: Option<String>,
    /// Whether the handle is new.
    pub is_new: bool,
}

/// The session of a request whose handle is in `_meta` or in an argument.
///
/// # Errors
/// Fails with a message for the client if the handle is not known.
pub fn choose(
    grant: &Grant,
    meta: &RequestMetaObject,
    argument: Option<Argument>,
) -> Result<Chosen, String> {
    let meta = &meta.0.0;
    let of_meta = meta.get(SESSION).filter(|value| !value.is_null());
    let given = match (of_meta, argument) {
        (Some(value), _) => Some(value.clone()),
        (None, Some(Argument::Given(value))) => Some(value),
        (None, Some(Argument::Missing)) => Some(NEW.into()),
        (None, None) => None,
    };
    let wanted = match given {
        None => None,
        Some(Value::String(handle)) => Some(handle),
        Some(_) => {
            return Err(format!(
                "the handle of the session is not a string, such as `{NEW}`"
            ));
        }
    };
    let chosen = match wanted {
        None => Chosen {
            session: Arc::clone(&grant.session),
            handle: None,
            is_new: false,
        },
        Some(handle) if handle == NEW => {
            let name = random::hex::<RANDOM>();
            let name = name.map_err(|error| format!("cannot make a handle: {error}"))?;
            let handle = format!("{PREFIX}{name}");
            let session = grant.reader.new_session(&handle)?;
            Chosen {
                session,
                handle: Some(handle),
                is_new: true,
            }
        }
        Some(handle) => {
            let is_own = handle.starts_with(PREFIX);
            let known = is_own.then(|| grant.reader.session_of(&handle)).flatten();
            let Some(session) = known else {
                return Err(format!(
                    "no session has this handle, or it has ended; pass `{NEW}` to get another one"
                ));
            };
            Chosen {
                session,
                handle: Some(handle),
                is_new: false,
            }
        }
    };
    match meta.get(GENERATION) {
        None | Some(Value::Null) => {}
        Some(Value::String(name)) => chosen.session.set_generation(name),
        Some(other) => chosen.session.set_generation(&other.to_string()),
    }
    Ok(chosen)
}

/// The handle in the arguments of a call.
#[derive(Debug)]
pub enum Argument {
    /// The model has passed it.
    Given(Value),
    /// The model has not passed any.
    Missing,
}

impl Argument {
    /// Takes the handle out of the arguments of a call.
    pub fn take(arguments: &mut Map<String, Value>) -> Self {
        let given = arguments.remove(ARGUMENT).filter(|value| !value.is_null());
        given.map_or(Self::Missing, Self::Given)
    }
}

/// An error with the field `_meta` in its data, which results have: the client has the handle that it has requested.
pub fn with_meta(mut error: ErrorData, meta: Option<&MetaObject>) -> ErrorData {
    let Some(meta) = meta else { return error };
    let data = error.data.take().unwrap_or_else(|| json!({}));
    error.data = Some(match data {
        Value::Object(mut fields) => {
            fields.insert("_meta".to_owned(), Value::Object(meta.0.clone()));
            Value::Object(fields)
        }
        other => other,
    });
    error
}

impl Chosen {
    /// The field of `_meta` of a result, if the request names or requests a handle.
    pub fn meta(&self) -> Option<MetaObject> {
        let mut meta = MetaObject::new();
        meta.0
            .insert(SESSION.to_owned(), self.handle.clone()?.into());
        Some(meta)
    }
}

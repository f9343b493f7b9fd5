//! What a call returns.

use crate::failure::json;
use crate::reply::Reply;
use napi::Either;
use napi_derive::napi;
use omniread::Failure;

/// What a call returns that has run on the thread of JavaScript.
#[napi(object, object_from_js = false)]
pub struct Outcome {
    /// Whether `value` is a failure.
    pub failed: bool,
    /// A reply, or JSON.
    pub value: Either<Reply, String>,
}

impl Outcome {
    /// The outcome of a read.
    pub fn of_read(read: Result<omniread::Reply, Failure>) -> Self {
        match read {
            Ok(reply) => Self {
                failed: false,
                value: Either::A(Reply::new(reply)),
            },
            Err(failure) => Self::failure(json(&failure)),
        }
    }

    /// An outcome that is text or JSON.
    pub fn text(text: String) -> Self {
        Self {
            failed: false,
            value: Either::B(text),
        }
    }

    /// A failure as JSON.
    pub fn failure(json: String) -> Self {
        Self {
            failed: true,
            value: Either::B(json),
        }
    }
}

//! Outcomes of reads, as metrics count them.

use omniread::{Failure, Reply};
use omniread_service::Seen;

/// The kind of what was read, and the outcome.
pub fn seen(outcome: &Result<Reply, Failure>) -> Seen {
    match outcome {
        Ok(reply) => Seen {
            kind: reply.details.kind.name(),
            outcome: "ok",
        },
        Err(failure) => Seen {
            kind: "",
            outcome: failure.reason.kind(),
        },
    }
}

//! Faults of a service as failures of a read.

use super::read::Read;
use crate::failure::{Failure, NetworkError, Reason, Unreachable};
use crate::web::Requests;
use omniread_sites::Fault;
use omniread_sites::github::Forge;

/// The failure for a fault. It states the address that was typed, and what to do next.
pub fn failure(fault: &Fault, read: &Read<'_>, forge: &Forge, requests: &Requests<'_>) -> Failure {
    let path = read.path;
    let message = format!("cannot read `{path}`: {fault}");
    let host = forge
        .api_base
        .split_once("://")
        .map_or("", |(_, rest)| rest);
    let host = host.split(['/', ':']).next().unwrap_or_default();
    let token =
        format!("send a token with `--net-header {host}='Authorization=Bearer env:VARIABLE'`");
    let of = |error: NetworkError| {
        let url = forge.api("");
        Reason::Network(Unreachable { url, error })
    };
    match fault {
        Fault::Unanswered(_) => match requests.unreached() {
            Some((url, failed)) => {
                let error = failed.error.clone();
                let message = format!("cannot read `{path}`: {error}");
                let url = url.to_owned();
                let found = Failure::new(Reason::Network(Unreachable { url, error }), message);
                match &failed.hint {
                    Some(hint) => found.hint(hint.clone()),
                    None => found,
                }
            }
            None => Failure::new(of(NetworkError::Protocol(fault.to_string())), message),
        },
        Fault::Missing(_) => {
            let what = read.kind.name();
            let name = forge.name();
            let message = format!(
                "cannot read `{path}`: {name} has no such {what}, or is private and needs another token"
            );
            let list = format!("list them with `{}://{name}`", read.kind.scheme());
            Failure::new(Reason::NotFound(Vec::new()), message).hint(format!("{list}, or {token}"))
        }
        Fault::Refused(_) => {
            Failure::new(of(NetworkError::Refused(fault.to_string())), message).hint(token)
        }
        Fault::Limited(_) => {
            let error = of(NetworkError::Refused(fault.to_string()));
            let hint = format!("wait, or {token}: requests with one have a higher limit");
            Failure::new(error, message).hint(hint)
        }
        Fault::Failed(_) => Failure::new(of(NetworkError::Protocol(fault.to_string())), message)
            .hint("read it again later"),
        Fault::TooLarge(limit) => {
            let site = forge.page("");
            let hint = format!(
                "request less with `?limit=10` or `?comments=0`, or read the pages of `{site}`"
            );
            Failure::new(Reason::limit("reply-bytes", *limit), message).hint(hint)
        }
        Fault::Wrong(_) => {
            let hint = format!("check that `{}` is the API of GitHub", forge.api_base);
            Failure::new(of(NetworkError::Protocol(fault.to_string())), message).hint(hint)
        }
    }
}

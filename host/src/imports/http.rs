//! The import `wasi:http`, with the requests of the read, and the details of their failures.

use crate::bindings::omniread::read::sandbox::{RequestError, RequestFailure};
use crate::sandbox::net::{Failure, Hooks};
use crate::state::State;
use wasmtime::Result;
use wasmtime::component::Linker;
use wasmtime_wasi_http::p2::bindings::LinkOptions;
use wasmtime_wasi_http::p2::bindings::sync::http::{outgoing_handler, types};
use wasmtime_wasi_http::{WasiHttp, WasiHttpCtx, WasiHttpCtxView};

/// The state of `wasi:http` of a read.
pub(crate) struct Http {
    context: WasiHttpCtx,
    pub(crate) hooks: Hooks,
}

impl Http {
    /// Creates the state. It has no connection.
    pub(crate) fn new(hooks: Hooks) -> Self {
        Self {
            context: WasiHttpCtx::new(),
            hooks,
        }
    }
}

/// Links `wasi:http`. A read that may not use the network has it too, and its requests are refused.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> Result<()> {
    fn view(state: &mut State) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView {
            hooks: &mut state.http.hooks,
            table: &mut state.system.table,
            ctx: &mut state.http.context,
        }
    }
    let options = LinkOptions::default();
    outgoing_handler::add_to_linker::<State, WasiHttp>(linker, view)?;
    types::add_to_linker::<State, WasiHttp>(linker, &(&options).into(), view)?;
    Ok(())
}

/// The failure of a request for the reader. `None` if the read was stopped.
pub(super) fn request_failure(failure: &Failure) -> Option<RequestFailure> {
    let error = match failure {
        Failure::Denied(denied) => RequestError::Refused(denied.to_string()),
        Failure::Method(_) => RequestError::Refused(failure.to_string()),
        Failure::Name(why) => RequestError::Name(why.clone()),
        Failure::Connect(why) => RequestError::Connect(why.clone()),
        Failure::Tls(_) => RequestError::Connect(failure.to_string()),
        Failure::Certificate(why) => RequestError::Certificate(why.clone()),
        Failure::Protocol(why) => RequestError::Protocol(why.clone()),
        Failure::Headers(limit) => RequestError::Size(*limit as u64),
        Failure::Body(limit) => RequestError::Size(*limit),
        Failure::Timeout(_, limit) => {
            RequestError::Timeout(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX))
        }
        Failure::Stopped => return None,
    };
    Some(RequestFailure {
        error,
        hint: failure.hint(),
    })
}

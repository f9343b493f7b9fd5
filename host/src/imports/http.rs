//! The import `wasi:http`, with the requests of the read, and the details of their failures.

#[cfg(test)]
mod tests;

use crate::bindings::omniread::parts::sandbox::{RequestError, RequestFailure};
use crate::sandbox::net::{Failure, Step};
use crate::state::State;
use std::result::Result as StdResult;
use wasmtime::component::{Linker, Resource, ResourceType};
use wasmtime::{Result, StoreContextMut};
use wasmtime_wasi_http::p2::bindings::http::outgoing_handler;
use wasmtime_wasi_http::p2::bindings::http::types::{
    self, ErrorCode, FutureIncomingResponse, HeaderError, Host as _, HostFields,
    HostFutureIncomingResponse, HostIncomingBody, HostIncomingResponse, HostOutgoingRequest,
    HostRequestOptions, IncomingBody, IncomingResponse, IoError, Method, OutgoingRequest, Scheme,
};
use wasmtime_wasi_http::{FieldMap, RequestOptions, WasiHttpCtxView};

/// The view of `wasi:http` on the state of a read.
fn view(state: &mut State) -> WasiHttpCtxView<'_> {
    WasiHttpCtxView {
        hooks: &mut state.hooks,
        table: &mut state.system.table,
        ctx: &mut state.http,
    }
}

/// Adds functions to an instance. Each is called with the view of `wasi:http`.
macro_rules! link {
    ($instance:ident: $($name:literal = $function:path, ($($parameter:ty),*);)*) => {$(
        link!(@one $instance, $name, $function, a b, $($parameter),*);
    )*};
    (@one $instance:ident, $name:literal, $function:path, $a:ident $b:ident, $first:ty) => {
        $instance.func_wrap($name, |mut store: StoreContextMut<'_, State>, ($a,): ($first,)| {
            Ok(($function(&mut view(store.data_mut()), $a)?,))
        })?;
    };
    (@one $instance:ident, $name:literal, $function:path, $a:ident $b:ident, $first:ty, $second:ty) => {
        $instance.func_wrap($name, |mut store: StoreContextMut<'_, State>, ($a, $b): ($first, $second)| {
            Ok(($function(&mut view(store.data_mut()), $a, $b)?,))
        })?;
    };
}

/// Adds types of resources to an instance.
macro_rules! link_resources {
    ($instance:ident: $($name:literal = $type:ty, $drop:path;)*) => {$(
        $instance.resource($name, ResourceType::host::<$type>(), |mut store, handle| {
            $drop(&mut view(store.data_mut()), Resource::new_own(handle))
        })?;
    )*};
}

/// Links the functions of `wasi:http` that the reader imports. A read that may not use the network
/// has them too, and its requests are refused.
///
/// Linking all functions would take a twentieth of the start of the program.
pub(super) fn add_to_linker(linker: &mut Linker<State>) -> Result<()> {
    let mut types = linker.instance("wasi:http/types@0.2.12")?;
    link_resources! { types:
        "fields" = FieldMap, HostFields::drop;
        "future-incoming-response" = FutureIncomingResponse, HostFutureIncomingResponse::drop;
        "incoming-body" = IncomingBody, HostIncomingBody::drop;
        "incoming-response" = IncomingResponse, HostIncomingResponse::drop;
        "outgoing-request" = OutgoingRequest, HostOutgoingRequest::drop;
        "request-options" = RequestOptions, HostRequestOptions::drop;
    }
    link! { types:
        "http-error-code" = types::Host::http_error_code, (Resource<IoError>);
        "[static]fields.from-list" = from_list, (Vec<(String, Vec<u8>)>);
        "[method]fields.entries" = HostFields::entries, (Resource<FieldMap>);
        "[method]fields.get" = HostFields::get, (Resource<FieldMap>, String);
        "[constructor]outgoing-request" = HostOutgoingRequest::new, (Resource<FieldMap>);
        "[method]outgoing-request.set-method" = HostOutgoingRequest::set_method, (Resource<OutgoingRequest>, Method);
        "[method]outgoing-request.set-scheme" = HostOutgoingRequest::set_scheme, (Resource<OutgoingRequest>, Option<Scheme>);
        "[method]outgoing-request.set-authority" = HostOutgoingRequest::set_authority, (Resource<OutgoingRequest>, Option<String>);
        "[method]outgoing-request.set-path-with-query" = HostOutgoingRequest::set_path_with_query, (Resource<OutgoingRequest>, Option<String>);
        "[method]future-incoming-response.subscribe" = HostFutureIncomingResponse::subscribe, (Resource<FutureIncomingResponse>);
        "[method]future-incoming-response.get" = HostFutureIncomingResponse::get, (Resource<FutureIncomingResponse>);
        "[method]incoming-response.status" = HostIncomingResponse::status, (Resource<IncomingResponse>);
        "[method]incoming-response.headers" = HostIncomingResponse::headers, (Resource<IncomingResponse>);
        "[method]incoming-response.consume" = HostIncomingResponse::consume, (Resource<IncomingResponse>);
        "[method]incoming-body.stream" = HostIncomingBody::stream, (Resource<IncomingBody>);
    }
    let mut handler = linker.instance("wasi:http/outgoing-handler@0.2.12")?;
    link! { handler:
        "handle" = handle, (Resource<OutgoingRequest>, Option<Resource<RequestOptions>>);
    }
    Ok(())
}

/// The headers of a list. A header that is not valid is an error for the reader.
fn from_list(
    http: &mut WasiHttpCtxView<'_>,
    entries: Vec<(String, Vec<u8>)>,
) -> Result<StdResult<Resource<FieldMap>, HeaderError>> {
    match http.from_list(entries) {
        Ok(fields) => Ok(Ok(fields)),
        Err(error) => Ok(Err(http.convert_header_error(error)?)),
    }
}

/// Sends a request. A request that is not valid is an error for the reader.
fn handle(
    http: &mut WasiHttpCtxView<'_>,
    request: Resource<OutgoingRequest>,
    options: Option<Resource<RequestOptions>>,
) -> Result<StdResult<Resource<FutureIncomingResponse>, ErrorCode>> {
    match outgoing_handler::Host::handle(http, request, options) {
        Ok(response) => Ok(Ok(response)),
        Err(error) => Ok(Err(http.convert_error_code(error)?)),
    }
}

/// The failure of a request for the reader. `None` if the read was stopped.
pub(super) fn request_failure(failure: &Failure) -> Option<RequestFailure> {
    let error = match failure {
        Failure::Denied(denied) => RequestError::Refused(denied.to_string()),
        Failure::Method(_) | Failure::Address(_) => RequestError::Refused(failure.to_string()),
        Failure::Name(why) => RequestError::Name(why.clone()),
        Failure::Connect(why) => RequestError::Connect(why.clone()),
        Failure::Tls(_)
        | Failure::Proxy(_)
        | Failure::ProxyAuthorization(_)
        | Failure::Timeout(Step::Connect | Step::Tls, _) => {
            RequestError::Connect(failure.to_string())
        }
        Failure::Timeout(Step::Resolve, _) => RequestError::Name(failure.to_string()),
        Failure::Certificate(why) => RequestError::Certificate(why.clone()),
        Failure::Protocol(why) => RequestError::Protocol(why.clone()),
        Failure::Headers(_) | Failure::Parts => RequestError::Protocol(failure.to_string()),
        Failure::Body(limit) => RequestError::Size(*limit),
        Failure::Timeout(Step::Response | Step::Body | Step::Read, limit) => {
            RequestError::Timeout(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX))
        }
        Failure::Stopped => return None,
    };
    Some(RequestFailure {
        error,
        hint: failure.hint(),
    })
}

//! The import `wasi:http`, with the requests of the read, and the details of their failures.

#[cfg(test)]
mod tests;

use crate::bindings::omniread::parts::sandbox::{self, Host as _, RequestError, RequestFailure};
use crate::sandbox::net::{Failure, Step};
use crate::state::State;
use bytes::Bytes;
use http::header::{CONTENT_ENCODING, RANGE};
use http::response::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use http_body_util::BodyExt as _;
use std::pin::Pin;
use std::result::Result as StdResult;
use wasmtime::component::{Linker, Resource, ResourceType};
use wasmtime::{Result, StoreContextMut};
use wasmtime_wasi::p2::{DynInputStream, DynPollable, Pollable};
use wasmtime_wasi_http::p2::bindings::http::types::{
    self, ErrorCode, HeaderError, Host as _, HostFields, HostIncomingBody, HostIncomingResponse,
    HostOutgoingRequest, HostRequestOptions, IncomingBody, IncomingResponse, IoError,
    OutgoingRequest, Scheme,
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
        "future-incoming-response" = Answered, forget;
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
        "[method]outgoing-request.set-scheme" = HostOutgoingRequest::set_scheme, (Resource<OutgoingRequest>, Option<Scheme>);
        "[method]outgoing-request.set-authority" = HostOutgoingRequest::set_authority, (Resource<OutgoingRequest>, Option<String>);
        "[method]outgoing-request.set-path-with-query" = HostOutgoingRequest::set_path_with_query, (Resource<OutgoingRequest>, Option<String>);
        "[method]future-incoming-response.subscribe" = subscribe, (Resource<Answered>);
        "[method]future-incoming-response.get" = get, (Resource<Answered>);
        "[method]incoming-response.status" = HostIncomingResponse::status, (Resource<IncomingResponse>);
        "[method]incoming-response.headers" = HostIncomingResponse::headers, (Resource<IncomingResponse>);
        "[method]incoming-response.consume" = HostIncomingResponse::consume, (Resource<IncomingResponse>);
        "[method]incoming-body.stream" = HostIncomingBody::stream, (Resource<IncomingBody>);
    }
    let mut handler = linker.instance("wasi:http/outgoing-handler@0.2.12")?;
    handler.func_wrap(
        "handle",
        |mut store: StoreContextMut<'_, State>, (request, options)| {
            Ok((handle(store.data_mut(), request, options)?,))
        },
    )?;
    Ok(())
}

/// A response that has arrived. `None` after it was taken.
struct Answered(Option<IncomingResponse>);

impl Pollable for Answered {
    fn ready<'a, 'f>(&'a mut self) -> Pin<Box<dyn Future<Output = ()> + Send + 'f>>
    where
        'a: 'f,
        Self: 'f,
    {
        Box::pin(async {})
    }
}

fn forget(http: &mut WasiHttpCtxView<'_>, answered: Resource<Answered>) -> Result<()> {
    http.table.delete(answered)?;
    Ok(())
}

fn subscribe(
    http: &mut WasiHttpCtxView<'_>,
    answered: Resource<Answered>,
) -> Result<Resource<DynPollable>> {
    wasmtime_wasi::p2::subscribe(http.table, answered)
}

/// The response to a request, as `wasi:http` returns it.
type Response = Option<StdResult<StdResult<Resource<IncomingResponse>, ErrorCode>, ()>>;

/// Takes a response.
#[expect(clippy::needless_pass_by_value, reason = "the signature of an import")]
fn get(http: &mut WasiHttpCtxView<'_>, answered: Resource<Answered>) -> Result<Response> {
    Ok(Some(match http.table.get_mut(&answered)?.0.take() {
        Some(response) => Ok(Ok(http.table.push(response)?)),
        None => Err(()),
    }))
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

/// Sends a request, and waits for the head of its response: the reader does nothing else meanwhile, and so its thread
/// can do what a task of a runtime would do after two switches between threads. A request that is not valid is an error
/// for the reader.
fn handle(
    state: &mut State,
    request: Resource<OutgoingRequest>,
    _: Option<Resource<RequestOptions>>,
) -> Result<StdResult<Resource<Answered>, ErrorCode>> {
    let request = state.system.table.delete(request)?;
    let (method, uri) = match address(&request) {
        Ok(address) => address,
        Err(code) => return Ok(Err(code)),
    };
    let sent = match state.hooks.send(method, &uri, &request.headers) {
        Ok(sent) => sent,
        Err(code) => return Ok(Err(code)),
    };
    let (head, body) = sent.into_parts();
    let answered = Answered(Some(IncomingResponse {
        status: head.status.as_u16(),
        headers: FieldMap::new_immutable(&mut state.hooks, head.headers),
        body: Some(IncomingBody::new(body.boxed_unsync())),
    }));
    Ok(Ok(state.system.table.push(answered)?))
}

/// The method and the address of a request.
fn address(request: &OutgoingRequest) -> StdResult<(Method, Uri), ErrorCode> {
    let method = request.method.clone().try_into();
    let method = method.map_err(|_| ErrorCode::HttpRequestMethodInvalid)?;
    let scheme = match &request.scheme {
        Some(Scheme::Http) => http::uri::Scheme::HTTP,
        None | Some(Scheme::Https) => http::uri::Scheme::HTTPS,
        Some(Scheme::Other(_)) => return Err(ErrorCode::HttpProtocolError),
    };
    let authority = request.authority.as_deref().unwrap_or_default();
    let mut uri = Uri::builder().scheme(scheme).authority(authority);
    if let Some(path) = &request.path_with_query {
        uri = uri.path_and_query(path.as_str());
    }
    let uri = uri.build().map_err(|_| ErrorCode::HttpRequestUriInvalid)?;
    Ok((method, uri))
}

/// The encodings of bodies that the reader decodes.
const ENCODINGS: [&[u8]; 4] = [b"br", b"gzip", b"identity", b"zstd"];

/// Whether the reader reads the body of a response in any case, so that its start can be waited for. It follows a
/// redirect without its body, which may never arrive, leaves a whole file that answers a request for a part of it, and
/// leaves a body in an encoding that it does not know.
fn is_read(requested: &HeaderMap, head: &Parts) -> bool {
    let mut encodings = head.headers.get_all(CONTENT_ENCODING).iter();
    let is_known = |it: &HeaderValue| {
        let name = it.as_bytes();
        ENCODINGS
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    head.status == StatusCode::OK && !requested.contains_key(RANGE) && encodings.all(is_known)
}

/// A response, or why there is none. `None` if the request has to be sent through `wasi:http`.
type Sent = Option<StdResult<sandbox::Response, RequestFailure>>;

/// Sends a request with the method GET as [`handle`] does, and returns what the reader would get by the other functions
/// of `wasi:http`.
pub(super) fn send(state: &mut State, url: &str, headers: &[(String, String)]) -> Result<Sent> {
    // What is not valid is an error of `wasi:http`.
    let Some((uri, headers)) = parsed(url, headers) else {
        return Ok(None);
    };
    let Ok(sent) = state.hooks.send(Method::GET, &uri, &headers) else {
        return Ok(state.request_failed()?.map(Err));
    };
    let (head, mut body) = sent.into_parts();
    let start = if is_read(&headers, &head) {
        body.start()
    } else {
        Bytes::new()
    };
    let rest = body
        .rest()
        .and_then(|body| IncomingBody::new(body).take_stream());
    let rest = rest.map(|stream| state.system.table.push(Box::new(stream) as DynInputStream));
    // Without those that no guest may see.
    let seen = FieldMap::new_immutable(&mut state.hooks, head.headers);
    let headers = seen.iter();
    Ok(Some(Ok(sandbox::Response {
        status: head.status.as_u16(),
        headers: headers
            .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_owned()))
            .collect(),
        start: start.into(),
        rest: rest.transpose()?,
    })))
}

/// The address and the headers of a request. `None` if one of them is not valid.
fn parsed(url: &str, headers: &[(String, String)]) -> Option<(Uri, HeaderMap)> {
    let uri = Uri::try_from(url).ok()?;
    let mut map = HeaderMap::with_capacity(headers.len());
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        map.append(name, HeaderValue::from_str(value).ok()?);
    }
    Some((uri, map))
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

//! An implementation of `wasi:http` without a network.
//!
//! The reader creates the headers of a request first. Here that fails, so that the reader
//! knows that it has no network, and calls nothing else.

#![cfg(target_family = "wasm")]
#![allow(
    unsafe_code,
    reason = "the generated bindings pass pointers across the boundary"
)]

use bindings::Stub;
use bindings::exports::wasi::http::outgoing_handler;
use bindings::exports::wasi::http::types::{self, ErrorCode, GuestFields, HeaderError};

mod bindings {
    #![allow(missing_docs, clippy::pedantic, reason = "generated")]
    /// The generated code exports the stubs alone with this macro. Here they are only the types of
    /// resources that are never created.
    macro_rules! export {
        (Stub) => {};
    }
    wit_bindgen::generate!({
        world: "omniread:parts/offline@0.1.0",
        path: ["../../wit/read", "../../wit/parts"],
        generate_all,
        stubs,
        export_macro_name: "export_offline",
    });
    use super::Offline;
    export_offline!(Offline);
}

/// An implementation of `wasi:http` without a network.
struct Offline;

impl outgoing_handler::Guest for Offline {
    fn handle(
        _: types::OutgoingRequest,
        _: Option<types::RequestOptions>,
    ) -> Result<types::FutureIncomingResponse, ErrorCode> {
        Err(ErrorCode::HttpRequestDenied)
    }
}

impl types::Guest for Offline {
    type Fields = NoFields;
    type FutureIncomingResponse = Stub;
    type FutureTrailers = Stub;
    type IncomingBody = Stub;
    type IncomingRequest = Stub;
    type IncomingResponse = Stub;
    type OutgoingBody = Stub;
    type OutgoingRequest = Stub;
    type OutgoingResponse = Stub;
    type RequestOptions = Stub;
    type ResponseOutparam = Stub;

    fn http_error_code(_: &bindings::wasi::io::error::Error) -> Option<ErrorCode> {
        None
    }
}

/// Headers that always stay empty.
struct NoFields;

impl GuestFields for NoFields {
    fn new() -> Self {
        Self
    }

    fn from_list(_: Vec<(String, Vec<u8>)>) -> Result<types::Fields, HeaderError> {
        Err(HeaderError::Forbidden)
    }

    fn get(&self, _: String) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn has(&self, _: String) -> bool {
        false
    }

    fn set(&self, _: String, _: Vec<Vec<u8>>) -> Result<(), HeaderError> {
        Err(HeaderError::Forbidden)
    }

    fn delete(&self, _: String) -> Result<(), HeaderError> {
        Err(HeaderError::Forbidden)
    }

    fn append(&self, _: String, _: Vec<u8>) -> Result<(), HeaderError> {
        Err(HeaderError::Forbidden)
    }

    fn entries(&self) -> Vec<(String, Vec<u8>)> {
        Vec::new()
    }

    fn clone(&self) -> types::Fields {
        types::Fields::new(Self)
    }
}

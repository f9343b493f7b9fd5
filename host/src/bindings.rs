//! The bindings, generated from `wit/`. The host implements the file system itself,
//! wasmtime-wasi and wasmtime-wasi-http the rest of WASI.

#![allow(missing_docs, clippy::pedantic, reason = "generated")]

/// Generates the bindings, with types for more interfaces.
macro_rules! bindings {
    ($($more:tt)*) => {
        wasmtime::component::bindgen!({
            path: "../wit",
            world: "reader",
            imports: { default: trappable },
            require_store_data_send: true,
            with: {
                "wasi:cli": wasmtime_wasi::p2::bindings::sync::cli,
                "wasi:clocks": wasmtime_wasi::p2::bindings::sync::clocks,
                "wasi:io": wasmtime_wasi::p2::bindings::sync::io,
                "wasi:filesystem/types.descriptor": crate::handles::Descriptor,
                "wasi:filesystem/types.directory-entry-stream": crate::handles::EntryStream,
                "omniread:read/inputs.source": crate::handles::InputSource,
                "omniread:read/inputs.sparse": crate::sparse::Sparse,
                "omniread:read/sqlite.connection": crate::handles::Connection,
                "omniread:read/documents.document": crate::handles::Document,
                "omniread:read/pdf.document": crate::handles::PdfDocument,
                $($more)*
            },
        });
    };
}

#[cfg(feature = "net")]
bindings! {
    "wasi:http": wasmtime_wasi_http::p2::bindings::sync::http,
}

// The reader is composed with an implementation of `wasi:http`, so nothing provides it.
#[cfg(not(feature = "net"))]
bindings! {}

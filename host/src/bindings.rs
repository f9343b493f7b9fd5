//! The bindings of what the reader imports, generated from `wit/`. The host implements the file system
//! itself, wasmtime-wasi and wasmtime-wasi-http the rest of WASI.
//!
//! Nothing is generated for the exports of the reader: `component` calls them with the types of `types`.

#![allow(missing_docs, clippy::pedantic, reason = "generated")]

wasmtime::component::bindgen!({
    path: "../wit",
    inline: "
        package omniread:host;
        world host {
            import wasi:filesystem/types@0.2.12;
            import wasi:filesystem/preopens@0.2.12;
            import omniread:read/session@0.1.0;
            import omniread:read/sandbox@0.1.0;
            import omniread:read/inputs@0.1.0;
            import omniread:read/resources@0.1.0;
            import omniread:read/sqlite@0.1.0;
            import omniread:read/images@0.1.0;
            import omniread:read/documents@0.1.0;
            import omniread:read/pdf@0.1.0;
        }
    ",
    world: "omniread:host/host",
    imports: { default: trappable },
    require_store_data_send: true,
    with: {
        "wasi:clocks": wasmtime_wasi::p2::bindings::sync::clocks,
        "wasi:io": wasmtime_wasi::p2::bindings::sync::io,
        "wasi:filesystem/types.descriptor": crate::handles::Descriptor,
        "wasi:filesystem/types.directory-entry-stream": crate::handles::EntryStream,
        "omniread:read/inputs.source": crate::handles::InputSource,
        "omniread:read/inputs.sparse": crate::sparse::Sparse,
        "omniread:read/sqlite.connection": crate::handles::Connection,
        "omniread:read/documents.document": crate::handles::Document,
        "omniread:read/pdf.document": crate::handles::PdfDocument,
    },
});

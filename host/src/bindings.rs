//! The bindings of what the reader imports, generated from `wit/`. The host implements the file system
//! itself, wasmtime-wasi and wasmtime-wasi-http the rest of WASI.
//!
//! Nothing is generated for the exports of the reader: `component` calls them with the types of `types`.

#![allow(missing_docs, clippy::pedantic, reason = "generated")]

wasmtime::component::bindgen!({
    path: ["../wit/read", "../wit/parts"],
    inline: "
        package omniread:host;
        world host {
            import wasi:filesystem/types@0.2.12;
            import wasi:filesystem/preopens@0.2.12;
            import omniread:parts/session@0.1.0;
            import omniread:parts/sandbox@0.1.0;
            import omniread:parts/inputs@0.1.0;
            import omniread:parts/resources@0.1.0;
            import omniread:parts/sqlite@0.1.0;
            import omniread:parts/images@0.1.0;
            import omniread:parts/documents@0.1.0;
            import omniread:parts/pdf@0.1.0;
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
        "omniread:parts/inputs.source": crate::handles::InputSource,
        "omniread:parts/inputs.sparse": crate::sparse::Sparse,
        "omniread:parts/sqlite.connection": crate::handles::Connection,
        "omniread:parts/documents.document": crate::handles::Document,
        "omniread:parts/pdf.document": crate::handles::PdfDocument,
    },
});

//! Generated from `wit/`. The filesystem is ours; what else WASI asks for is
//! wasmtime's.

#![allow(missing_docs, clippy::pedantic, reason = "generated")]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "reader",
    imports: { default: trappable },
    require_store_data_send: true,
    with: {
        "wasi:cli": wasmtime_wasi::p2::bindings::sync::cli,
        "wasi:clocks": wasmtime_wasi::p2::bindings::sync::clocks,
        "wasi:io": wasmtime_wasi::p2::bindings::sync::io,
        "wasi:filesystem/types.descriptor": crate::sandbox::Descriptor,
        "wasi:filesystem/types.directory-entry-stream": crate::sandbox::EntryStream,
        "omniread:read/sqlite.connection": crate::engines::Connection,
    },
});

/// The engine that has SQLite.
pub mod sqlite_engine {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "sqlite-engine",
        imports: { default: trappable },
        require_store_data_send: true,
        with: {
            "wasi:clocks": wasmtime_wasi::p2::bindings::sync::clocks,
            "wasi:io": wasmtime_wasi::p2::bindings::sync::io,
            "wasi:filesystem/types": crate::bindings::wasi::filesystem::types,
        },
    });
}

/// The engine that decodes images.
pub mod images_engine {
    wasmtime::component::bindgen!({
        path: "../wit",
        world: "images-engine",
        imports: { default: trappable },
        require_store_data_send: true,
    });
}

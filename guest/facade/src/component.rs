//! The component: calls the reader, and returns the text of its reply.

#![allow(
    unsafe_code,
    reason = "the generated bindings pass pointers across the boundary"
)]

use crate::text::{Part, text};
use bindings::omniread::read::read;
use bindings::omniread::read::types::Block;

mod bindings {
    //! Generated from `wit/`.

    #![allow(missing_docs, clippy::pedantic, reason = "generated")]

    wit_bindgen::generate!({
        inline: "package omniread:facade@0.1.0;

            world facade {
                import omniread:read/read@0.1.0;
                include omniread:text/text@0.1.0;
            }",
        path: ["../../wit/read", "../../wit/text"],
        generate_all,
        pub_export_macro: true,
    });
}

bindings::export!(Facade with_types_in bindings);

struct Facade;

impl bindings::Guest for Facade {
    fn read(path: String) -> Result<String, String> {
        let reply = read::read(&path).map_err(|failure| failure.text)?;
        let parts = reply.blocks.iter().map(|block| match block {
            Block::Text(text) | Block::Notice(text) => Part::Text(text),
            Block::Image(media) | Block::Attachment(media) => Part::Media {
                mime: &media.mime,
                base64: &media.data,
            },
        });
        Ok(text(parts, &path))
    }
}

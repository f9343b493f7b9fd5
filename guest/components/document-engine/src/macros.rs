//! Code that each component needs in its own types, which are generated for it.

/// The module with the bindings of a world, which has the types of this crate for what the worlds share.
#[macro_export]
macro_rules! bindings {
    ($world:tt) => {
        mod bindings {
            //! Generated from `wit/`.

            #![allow(
                missing_docs,
                clippy::pedantic,
                unsafe_code,
                reason = "generated, and pointers cross the boundary"
            )]

            wit_bindgen::generate!({
                world: $world,
                path: ["../../../wit/read", "../../../wit/parts"],
                generate_all,
                with: {
                    "omniread:parts/document-types@0.1.0": omniread_document_engine::bindings::omniread::parts::document_types,
                    "omniread:parts/inputs@0.1.0": omniread_document_engine::bindings::omniread::parts::inputs,
                    "wasi:clocks/wall-clock@0.2.12": omniread_document_engine::bindings::wasi::clocks::wall_clock,
                    "wasi:filesystem/types@0.2.12": omniread_document_engine::bindings::wasi::filesystem::types,
                    "wasi:io/error@0.2.12": omniread_document_engine::bindings::wasi::io::error,
                    "wasi:io/poll@0.2.12": omniread_document_engine::bindings::wasi::io::poll,
                    "wasi:io/streams@0.2.12": omniread_document_engine::bindings::wasi::io::streams,
                },
                pub_export_macro: true,
            });
        }
    };
}

/// The methods that the interfaces of all components have for an open document. Its type contains an
/// [`Open`](crate::Open).
#[macro_export]
macro_rules! shared_methods {
    () => {
        fn facts(&self) -> $crate::bindings::omniread::parts::document_types::Facts {
            self.0.facts()
        }

        fn notes(&self) -> Vec<String> {
            self.0.notes()
        }

        fn image(
            &self,
            number: u32,
        ) -> Result<Option<Vec<u8>>, $crate::bindings::omniread::parts::document_types::Error> {
            Ok(self.0.image(number))
        }

        fn attachments(
            &self,
        ) -> Vec<$crate::bindings::omniread::parts::document_types::Attachment> {
            self.0.attachments()
        }

        fn attachment(
            &self,
            index: u32,
        ) -> Result<Option<Vec<u8>>, $crate::bindings::omniread::parts::document_types::Error> {
            Ok(self.0.attachment(index))
        }
    };
}

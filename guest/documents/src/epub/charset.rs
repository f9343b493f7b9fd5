//! The charsets of chapters.

use encoding_rs::Encoding;
use omniread_markup::charset::declared_charset;
use std::borrow::Cow;

/// Decodes a chapter: by its byte order mark, or by the charset that it declares.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let has_mark = Encoding::for_bom(bytes).is_some();
    let label = if has_mark {
        None
    } else {
        declared_charset(bytes)
    };
    let encoding = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    match encoding {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0,
        None => crate::xml::decode(bytes),
    }
}

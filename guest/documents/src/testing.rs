//! Packages for tests.

use flate2::Crc;

/// The declarations of namespaces for the outermost element of a part.
pub const NAMESPACES: &str = concat!(
    "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" ",
    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" ",
    "xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" ",
    "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" ",
    "xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\"",
);

/// Builds a zip package of parts that are not compressed.
pub fn package(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in parts {
        let mut sum = Crc::new();
        sum.update(content);
        let size = u32::try_from(content.len()).unwrap().to_le_bytes();
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        let mut fields = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        fields.extend(sum.sum().to_le_bytes());
        fields.extend(size);
        fields.extend(size);
        fields.extend(length);
        fields.extend([0, 0]);
        let at = u32::try_from(out.len()).unwrap().to_le_bytes();
        out.extend(b"PK\x03\x04");
        out.extend(&fields);
        out.extend(name.as_bytes());
        out.extend(*content);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend(at);
        directory.extend(name.as_bytes());
    }
    let at = u32::try_from(out.len()).unwrap().to_le_bytes();
    let count = u16::try_from(parts.len()).unwrap().to_le_bytes();
    let size = u32::try_from(directory.len()).unwrap().to_le_bytes();
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend(size);
    out.extend(at);
    out.extend([0, 0]);
    out
}

/// Builds the relationships of a part from `(id, kind, target)`. Targets with `:` are external.
pub fn relationships(list: &[(&str, &str, &str)]) -> String {
    let entries = list.iter().map(|(id, kind, target)| {
        let mode = if target.contains(':') {
            " TargetMode=\"External\""
        } else {
            ""
        };
        format!(
            "<Relationship Id=\"{id}\" Type=\"http://schemas.openxmlformats.org/officeDocument/\
             2006/relationships/{kind}\" Target=\"{target}\"{mode}/>"
        )
    });
    format!(
        "<Relationships>{}</Relationships>",
        entries.collect::<String>()
    )
}

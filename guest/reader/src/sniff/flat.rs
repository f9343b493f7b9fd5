//! Documents of Microsoft Office in one XML file.
use omniread_document as document;

/// The first elements of the formats, each with its namespace.
const FORMATS: [(&str, &str, document::Format); 3] = [
    (
        "Workbook",
        "urn:schemas-microsoft-com:office:spreadsheet",
        document::Format::Xls,
    ),
    (
        "wordDocument",
        "http://schemas.microsoft.com/office/word/2003/wordml",
        document::Format::Docx,
    ),
    (
        "package",
        "http://schemas.microsoft.com/office/2006/xmlPackage",
        document::Format::Docx,
    ),
];

/// The program in the instruction before a package of PowerPoint.
const POWERPOINT: &str = "progid=\"PowerPoint.Show\"";

/// The format of a document whose first element has the name and the namespace of one. `text` is the start
/// of a file.
pub fn detect(text: &str) -> Option<document::Format> {
    let (name, attributes) = first_element(text)?;
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
    let mut formats = FORMATS.iter();
    let found = formats.find(|(name, namespace, _)| {
        let is_named = |quote: char| attributes.contains(&format!("{quote}{namespace}{quote}"));
        *name == local && (is_named('"') || is_named('\''))
    });
    found.map(|(name, _, format)| match *name {
        "package" if text.contains(POWERPOINT) => document::Format::Pptx,
        _ => *format,
    })
}

/// The name of the first element and its attributes.
fn first_element(text: &str) -> Option<(&str, &str)> {
    let mut rest = text;
    loop {
        let (_, tag) = rest.split_once('<')?;
        if tag.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let (tag, _) = tag.split_once('>').unwrap_or((tag, ""));
            return Some(tag.split_once(char::is_whitespace).unwrap_or((tag, "")));
        }
        // A declaration, an instruction or a comment.
        let end = if tag.starts_with("!--") { "-->" } else { ">" };
        (_, rest) = tag.split_once(end)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_is_detected_by_its_first_element() {
        let namespace = "urn:schemas-microsoft-com:office:spreadsheet";
        for text in [
            format!("<Workbook xmlns=\"{namespace}\">"),
            format!(
                "<?xml version='1.0'?>\n<!-- <a> -->\n<ss:Workbook a='b'\n xmlns:ss='{namespace}'><ss:Worksheet"
            ),
        ] {
            assert_eq!(detect(&text), Some(document::Format::Xls), "{text}");
        }
        let word = "<?mso-application progid=\"Word.Document\"?><w:wordDocument xmlns:w=\"http://\
                    schemas.microsoft.com/office/word/2003/wordml\">";
        assert_eq!(detect(word), Some(document::Format::Docx));
        let package =
            "<pkg:package xmlns:pkg=\"http://schemas.microsoft.com/office/2006/xmlPackage\">";
        assert_eq!(detect(package), Some(document::Format::Docx));
        let slides = format!("<?mso-application progid=\"PowerPoint.Show\"?>{package}");
        assert_eq!(detect(&slides), Some(document::Format::Pptx));
        for text in [
            format!("<a xmlns=\"{namespace}\"><Workbook>"),
            format!("<Workbook><a xmlns=\"{namespace}\">"),
            "<Workbook xmlns=\"urn:other\">".to_owned(),
            "<!-- <Workbook".to_owned(),
            String::new(),
        ] {
            assert_eq!(detect(&text), None, "{text}");
        }
    }
}

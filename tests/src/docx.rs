//! Word documents for the tests, built in memory.

use crate::pack::zip;
use std::fmt::Write as _;

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Default Extension="png" ContentType="image/png"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>
</Types>"#;

const RELATIONSHIPS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>
</Relationships>"#;

const PROPERTIES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<dc:title>The letter</dc:title><dc:creator>Ada Example</dc:creator>
</cp:coreProperties>"#;

const NAMESPACES: &str = concat!(
    r#" xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main""#,
    r#" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships""#,
    r#" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing""#,
    r#" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main""#,
    r#" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture""#,
);

/// The content of a Word document.
#[derive(Clone, Debug, Default)]
pub struct Docx {
    body: String,
    images: Vec<Vec<u8>>,
}

impl Docx {
    /// Adds a paragraph. The text must not contain special characters of XML.
    #[must_use]
    pub fn paragraph(mut self, text: &str) -> Self {
        let _ = write!(self.body, "<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
        self
    }

    /// Adds a heading of the first level.
    #[must_use]
    pub fn heading(mut self, text: &str) -> Self {
        let _ = write!(
            self.body,
            "<w:p><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
        );
        self
    }

    /// Adds a paragraph with an image. `alt` is its alternative text.
    #[must_use]
    pub fn image(mut self, alt: &str, png: Vec<u8>) -> Self {
        self.images.push(png);
        let number = self.images.len();
        let _ = write!(
            self.body,
            "<w:p><w:r><w:drawing><wp:inline><wp:extent cx=\"900000\" cy=\"900000\"/>\
             <wp:docPr id=\"{number}\" name=\"Picture {number}\" descr=\"{alt}\"/>\
             <a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/picture\">\
             <pic:pic><pic:nvPicPr><pic:cNvPr id=\"{number}\" name=\"Picture {number}\"/><pic:cNvPicPr/></pic:nvPicPr>\
             <pic:blipFill><a:blip r:embed=\"image{number}\"/></pic:blipFill><pic:spPr/></pic:pic>\
             </a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
        );
        self
    }

    /// The bytes of the document.
    pub fn build(&self) -> Vec<u8> {
        let document = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<w:document{NAMESPACES}><w:body>{}</w:body></w:document>",
            self.body
        );
        let mut relationships = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Relationships \
             xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">",
        );
        let mut media = Vec::new();
        for (index, png) in self.images.iter().enumerate() {
            let number = index + 1;
            let _ = write!(
                relationships,
                "<Relationship Id=\"image{number}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/image\" Target=\"media/image{number}.png\"/>"
            );
            media.push((format!("word/media/image{number}.png"), png.as_slice()));
        }
        relationships.push_str("</Relationships>");
        let mut members: Vec<(&str, &[u8])> = vec![
            ("[Content_Types].xml", CONTENT_TYPES.as_bytes()),
            ("_rels/.rels", RELATIONSHIPS.as_bytes()),
            ("docProps/core.xml", PROPERTIES.as_bytes()),
            ("word/document.xml", document.as_bytes()),
            ("word/_rels/document.xml.rels", relationships.as_bytes()),
        ];
        members.extend(media.iter().map(|(name, png)| (name.as_str(), *png)));
        zip(&members)
    }
}

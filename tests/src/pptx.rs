//! Presentations for the tests, built in memory.

use crate::pack::zip;
use std::fmt::Write as _;

const NAMESPACES: &str = concat!(
    r#" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main""#,
    r#" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main""#,
    r#" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships""#,
);

const RELATIONSHIP: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The slides of a presentation.
#[derive(Clone, Debug, Default)]
pub struct Pptx {
    slides: Vec<String>,
}

impl Pptx {
    /// Adds a slide with a title and lines of text. They must not contain special characters of XML.
    #[must_use]
    pub fn slide(mut self, title: &str, lines: &[&str]) -> Self {
        let mut paragraphs = String::new();
        for line in lines {
            let _ = write!(paragraphs, "<a:p><a:r><a:t>{line}</a:t></a:r></a:p>");
        }
        let number = self.slides.len() + 1;
        self.slides.push(format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<p:sld{NAMESPACES}><p:cSld><p:spTree>\
             <p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Title {number}\"/><p:cNvSpPr/><p:nvPr><p:ph type=\"title\"/></p:nvPr></p:nvSpPr>\
             <p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{title}</a:t></a:r></a:p></p:txBody></p:sp>\
             <p:sp><p:nvSpPr><p:cNvPr id=\"3\" name=\"Text {number}\"/><p:cNvSpPr/><p:nvPr><p:ph idx=\"1\"/></p:nvPr></p:nvSpPr>\
             <p:spPr/><p:txBody><a:bodyPr/>{paragraphs}</p:txBody></p:sp>\
             </p:spTree></p:cSld></p:sld>"
        ));
        self
    }

    /// The bytes of the presentation.
    pub fn build(&self) -> Vec<u8> {
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        let kind = "application/vnd.openxmlformats-officedocument.presentationml";
        let mut types = format!(
            "{head}<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
             <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
             <Override PartName=\"/ppt/presentation.xml\" ContentType=\"{kind}.presentation.main+xml\"/>"
        );
        let list = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">";
        let root = format!(
            "{head}{list}<Relationship Id=\"rId1\" Type=\"{RELATIONSHIP}/officeDocument\" Target=\"ppt/presentation.xml\"/></Relationships>"
        );
        let mut related = format!("{head}{list}");
        let mut slides = String::new();
        let mut parts = Vec::new();
        for (index, slide) in self.slides.iter().enumerate() {
            let number = index + 1;
            let _ = write!(
                types,
                "<Override PartName=\"/ppt/slides/slide{number}.xml\" ContentType=\"{kind}.slide+xml\"/>"
            );
            let _ = write!(
                related,
                "<Relationship Id=\"rId{number}\" Type=\"{RELATIONSHIP}/slide\" Target=\"slides/slide{number}.xml\"/>"
            );
            let id = 255 + number;
            let _ = write!(slides, "<p:sldId id=\"{id}\" r:id=\"rId{number}\"/>");
            parts.push((format!("ppt/slides/slide{number}.xml"), slide.as_bytes()));
        }
        types.push_str("</Types>");
        related.push_str("</Relationships>");
        let presentation = format!(
            "{head}<p:presentation{NAMESPACES}><p:sldIdLst>{slides}</p:sldIdLst></p:presentation>"
        );
        let mut members: Vec<(&str, &[u8])> = vec![
            ("[Content_Types].xml", types.as_bytes()),
            ("_rels/.rels", root.as_bytes()),
            ("ppt/presentation.xml", presentation.as_bytes()),
            ("ppt/_rels/presentation.xml.rels", related.as_bytes()),
        ];
        members.extend(parts.iter().map(|(name, part)| (name.as_str(), *part)));
        zip(&members)
    }
}

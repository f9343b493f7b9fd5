//! PDF files for the tests, built in memory.

pub mod encryption;
pub mod objects;
pub mod report;

/// The content of a PDF file: pages with a heading and lines of text.
#[derive(Clone, Debug, Default)]
pub struct Pdf {
    pages: Vec<String>,
    outline: Vec<String>,
}

impl Pdf {
    /// Adds a page. The heading is bold and large, and is an entry of the outline.
    #[must_use]
    pub fn page(mut self, heading: &str, lines: &[&str]) -> Self {
        let mut content = format!("BT /F2 18 Tf 72 720 Td ({heading}) Tj ET\n");
        for (index, line) in lines.iter().enumerate() {
            let y = 690 - 14 * index;
            content.push_str(&format!("BT /F1 11 Tf 72 {y} Td ({line}) Tj ET\n"));
        }
        self.pages.push(content);
        self.outline.push(heading.to_owned());
        self
    }

    /// Adds a page without text.
    #[must_use]
    pub fn empty_page(mut self) -> Self {
        self.pages.push(String::new());
        self
    }

    /// Writes the file.
    pub fn build(&self) -> Vec<u8> {
        // The catalog, the page tree, the outline, two fonts, and two objects for each page.
        let font = |name: &str| {
            format!(
                "<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
            )
        };
        let first_page = 6;
        let first_entry = first_page + 2 * self.pages.len();
        let kids: Vec<String> = (0..self.pages.len())
            .map(|index| format!("{} 0 R", first_page + 2 * index))
            .collect();
        let last_entry = first_entry + self.outline.len().saturating_sub(1);
        let mut objects = vec![
            "<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>".to_owned(),
            format!(
                "<< /Type /Pages /Count {} /Kids [{}] /MediaBox [0 0 612 792] \
                 /Resources << /Font << /F1 4 0 R /F2 5 0 R >> >> >>",
                self.pages.len(),
                kids.join(" ")
            ),
            format!(
                "<< /Type /Outlines /First {first_entry} 0 R /Last {last_entry} 0 R /Count {} >>",
                self.outline.len()
            ),
            font("Helvetica"),
            font("Helvetica-Bold"),
        ];
        for (index, content) in self.pages.iter().enumerate() {
            let stream = first_page + 2 * index + 1;
            objects.push(format!(
                "<< /Type /Page /Parent 2 0 R /Contents {stream} 0 R >>"
            ));
            objects.push(format!(
                "<< /Length {} >>\nstream\n{content}\nendstream",
                content.len()
            ));
        }
        for (index, title) in self.outline.iter().enumerate() {
            let next = if index + 1 < self.outline.len() {
                format!("/Next {} 0 R", first_entry + index + 1)
            } else {
                String::new()
            };
            objects.push(format!(
                "<< /Title ({title}) /Parent 3 0 R {next} /Dest [{} 0 R /Fit] >>",
                first_page + 2 * index
            ));
        }
        let mut out = b"%PDF-1.7\n".to_vec();
        let mut table = "0000000000 65535 f \n".to_owned();
        for (index, object) in objects.iter().enumerate() {
            table.push_str(&format!("{:010} 00000 n \n", out.len()));
            out.extend_from_slice(format!("{} 0 obj\n{object}\nendobj\n", index + 1).as_bytes());
        }
        let (start, size) = (out.len(), objects.len() + 1);
        out.extend_from_slice(
            format!(
                "xref\n0 {size}\n{table}trailer << /Size {size} /Root 1 0 R >>\n\
                 startxref\n{start}\n%%EOF\n"
            )
            .as_bytes(),
        );
        out
    }
}

//! Builds PDF files for tests.

/// A file of objects. The first object has number 1.
#[derive(Default)]
pub struct Builder {
    objects: Vec<Vec<u8>>,
    trailer: String,
}

impl Builder {
    /// Adds an object. Returns its number.
    pub fn add(&mut self, body: impl Into<Vec<u8>>) -> usize {
        self.objects.push(body.into());
        self.objects.len()
    }

    /// Adds a stream with entries for its dictionary.
    pub fn stream(&mut self, entries: &str, data: &[u8]) -> usize {
        let mut body = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
        body.extend_from_slice(data);
        body.extend_from_slice(b"\nendstream");
        self.add(body)
    }

    /// Entries for the trailer.
    pub fn trailer(&mut self, entries: &str) {
        self.trailer.push_str(entries);
    }

    /// Writes the file. `root` is the number of the catalog.
    pub fn file(&self, root: usize) -> Vec<u8> {
        let mut out = b"%PDF-1.7\n".to_vec();
        let mut offsets = Vec::new();
        for (index, body) in self.objects.iter().enumerate() {
            offsets.push(out.len());
            out.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
            out.extend_from_slice(body);
            out.extend_from_slice(b"\nendobj\n");
        }
        let start = out.len();
        out.extend_from_slice(
            format!("xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1).as_bytes(),
        );
        for offset in &offsets {
            out.extend_from_slice(format!("{offset:010} 00000 n \n").as_bytes());
        }
        let (count, trailer) = (offsets.len() + 1, &self.trailer);
        out.extend_from_slice(
            format!(
                "trailer << /Size {count} /Root {root} 0 R {trailer} >>\nstartxref\n{start}\n%%EOF"
            )
            .as_bytes(),
        );
        out
    }
}

/// The resources of pages in tests: Helvetica, Helvetica-Bold and Courier.
pub const FONTS: &str = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> \
    /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >> \
    /F3 << /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >> >>";

/// A file whose pages have the given contents. `page` are entries of each page, `catalog` of the
/// catalog. The catalog is object 1, the page tree 2, and the pages 3, 5, 7...
pub fn pages(contents: &[&str], page: &str, catalog: &str, more: &[&str]) -> Vec<u8> {
    let mut builder = Builder::default();
    builder.add(format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>"));
    let kids: Vec<String> = (0..contents.len())
        .map(|index| format!("{} 0 R", 3 + 2 * index))
        .collect();
    builder.add(format!(
        "<< /Type /Pages /Count {} /Kids [{}] >>",
        contents.len(),
        kids.join(" ")
    ));
    for (index, content) in contents.iter().enumerate() {
        let number = 4 + 2 * index;
        builder.add(format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {number} 0 R /Resources << {FONTS} >> {page} >>"));
        builder.stream("", content.as_bytes());
    }
    for object in more {
        builder.add(*object);
    }
    builder.file(1)
}

//! PDF files of any objects, for files that programs do not write.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write as _;

/// Two fonts for the resources of a page: Helvetica as `F1`, and Helvetica-Bold as `F2`.
pub const FONTS: &str = "/Font << \
     /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> \
     /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >> >>";

/// The objects of a file. The first has the number 1, and is the catalog.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    bodies: Vec<Vec<u8>>,
    trailer: String,
}

impl Objects {
    /// Adds three objects: a page with the word `page-mark-N` and a grey image, whose sides have `side`
    /// pixels each.
    pub fn page_with_image(&mut self, number: u8, side: usize) {
        let (content, image) = (self.next() + 1, self.next() + 2);
        self.object(format!(
            "<< /Type /Page /Parent 2 0 R /Contents {content} 0 R /Resources << /Font << /F1 << /Type /Font \
             /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /I {image} 0 R >> >> >>"
        ));
        let words = line(&format!(
            "page-mark-{number} beside a picture of number {number}"
        ));
        self.stream("", format!("q 300 0 0 300 72 200 cm /I Do Q {words}"));
        let entries = format!(
            "/Type /XObject /Subtype /Image /Width {side} /Height {side} /BitsPerComponent 8 /ColorSpace /DeviceGray"
        );
        self.stream(&entries, vec![25 * number; side * side]);
    }

    /// Starts a file with a catalog and a page tree, which are the objects 1 and 2. `catalog` has
    /// further entries of the catalog. The tree has the pages with the object numbers `pages`.
    pub fn new(catalog: &str, pages: &[usize]) -> Self {
        let kids: Vec<String> = pages.iter().map(|page| format!("{page} 0 R")).collect();
        let (kids, count) = (kids.join(" "), pages.len());
        let mut objects = Self::default();
        objects.object(format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>"));
        objects.object(format!(
            "<< /Type /Pages /Count {count} /Kids [{kids}] /MediaBox [0 0 612 792] \
             /Resources << {FONTS} >> >>"
        ));
        objects
    }

    /// A file whose pages have one line each. The pages are the objects 3, 5, 7, and so on, each
    /// with its content after it.
    pub fn lines(catalog: &str, lines: &[&str]) -> Self {
        let pages: Vec<usize> = (0..lines.len()).map(|index| 3 + 2 * index).collect();
        let mut objects = Self::new(catalog, &pages);
        for text in lines {
            let content = objects.next() + 1;
            objects.object(format!(
                "<< /Type /Page /Parent 2 0 R /Contents {content} 0 R >>"
            ));
            objects.stream("", line(text));
        }
        objects
    }

    /// The number of the next object.
    pub fn next(&self) -> usize {
        self.bodies.len() + 1
    }

    /// Adds an object. Returns its number.
    pub fn object(&mut self, body: impl Into<Vec<u8>>) -> usize {
        self.bodies.push(body.into());
        self.bodies.len()
    }

    /// Adds a stream with entries for its dictionary. Returns its number.
    pub fn stream(&mut self, entries: &str, data: impl AsRef<[u8]>) -> usize {
        let data = data.as_ref();
        let head = format!("<< {entries} /Length {} >>\nstream\n", data.len());
        self.object([head.as_bytes(), data, b"\nendstream"].concat())
    }

    /// Replaces an object.
    pub fn replace(&mut self, number: usize, body: impl Into<Vec<u8>>) {
        self.bodies[number - 1] = body.into();
    }

    /// Adds entries to the trailer.
    pub fn trailer(&mut self, entries: &str) {
        self.trailer.push_str(entries);
        self.trailer.push(' ');
    }

    /// Writes the file.
    pub fn build(&self) -> Vec<u8> {
        let (mut out, offsets) = self.body();
        let (start, size) = (out.len(), offsets.len() + 1);
        let entries = offsets
            .iter()
            .map(|offset| format!("{offset:010} 00000 n \n"));
        let entries: String = entries.collect();
        let trailer = &self.trailer;
        out.extend_from_slice(
            format!(
                "xref\n0 {size}\n0000000000 65535 f \n{entries}\
                 trailer << /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n"
            )
            .as_bytes(),
        );
        out
    }

    /// The head and the objects of the file without a table of positions, and the position of each
    /// object.
    pub fn body(&self) -> (Vec<u8>, Vec<usize>) {
        let mut out = b"%PDF-1.7\n".to_vec();
        let mut offsets = Vec::new();
        for (index, body) in self.bodies.iter().enumerate() {
            offsets.push(out.len());
            out.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
            out.extend_from_slice(body);
            out.extend_from_slice(b"\nendobj\n");
        }
        (out, offsets)
    }
}

/// The content of a page with one line of text.
pub fn line(text: &str) -> String {
    format!("BT /F1 11 Tf 72 700 Td ({text}) Tj ET")
}

/// Compresses data with Deflate.
pub fn deflated(data: &[u8]) -> Vec<u8> {
    let mut writer = ZlibEncoder::new(Vec::new(), Compression::best());
    writer.write_all(data).expect("memory");
    writer.finish().expect("memory")
}

/// Compresses `count` zeros with Deflate, without having them in memory.
pub fn deflated_zeros(count: usize) -> Vec<u8> {
    let mut writer = ZlibEncoder::new(Vec::new(), Compression::best());
    let block = vec![0; 1 << 20];
    for _ in 0..count.div_ceil(block.len()) {
        writer.write_all(&block).expect("memory");
    }
    writer.finish().expect("memory")
}

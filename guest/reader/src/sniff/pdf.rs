//! The first bytes of a PDF document.

/// The number of bytes before the first line of a PDF document that readers accept (ISO 32000-1, annex H, 3.4.1).
const BEFORE_PDF: usize = 1024;

/// Whether the first bytes are those of a PDF document, such as `%PDF-1.7`. Bytes before it, such as the head of a
/// message, are accepted if an object follows.
pub fn is_pdf(head: &[u8]) -> bool {
    if is_pdf_line(head) {
        return true;
    }
    let start = head.get(..head.len().min(BEFORE_PDF)).unwrap_or_default();
    let mut marks = memchr::memmem::find_iter(start, b"%PDF-");
    marks.any(|at| {
        let rest = head.get(at..).unwrap_or_default();
        is_pdf_line(rest) && has_object(rest)
    })
}

/// Whether an object follows the first line of a PDF document, after lines of comments: `1 0 obj`.
fn has_object(rest: &[u8]) -> bool {
    let mut lines = rest
        .split(|it| matches!(it, b'\r' | b'\n'))
        .filter(|it| !it.is_empty() && !it.starts_with(b"%"));
    lines.next().is_some_and(|line| {
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|it| !it.is_empty());
        let mut number = || {
            words
                .next()
                .is_some_and(|it| it.iter().all(u8::is_ascii_digit))
        };
        number() && number() && words.next().is_some_and(|it| it.starts_with(b"obj"))
    })
}

fn is_pdf_line(head: &[u8]) -> bool {
    matches!(
        head,
        [
            b'%',
            b'P',
            b'D',
            b'F',
            b'-',
            b'0'..=b'9',
            b'.',
            b'0'..=b'9',
            ..
        ]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_before_a_pdf_document_are_accepted() {
        let file = b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<< >>\nendobj\n";
        assert!(is_pdf(file));
        for before in [
            b"\xEF\xBB\xBF".to_vec(),
            b"\n\n".to_vec(),
            b"HTTP/1.1 200 OK\r\n\r\n".to_vec(),
            vec![0; 1000],
        ] {
            assert!(is_pdf(&[before.as_slice(), file].concat()), "{before:?}");
        }
        // A text about the format, and bytes too far from the start.
        assert!(!is_pdf(
            b"The first line is %PDF-1.4\nand then come objects.\n"
        ));
        assert!(!is_pdf(&[vec![b' '; 1100].as_slice(), file].concat()));
    }
}

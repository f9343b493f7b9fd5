//! The bytes of a [`Document`], which a session keeps for later reads of the same file.
//!
//! Facts of the file, such as its outline, are not among them: they are read with the file.

use super::document::Document;
use super::head::Known;
use super::limits;
use std::rc::Rc;

/// The start of the bytes. A change of the layout analysis needs another number, so that no session gives what an
/// earlier analysis found to a later one.
const FORM: &str = concat!(env!("CARGO_PKG_VERSION"), "/1:");

impl Document {
    /// The document as bytes. `None` if they would be too many.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let bytes = FORM.as_bytes().to_vec();
        let bytes = postcard::to_extend(self, bytes).ok()?;
        (bytes.len() <= limits::KEPT_BYTES).then_some(bytes)
    }

    /// The document in the bytes that [`Document::to_bytes`] returned. `outline` has the level and the title of each
    /// entry, and `known` is what the file says about its pages. `None` if the bytes are damaged or those of another
    /// version.
    pub fn from_bytes<'t>(
        bytes: &[u8],
        outline: impl Iterator<Item = (u8, &'t str)>,
        known: Rc<Known>,
    ) -> Option<Self> {
        let bytes = bytes.strip_prefix(FORM.as_bytes())?;
        let (mut out, rest): (Self, _) = postcard::take_from_bytes(bytes).ok()?;
        if !rest.is_empty() || !out.is_sound() {
            return None;
        }
        out.add_titles(outline);
        out.furniture.set_known(known);
        Some(out)
    }

    /// Whether all measures are those that the analysis of pages may find.
    fn is_sound(&self) -> bool {
        let measures = [Some(self.left), self.gutter, self.text_left];
        let sizes = self.levels.iter().map(|it| it.size);
        let measures = measures.into_iter().flatten().chain(sizes);
        SIZES.contains(&self.body)
            && self.furniture.is_sound(self.body)
            && measures.into_iter().all(f32::is_finite)
    }
}

/// The sizes of running text in points that the analysis may find.
const SIZES: std::ops::RangeInclusive<f32> = 1.0..=250.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::furniture::Furniture;
    use crate::layout::words::Word;

    fn document() -> Document {
        sized(10.0)
    }

    fn sized(body: f32) -> Document {
        let mut out = Document {
            body,
            furniture: Furniture::of(None, &[], body, Rc::default()),
            gutter: Some(300.0),
            common: vec![40, 48],
            text_left: None,
            left: 72.0,
            slanted_headings: true,
            ..Document::default()
        };
        let word = |text: &str| Word {
            text: text.to_owned(),
            ..Word::default()
        };
        out.vocabulary.add(&[word("well-known"), word("words")]);
        out
    }

    fn parsed(bytes: &[u8]) -> Option<Document> {
        let outline = [(1, "Part 1"), (2, "Part 2")];
        Document::from_bytes(bytes, outline.into_iter(), Rc::default())
    }

    #[test]
    fn bytes_are_the_document() {
        let mut document = document();
        let bytes = document.to_bytes().unwrap();
        let parsed = parsed(&bytes).unwrap();
        document.add_titles([(1, "Part 1"), (2, "Part 2")].into_iter());
        assert_eq!(format!("{parsed:?}"), format!("{document:?}"));
        assert_eq!(parsed.outline.len(), 2);
    }

    #[test]
    fn damaged_bytes_are_no_document() {
        let bytes = document().to_bytes().unwrap();
        assert!(parsed(b"").is_none());
        assert!(parsed(&[0xff; 64]).is_none());
        // The bytes of another version start in another way.
        let other = [b"0.0.9/1:", &bytes[FORM.len()..]].concat();
        assert!(parsed(&other).is_none());
        for length in 0..bytes.len() {
            assert!(parsed(&bytes[..length]).is_none(), "{length}");
        }
        let longer = [bytes.as_slice(), b"x"].concat();
        assert!(parsed(&longer).is_none());
    }

    #[test]
    fn measures_that_no_page_has_are_no_document() {
        for body in [0.0, -1.0, 251.0, f32::NAN, f32::INFINITY] {
            assert!(parsed(&sized(body).to_bytes().unwrap()).is_none(), "{body}");
        }
        let two = Document {
            body: 12.0,
            ..document()
        };
        assert!(parsed(&two.to_bytes().unwrap()).is_none());
        let broken: [fn(&mut Document); 3] = [
            |it| it.gutter = Some(f32::NAN),
            |it| it.text_left = Some(f32::INFINITY),
            |it| it.left = f32::NEG_INFINITY,
        ];
        for change in broken {
            let mut document = document();
            change(&mut document);
            assert!(parsed(&document.to_bytes().unwrap()).is_none());
        }
    }

    #[test]
    fn large_documents_are_not_kept() {
        let mut document = document();
        let word = Word {
            text: "word ".repeat(limits::KEPT_BYTES),
            ..Word::default()
        };
        document.vocabulary.add(&[word]);
        assert_eq!(document.to_bytes(), None);
    }
}

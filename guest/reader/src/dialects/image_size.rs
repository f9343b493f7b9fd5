//! The size in which a path requests images: `photo.png:half` has half the width and height, and so a quarter of
//! the tokens. `photo.png:full` has the usual size.
//!
//! A path with one of these words shows its images even if the budget of the session is used up. A path that can
//! be read with the word in it has precedence, such as that of a file with this name.

use super::repeat::{FRESH, is_web};
use crate::answer::{AnnotationContent, Answer, Body};
use crate::path::{Selector, ends_in};
use crate::request::{ImageSize, Request};

/// The words at the end of a path.
pub const HALF: &str = ":half";
pub const FULL: &str = ":full";

/// Extensions of images, for web addresses.
const IMAGES: &[&str] = &[
    "avif", "bmp", "gif", "ico", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp",
];

/// The path without the word for a size at its end, or before `:fresh`, and that size.
fn split(path: &str) -> Option<(String, ImageSize)> {
    let ends = |word: &str, path: &str| {
        let at = path.len().checked_sub(word.len())?;
        let (name, end) = path.split_at_checked(at)?;
        (end.eq_ignore_ascii_case(word) && !name.is_empty()).then(|| name.to_owned())
    };
    let (bare, fresh) = match ends(FRESH, path) {
        Some(bare) => (bare, FRESH),
        None => (path.to_owned(), ""),
    };
    let sizes = [(HALF, ImageSize::Half), (FULL, ImageSize::Full)];
    sizes.into_iter().find_map(|(word, size)| {
        let name = ends(word, &bare)?;
        Some((format!("{name}{fresh}"), size))
    })
}

/// The request without the word for a size in its path. `None` if the path has no such word.
pub fn of_path(request: &Request) -> Option<Request> {
    let (path, size) = split(&request.path)?;
    Some(sized(request, &path, size))
}

/// Such a request for a web address. It is not tried with the word first, because that is another request to
/// the server: only an address that names an image has this word.
pub fn of_address(request: &Request) -> Option<Request> {
    let (path, size) = split(&request.path).filter(|_| is_web(&request.path))?;
    if names_image(&path) {
        return Some(sized(request, &path, size));
    }
    // `:full` selects the whole page, if it is one.
    (size == ImageSize::Full).then(|| sized(request, &request.path, size))
}

fn sized(request: &Request, path: &str, size: ImageSize) -> Request {
    let mut sized = Request {
        path: path.to_owned(),
        ..request.clone()
    };
    sized.style.image_size = size;
    sized
}

/// Whether an address ends with the selector of a picture, or with the extension of an image.
fn names_image(address: &str) -> bool {
    let address = address.strip_suffix(FRESH).unwrap_or(address);
    let colons = address.match_indices(':').map(|(at, _)| at).rev().take(3);
    let mut suffixes = colons.filter_map(|at| address.get(at.saturating_add(1)..));
    let path = address.split(['?', '#']).next().unwrap_or(address);
    ends_in(path, IMAGES)
        || suffixes.any(|suffix| {
            suffix.eq_ignore_ascii_case("img") || Selector::picture_of(suffix).is_some()
        })
}

/// Whether an answer has an image, shown or described.
pub fn has_image(answer: &Answer) -> bool {
    match &answer.body {
        Body::Media(media) => media.format.image,
        Body::Text(text) => text
            .annotations
            .iter()
            .any(|annotation| !matches!(annotation.content, AnnotationContent::Note(_))),
        Body::Listing(_) | Body::Archive(_) | Body::Database(_) | Body::Binary(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_at_the_end_of_a_path_is_a_size() {
        let half = |name: &str| Some((name.to_owned(), ImageSize::Half));
        assert_eq!(split("a.png:half"), half("a.png"));
        assert_eq!(split("a.pdf:page:2:img:HALF"), half("a.pdf:page:2:img"));
        assert_eq!(split("a:full"), Some(("a".to_owned(), ImageSize::Full)));
        assert_eq!(split("a.png:Half:fresh"), half("a.png:fresh"));
        for path in ["", ":half", "half", "a.png", "a.png:half:", "ä:hal"] {
            assert_eq!(split(path), None, "{path}");
        }
    }

    #[test]
    fn address_of_an_image_has_a_size() {
        for address in [
            "https://x.org/a.png",
            "https://x.org/a.JPG?v=2",
            "https://x.org/a.png:fresh",
            "https://x.org/avatar:img",
            "https://x.org/a.docx:image:2",
            "https://x.org/a.pdf:page:2:img",
        ] {
            assert!(names_image(address), "{address}");
        }
        for address in [
            "https://x.org",
            "https://x.org/a:b",
            "https://x.org/wiki/Png",
        ] {
            assert!(!names_image(address), "{address}");
        }
    }
}

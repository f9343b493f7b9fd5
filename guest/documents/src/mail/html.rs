//! HTML bodies as Markdown, and the choice between HTML and plain text.

use crate::limits;
use omniread_markup::html;
use percent_encoding::percent_decode;
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of the images of a mail by their content IDs.
pub type Images = BTreeMap<String, usize>;

/// HTML as Markdown.
pub struct Markdown {
    /// The text.
    pub text: String,
    /// Notes for the reply.
    pub notes: Vec<String>,
    /// Whether it has tables.
    has_table: bool,
}

/// Converts HTML. Images of the mail become `![alt](image:N)`.
pub fn convert(html: &str, images: &Images) -> Markdown {
    let mut notes = Vec::new();
    let mut html = html;
    if html.len() > limits::MAIL_HTML_BYTES {
        let end = html.floor_char_boundary(limits::MAIL_HTML_BYTES);
        html = html.get(..end).unwrap_or_default();
        let megabytes = limits::MAIL_HTML_BYTES >> 20;
        notes.push(format!(
            "The HTML has more than {megabytes} MB. The rest of it is left out."
        ));
    }
    let linked = link_images(html, images);
    let fragment = html::fragment(&linked, None);
    notes.extend(fragment.notes.iter().map(|note| sentence(note)));
    Markdown {
        text: fragment.text,
        notes,
        has_table: fragment.has_table,
    }
}

/// Makes a sentence of a note.
fn sentence(note: &str) -> String {
    let mut chars = note.chars();
    let first = chars.next().map(char::to_uppercase);
    let mut out: String = first.into_iter().flatten().collect();
    out.push_str(chars.as_str());
    if !out.ends_with('.') {
        out.push('.');
    }
    out
}

/// Returns the content IDs that HTML refers to with `cid:`.
pub fn references(html: &[u8]) -> impl Iterator<Item = String> {
    addresses(html).map(|(_, id)| id)
}

/// Finds `cid:` addresses: the end of each before its ID, and the decoded ID.
fn addresses(html: &[u8]) -> impl Iterator<Item = ((usize, usize), String)> {
    memchr::memchr2_iter(b'c', b'C', html).filter_map(|at| {
        let rest = html.get(at..)?;
        let scheme = rest.get(..4)?;
        if !scheme.eq_ignore_ascii_case(b"cid:") {
            return None;
        }
        let before = html.get(at.checked_sub(1)?)?;
        if !b"\"'=( ".contains(before) {
            return None;
        }
        let rest = rest.get(4..)?;
        let is_end = |byte: &u8| b"\"'<> )\r\n\t".contains(byte);
        let length = rest.iter().take(1000).position(is_end)?;
        let id = percent_decode(rest.get(..length)?).decode_utf8_lossy();
        let id = id.replace("&amp;", "&");
        let end = at.checked_add(4)?.checked_add(length)?;
        Some(((at, end), id))
    })
}

/// Replaces `cid:` addresses by `image:N`.
fn link_images(html: &str, images: &Images) -> String {
    if images.is_empty() {
        return html.to_owned();
    }
    let mut out = String::with_capacity(html.len());
    let mut done = 0;
    for ((start, end), id) in addresses(html.as_bytes()) {
        let Some(number) = images.get(&id) else {
            continue;
        };
        out.push_str(html.get(done..start).unwrap_or_default());
        out.push_str(&format!("image:{number}"));
        done = end;
    }
    out.push_str(html.get(done..).unwrap_or_default());
    out
}

/// Whether plain text is shown rather than the HTML for the same text. Plain text keeps the lines
/// of the writer. HTML is better if it has structure, or if the plain text is not the same text.
pub fn prefers_plain(plain: &str, html: &Markdown) -> bool {
    if plain.trim().is_empty() {
        return false;
    }
    let (words, others) = (words(plain), words(&html.text));
    if others == 0 {
        return true;
    }
    // Words in the addresses of links count in both.
    let is_same = words.saturating_mul(10) >= others.saturating_mul(7)
        && others.saturating_mul(10) >= words.saturating_mul(5);
    is_same && !html.has_table && !is_rich(&html.text)
}

/// Whether plain text has many words that Markdown for the same text does not have.
pub fn differs(plain: &str, markdown: &str) -> bool {
    let is_word = |word: &&str| (4..30).contains(&word.len());
    let words = |text| str::split(text, |char: char| !char.is_alphanumeric()).filter(is_word);
    let known: BTreeSet<&str> = words(markdown).collect();
    let (mut all, mut missing) = (0_usize, 0_usize);
    for line in plain.lines().filter(|line| !line.contains("://")) {
        for word in words(line) {
            all = all.saturating_add(1);
            missing = missing.saturating_add(usize::from(!known.contains(word)));
        }
    }
    missing >= 20 && missing.saturating_mul(3) > all
}

/// The number of words with letters or digits.
fn words(text: &str) -> usize {
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
    text.split_whitespace().filter(is_word).count()
}

/// Whether Markdown has structure that plain text lacks.
fn is_rich(markdown: &str) -> bool {
    markdown.lines().any(|line| {
        let line = line.trim_start_matches(['>', ' ']);
        line.starts_with("# ")
            || line.starts_with("##")
            || line.starts_with("- ")
            || line.starts_with("1. ")
            || line.contains("**")
            || line.contains("![")
            || has_named_link(line)
    })
}

/// Whether a line has a link with another text than its address.
fn has_named_link(line: &str) -> bool {
    line.match_indices("](").any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        let text = before.rsplit('[').next().unwrap_or_default();
        let after = line.get(at.saturating_add(2)..).unwrap_or_default();
        let url = after.split(')').next().unwrap_or_default();
        let url = url
            .trim_start_matches("mailto:")
            .trim_start_matches("https://");
        let url = url.trim_start_matches("http://").trim_end_matches('/');
        !text.contains(url)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain_wins(plain: &str, html: &str) -> bool {
        prefers_plain(plain, &convert(html, &Images::new()))
    }

    #[test]
    fn richer_text_is_chosen() {
        assert!(plain_wins(
            "Hi Ann,\nsee you.",
            "<p>Hi Ann,<br>see you.</p>"
        ));
        assert!(!plain_wins("", "<p>Hi</p>"));
        assert!(!plain_wins(
            "Your client does not support HTML.",
            "<p>This is a long text with many words, which the other one does not have.</p>"
        ));
        assert!(!plain_wins("a b", "<ul><li>a<li>b</ul>"));
        assert!(!plain_wins(
            "see here",
            "see <a href='http://x.y/z'>here</a>"
        ));
        assert!(plain_wins(
            "see http://x.y/z",
            "see <a href='http://x.y/z'>http://x.y/z</a>"
        ));
        assert!(plain_wins("only plain", "<html></html>"));
    }

    #[test]
    fn other_words_are_found() {
        let text = "several words about something ".repeat(10);
        assert!(!differs(&text, &text));
        assert!(differs(&text, "another text"));
        assert!(!differs("Your client does not support HTML.", &text));
    }

    #[test]
    fn images_of_the_mail_are_numbered() {
        let images = Images::from([("a@b c".to_owned(), 3)]);
        let html = "<p>x <img alt='y' src=\"CID:a@b%20c\"> cid:z <img src=cid:other></p>";
        assert!(convert(html, &images).text.contains("![y](image:3)"));
        let found: Vec<_> = references(html.as_bytes()).collect();
        assert_eq!(found, ["a@b c", "z", "other"]);
    }

    #[test]
    fn hidden_text_is_noted() {
        let found = convert("<p>a</p><p style='display:none'>b c d</p>", &Images::new());
        assert_eq!(found.text, "a");
        assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
        assert!(found.notes[0].ends_with('.'));
    }
}

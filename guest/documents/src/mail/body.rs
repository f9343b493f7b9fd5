//! The body of a mail as text.

use super::html;
use super::letter::Body;
use super::structure::{Mail, Shown, Source};
use super::{calendar, plain, tnef};
use crate::mime::charset;
use crate::{Attachment, Unit, limits, rtf};

impl Mail {
    /// Writes the mail. `quoted` is the maximum number of lines of a quotation.
    pub fn text(&self, bytes: &[u8], attachments: &[Attachment], quoted: usize) -> Unit {
        let mut body = Body {
            notes: self.notes.clone(),
            ..Body::default()
        };
        for shown in &self.shown {
            self.show(shown, bytes, &mut body);
        }
        self.letter.write(body, attachments, quoted)
    }

    fn show(&self, shown: &Shown, bytes: &[u8], body: &mut Body) {
        match shown {
            Shown::Plain(index) => self.show_plain(*index, bytes, body),
            Shown::Html(index) => {
                if let Some(part) = self.parts.list.get(*index) {
                    let text = charset::decode_html(&part.decoded(bytes), &part.charset);
                    let converted = html::convert(&text, &self.ids);
                    body.push(&converted.text);
                    body.notes.extend(converted.notes);
                }
            }
            Shown::Enriched(index) => body.push(&enriched(&self.decoded(*index, bytes))),
            Shown::Report(index) => {
                let text = self.decoded(*index, bytes);
                let mut lines = text.lines();
                let shown: Vec<&str> = lines.by_ref().take(limits::MAIL_REPORT_LINES).collect();
                body.push(&plain::tidy(&shown.join("\n")));
                let more = lines.count();
                if more > 0 {
                    let note = format!("{more} lines of a delivery report are left out.");
                    body.notes.push(note);
                }
            }
            Shown::Calendar(index) => {
                let has_body = !body.text.is_empty();
                body.push(&calendar::render(&self.decoded(*index, bytes), has_body));
            }
            Shown::Remark(text) => body.push(text),
            Shown::Winmail(index) => self.show_winmail(*index, bytes, body),
            Shown::Choice(plain, html) => self.choose(plain, html, bytes, body),
        }
    }

    /// Shows plain text or HTML for the same text.
    fn choose(&self, plain: &[Shown], html: &[Shown], bytes: &[u8], body: &mut Body) {
        let mut text = Body::default();
        for shown in plain {
            self.show(shown, bytes, &mut text);
        }
        let [Shown::Html(index)] = html else {
            for shown in html {
                self.show(shown, bytes, body);
            }
            return;
        };
        let Some(part) = self.parts.list.get(*index) else {
            return;
        };
        let markup = charset::decode_html(&part.decoded(bytes), &part.charset);
        let converted = html::convert(&markup, &self.ids);
        let has_images = converted.text.contains("](image:");
        if !has_images && html::prefers_plain(&text.text, &converted) {
            body.push(&text.text);
            body.notes.extend(text.notes);
            body.is_cut |= text.is_cut;
        } else {
            if html::differs(&text.text, &converted.text) {
                let note = "The plain text of the mail has other words than its HTML, which is \
                            shown. The raw file has both.";
                body.notes.push(note.to_owned());
            }
            body.push(&converted.text);
            body.notes.extend(converted.notes);
        }
    }

    /// Shows the text in a `winmail.dat`.
    fn show_winmail(&self, index: usize, bytes: &[u8], body: &mut Body) {
        let Some(part) = self.parts.list.get(index) else {
            return;
        };
        let file = part.decoded(bytes);
        let Some(found) = tnef::read(&file) else {
            return;
        };
        let rich_text = || rtf::decompressed(file.get(found.rich_text.clone()?)?);
        let html = match &found.html {
            Some(place) => file
                .get(place.clone())
                .map(|bytes| charset::decode_html(bytes, "")),
            None => rich_text().and_then(|text| rtf::html(&text)),
        };
        if let Some(html) = html {
            let converted = html::convert(&html, &self.ids);
            body.push(&converted.text);
            body.notes.extend(converted.notes);
        } else if let Some(text) = rich_text()
            && let Ok(mut document) = rtf::open(text)
        {
            let unit = document.unit(0);
            body.push(&unit.text);
            body.notes.extend(unit.notes);
        } else if let Some(text) = &found.text {
            body.push(&plain::tidy(text));
        }
    }

    /// The text of a part.
    fn decoded(&self, index: usize, bytes: &[u8]) -> String {
        let part = self.parts.list.get(index);
        part.map(|part| charset::decode(&part.decoded(bytes), &part.charset))
            .unwrap_or_default()
    }

    /// Shows the plain text of a part, without the files in it.
    fn show_plain(&self, index: usize, bytes: &[u8], body: &mut Body) {
        let Some(part) = self.parts.list.get(index) else {
            return;
        };
        let decoded = part.decoded(bytes);
        let mut text = String::new();
        let mut at = 0;
        for (source, attachment) in self.sources.iter().zip(&self.attachments) {
            let Source::Embedded(owner, file) = source else {
                continue;
            };
            if *owner == index {
                let before = decoded.get(at..file.place.start).unwrap_or_default();
                text.push_str(&charset::decode(before, &part.charset));
                text.push_str(&format!("[attachment: {}]", attachment.name));
                at = file.place.end;
            }
        }
        let mut rest = decoded.get(at..).unwrap_or_default();
        if rest.len() > limits::MAIL_TEXT_BYTES {
            rest = rest.get(..limits::MAIL_TEXT_BYTES).unwrap_or_default();
            body.is_cut = true;
        }
        text.push_str(&charset::decode(rest, &part.charset));
        if let Some(deletes_space) = part.flowed {
            text = plain::flowed(&text, deletes_space);
        }
        body.push(&plain::tidy(&text));
    }
}

/// Removes the tags of rich text.
fn enriched(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        if let Some(after) = after.strip_prefix("<<") {
            out.push('<');
            rest = after;
        } else {
            rest = after.split_once('>').map_or("", |(_, rest)| rest);
        }
    }
    out.push_str(rest);
    plain::tidy(&out)
}

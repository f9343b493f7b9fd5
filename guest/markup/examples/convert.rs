//! Converts files and prints a line of JSON for each: `{"file", "format", "text", "metadata",
//! "notes"}`. `--url URL` gives the URL of the next file.

use std::io::Write;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use omniread_markup::detect::{Format, detect};
use omniread_markup::{Converted, charset, feed, html, xml};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut url = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--url" {
            url = arguments.next();
            continue;
        }
        let bytes = std::fs::read(&argument)?;
        let text = decoded(&bytes);
        let head: String = text.chars().take(8192).collect();
        let format = detect(&head, &argument, None);
        let url = url.take();
        let converted = match format {
            Some(Format::Feed) => {
                feed::convert(&text, url.as_deref()).unwrap_or_else(|| xml::convert(&text))
            }
            Some(Format::Html) => {
                let options = html::Options {
                    url: url.as_deref(),
                    ..html::Options::default()
                };
                html::page(&text, &options).unwrap_or_default()
            }
            Some(Format::Xml | Format::Svg) => xml::convert(&text),
            None => Converted {
                text,
                ..Converted::default()
            },
        };
        let metadata: serde_json::Map<_, _> = converted
            .metadata
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect();
        let line = serde_json::json!({
            "file": argument,
            "format": format.map(|format| format!("{format:?}")),
            "text": converted.text,
            "metadata": metadata,
            "notes": converted.notes,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The text of a file: by its BOM, the declared charset, UTF-8 or windows-1252.
fn decoded(bytes: &[u8]) -> String {
    let declared = charset::declared_charset(bytes);
    let declared = declared.and_then(|label| Encoding::for_label(label.as_bytes()));
    let valid = std::str::from_utf8(bytes).is_ok();
    let default = if valid { UTF_8 } else { WINDOWS_1252 };
    declared.unwrap_or(default).decode(bytes).0.into_owned()
}

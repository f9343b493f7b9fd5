//! Small parts of HTML and XML: entities, and elements with text. Whole pages are converted by the reader.

/// A text with its named and numeric entities replaced. Unknown ones are kept.
pub fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        rest = after;
        // The longest entity that is known has eight characters.
        let end = after.char_indices().take(10).find(|(_, c)| *c == ';');
        let known = end.and_then(|(end, _)| {
            let (name, after) = after.split_at_checked(end)?;
            Some((entity(name)?, after.strip_prefix(';')?))
        });
        match known {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => out.push('&'),
        }
    }
    out.push_str(rest);
    out
}

/// The character of an entity: the five of XML, a space, or a number.
fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?).filter(|c| *c != '\0')
        }
    }
}

/// The text without tags, with its entities replaced.
pub fn plain(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut parts = html.split('<');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        text.push_str(part.split_once('>').map_or("", |(_, after)| after));
    }
    unescape(&text)
}

/// The elements with a name that has no element of this name in it: pairs of attributes and content. An element
/// without an end is left out.
pub fn elements<'a>(text: &'a str, name: &str) -> Vec<(&'a str, &'a str)> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(open.as_str()) {
        rest = after;
        let ends = |c: char| c == '>' || c == '/' || c.is_ascii_whitespace();
        if !after.starts_with(ends) {
            continue;
        }
        let Some((attributes, after)) = after.split_once('>') else {
            break;
        };
        if attributes.ends_with('/') {
            found.push((attributes, ""));
            rest = after;
            continue;
        }
        let Some((content, after)) = after.split_once(close.as_str()) else {
            break;
        };
        found.push((attributes, content));
        rest = after;
    }
    found
}

/// The value of an attribute in quotes, with its entities replaced.
pub fn attribute(attributes: &str, name: &str) -> Option<String> {
    for quote in ['"', '\''] {
        let start = format!(" {name}={quote}");
        let spaced = format!(" {}", attributes.trim_start());
        if let Some((_, after)) = spaced.split_once(start.as_str()) {
            return Some(unescape(after.split_once(quote)?.0));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_replaced_once() {
        let text = "a &amp;lt; &#39;&#x27;&quot; &nbsp;&bogus; &#0; &#xFFFFFFF; & &é; &";
        assert_eq!(
            unescape(text),
            "a &lt; ''\"  &bogus; &#0; &#xFFFFFFF; & &é; &"
        );
        assert_eq!(plain("<b>a</b> &lt;b&gt; <unclosed"), "a <b> ");
    }

    #[test]
    fn elements_have_attributes_and_content() {
        let text = "<entry a='1'><x/><names>n</names><name>b</name></entry><name  term=\"p&amp;q\"/><name>";
        assert_eq!(
            elements(text, "name"),
            [("", "b"), ("  term=\"p&amp;q\"/", "")]
        );
        assert_eq!(elements(text, "entry").len(), 1);
        assert_eq!(
            attribute("  term=\"p&amp;q\"/", "term").as_deref(),
            Some("p&q")
        );
        assert_eq!(attribute("a='1'", "a").as_deref(), Some("1"));
        assert_eq!(attribute("xterm=\"p\"", "term"), None);
    }
}

//! Blocks of HTML in Markdown (<https://spec.commonmark.org/0.31.2/#html-blocks>), and headings in HTML.

/// A block of HTML.
pub enum Html {
    /// It ends in a line with one of the texts.
    Until(&'static [&'static str]),
    /// It ends at an empty line.
    Paragraph,
}

/// Elements whose content is no Markdown, and the tags that end it: that of the element is first.
const RAW: &[(&str, &[&str])] = &[
    ("pre", &["</pre>", "</script>", "</style>", "</textarea>"]),
    (
        "script",
        &["</script>", "</pre>", "</style>", "</textarea>"],
    ),
    ("style", &["</style>", "</pre>", "</script>", "</textarea>"]),
    (
        "textarea",
        &["</textarea>", "</pre>", "</script>", "</style>"],
    ),
];

/// Elements that start a block of HTML within a paragraph (4.6, condition 6).
const ELEMENTS: &[&str] = &[
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

/// The block of HTML that starts at a text (4.6). `is_alone` says that no paragraph is before it.
pub fn start(text: &str, is_alone: bool) -> Option<Html> {
    let after = text.strip_prefix('<').unwrap_or_default();
    let ends: Option<&[&str]> = if after.starts_with("!--") {
        Some(&["-->"])
    } else if after.starts_with('?') {
        Some(&["?>"])
    } else if after.starts_with("![CDATA[") {
        Some(&["]]>"])
    } else if after
        .strip_prefix('!')
        .is_some_and(|it| it.starts_with(|c: char| c.is_ascii_alphabetic()))
    {
        Some(&[">"])
    } else {
        None
    };
    if let Some(ends) = ends {
        return Some(Html::Until(ends));
    }
    let is_end = after.starts_with('/');
    let name = after.trim_start_matches('/');
    let name = name.get(
        ..name
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
            .unwrap_or(name.len()),
    );
    let name = name.unwrap_or_default().to_ascii_lowercase();
    let rest = after
        .get(name.len().saturating_add(usize::from(is_end))..)
        .unwrap_or_default();
    let is_named = rest.is_empty() || rest.starts_with([' ', '\t', '>']);
    // The element `pre` and others like it: an end alone is a tag as any other.
    let raw = RAW.iter().find(|(it, _)| *it == name);
    if let Some((_, ends)) = raw.filter(|_| is_named && !is_end) {
        return Some(Html::Until(ends));
    }
    if ELEMENTS.contains(&name.as_str()) && (is_named || rest.starts_with("/>")) {
        return Some(Html::Paragraph);
    }
    if is_alone && name.starts_with(|c: char| c.is_ascii_alphabetic()) && is_whole_tag(rest, is_end)
    {
        return Some(Html::Paragraph);
    }
    None
}

/// Whether a text is the rest of a tag after its name, and nothing else (6.6).
fn is_whole_tag(rest: &str, is_end: bool) -> bool {
    let mut rest = rest.trim_end_matches([' ', '\t']);
    loop {
        let trimmed = rest.trim_start_matches([' ', '\t']);
        if trimmed == ">" || (trimmed == "/>" && !is_end) {
            return true;
        }
        if is_end || trimmed.len() == rest.len() {
            return false;
        }
        let is_first = |c: char| c.is_ascii_alphabetic() || c == '_' || c == ':';
        let is_name = |c: char| is_first(c) || c.is_ascii_digit() || c == '.' || c == '-';
        if !trimmed.starts_with(is_first) {
            return false;
        }
        rest = trimmed.trim_start_matches(is_name);
        let Some(value) = rest.trim_start_matches([' ', '\t']).strip_prefix('=') else {
            continue;
        };
        let value = value.trim_start_matches([' ', '\t']);
        let quoted = value.strip_prefix('"').map(|it| (it, '"'));
        let quoted = quoted.or_else(|| value.strip_prefix('\'').map(|it| (it, '\'')));
        rest = match quoted {
            Some((value, quote)) => match value.split_once(quote) {
                Some((_, after)) => after,
                None => return false,
            },
            None => {
                let ends = |c: char| c.is_whitespace() || "\"'=<>`".contains(c);
                let end = value.find(ends).unwrap_or(value.len());
                if end == 0 {
                    return false;
                }
                value.get(end..).unwrap_or_default()
            }
        };
    }
}

impl Html {
    /// Whether the content is text that has no Markdown, such as that of the element `pre`.
    pub fn is_raw(&self) -> bool {
        matches!(self, Self::Until(ends) if ends.iter().any(|end| end.starts_with("</")))
    }
}

/// The level of the heading whose tag `<h1>` or `</h1>` starts at a text, and the offset of its digit.
pub fn heading(text: &str) -> Option<(usize, usize)> {
    let name = text.strip_prefix('<')?;
    let name = name.strip_prefix('/').unwrap_or(name);
    let number = name.strip_prefix(['h', 'H'])?;
    let level = number.chars().next()?.to_digit(10)?;
    let after = number.get(1..)?;
    let is_name = after.is_empty() || after.starts_with([' ', '\t', '>', '/']);
    let offset = text.len().saturating_sub(number.len());
    let level = usize::try_from(level).ok()?;
    (is_name && (1..=6).contains(&level)).then_some((level, offset))
}

/// Whether a line of HTML has the end of its block.
pub fn has_end(text: &str, ends: &[&str]) -> bool {
    let lower = text.to_ascii_lowercase();
    ends.iter()
        .any(|end| lower.contains(&end.to_ascii_lowercase()))
}

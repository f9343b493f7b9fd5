//! The syntax of configurations of Git
//! (<https://git-scm.com/docs/git-config#_syntax>).

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name of its section in lower case.
    pub section: String,
    /// The name of the section in quotes, such as that of a remote. It is empty if there is none.
    pub inner: String,
    /// The name in lower case.
    pub key: String,
    /// The value. `None` if the line has only a name, which means `true`.
    pub value: Option<String>,
}

/// The settings in the text of a configuration, in order. Lines that are not valid are skipped.
pub fn entries(text: &str) -> impl Iterator<Item = Setting> {
    let mut section = None;
    Lines::of(text).filter_map(move |line| {
        let line = line.trim_start();
        let Some(header) = line.strip_prefix('[') else {
            return setting(section.as_ref()?, line);
        };
        // A setting may follow the header in its line.
        let (found, rest) = Section::parse(header);
        section = found;
        setting(section.as_ref()?, rest)
    })
}

fn setting(section: &Section, line: &str) -> Option<Setting> {
    let (key, value) = match line.split_once('=') {
        Some((key, value)) => (key, Some(value_of(value))),
        None => (line.split(['#', ';']).next().unwrap_or_default(), None),
    };
    let key = key.trim().to_ascii_lowercase();
    let is_name = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (is_name && !key.is_empty()).then(|| Setting {
        section: section.name.clone(),
        inner: section.inner.clone(),
        key,
        value,
    })
}

/// The header of a section.
struct Section {
    /// The name in lower case.
    name: String,
    /// The name in quotes, such as that of a remote.
    inner: String,
}

impl Section {
    /// Reads a header after its bracket. Returns it with the rest of the line.
    fn parse(text: &str) -> (Option<Self>, &str) {
        let Some((name, quoted)) = text.split_once('"').filter(|(name, _)| !name.contains(']'))
        else {
            let (name, rest) = text.split_once(']').unwrap_or((text, ""));
            let (name, inner) = name.split_once('.').unwrap_or((name, ""));
            let section = Self {
                name: name.trim().to_ascii_lowercase(),
                inner: inner.to_ascii_lowercase(),
            };
            return (Some(section), rest);
        };
        let mut inner = String::new();
        let mut chars = quoted.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    let rest = quoted
                        .get(at.saturating_add(1)..)
                        .and_then(|rest| rest.strip_prefix(']'));
                    let section = Self {
                        name: name.trim().to_ascii_lowercase(),
                        inner,
                    };
                    return (rest.map(|_| section), rest.unwrap_or_default());
                }
                '\\' => inner.extend(chars.next().map(|(_, c)| c)),
                c => inner.push(c),
            }
        }
        (None, "")
    }
}

/// A value without its quotes, escapes and comment.
fn value_of(text: &str) -> String {
    let mut out = String::new();
    let mut kept = 0;
    let mut is_quoted = false;
    let mut chars = text.trim_start().chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                kept = out.len();
            }
            '#' | ';' if !is_quoted => break,
            '\\' => {
                let escaped = chars.next().map(|c| match c {
                    'n' => '\n',
                    't' => '\t',
                    'b' => '\u{8}',
                    c => c,
                });
                out.extend(escaped);
                kept = out.len();
            }
            c => {
                out.push(c);
                if is_quoted || !c.is_whitespace() {
                    kept = out.len();
                }
            }
        }
    }
    // Spaces at the end belong to the value only in quotes.
    out.truncate(kept);
    out
}

/// The lines of a configuration. A line that ends in a backslash continues in the next one.
struct Lines<'a> {
    lines: std::str::Lines<'a>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            lines: text.strip_prefix('\u{feff}').unwrap_or(text).lines(),
        }
    }
}

impl Iterator for Lines<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut line = self.lines.next()?.to_owned();
        loop {
            let slashes = line.chars().rev().take_while(|c| *c == '\\').count();
            let is_comment = line.trim_start().starts_with(['#', ';']);
            if slashes % 2 == 0 || is_comment {
                return Some(line);
            }
            line.pop();
            match self.lines.next() {
                Some(next) => line.push_str(next),
                None => return Some(line),
            }
        }
    }
}

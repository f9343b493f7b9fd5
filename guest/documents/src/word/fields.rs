//! The instructions of fields.

/// Returns the address in `HYPERLINK "address" \l "anchor"`. `None` for a link inside the document.
pub fn hyperlink(instruction: &str) -> Option<String> {
    let mut url = None;
    let mut anchor = None;
    let mut switch = None;
    for word in arguments(instruction).into_iter().skip(1) {
        if let Some(name) = word.strip_prefix('\\')
            && name.chars().count() == 1
        {
            switch = Some(name.to_ascii_lowercase());
            if matches!(name, "n" | "m" | "h") {
                switch = None;
            }
            continue;
        }
        match switch.take().as_deref() {
            None => url = url.or(Some(word)),
            Some("l") => anchor = anchor.or(Some(word)),
            Some(_) => {}
        }
    }
    let mut url = url.filter(|url| !url.is_empty())?;
    if let Some(anchor) = anchor
        && !url.contains('#')
    {
        url.push('#');
        url.push_str(&anchor);
    }
    Some(url)
}

/// Splits an instruction into words and texts in quotation marks.
fn arguments(instruction: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for char in instruction.chars() {
        match char {
            '"' => {
                if quoted {
                    words.push(std::mem::take(&mut word));
                }
                quoted = !quoted;
            }
            char if char.is_whitespace() && !quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            char => word.push(char),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

//! Formulas that are links: `HYPERLINK("https://example.org","Manual")`. Their cells show only the second
//! argument.

use crate::limits;

/// The name of the function.
pub const NAME: &str = "HYPERLINK(";

/// The address outside of the workbook to which a formula links. `None` for any other formula, and for an
/// address that the formula computes.
pub fn address(formula: &str) -> Option<String> {
    // OpenFormula has a prefix: `of:=HYPERLINK(`.
    let start = formula.trim_start();
    let start = start.strip_prefix("of:").unwrap_or(start);
    let start = start.trim_start_matches('=').trim_start();
    let name = start.get(..NAME.len())?;
    let rest = start.get(NAME.len()..)?.trim_start().strip_prefix('"')?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let mut address = String::new();
    let mut chars = rest.chars();
    while let Some(char) = chars.next() {
        if char == '"' {
            // A quotation mark in a text is doubled.
            if !chars.as_str().starts_with('"') {
                break;
            }
            chars.next();
        }
        address.push(char);
        if address.len() > limits::URL_BYTES {
            return None;
        }
    }
    let ends = chars.as_str().trim_start().starts_with([',', ';', ')']);
    let is_outside = address.contains(':') && !address.starts_with('#');
    (ends && is_outside).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn address_is_the_first_argument() {
        for (formula, expected) in [
            (
                "HYPERLINK(\"https://e.org/a,b\",\"x\")",
                Some("https://e.org/a,b"),
            ),
            ("=Hyperlink( \"mailto:a@b\" )", Some("mailto:a@b")),
            (
                "of:=HYPERLINK(\"https://e.org/\"\"q\"\"\";\"x\")",
                Some("https://e.org/\"q\""),
            ),
            ("HYPERLINK(\"#S!A1\",\"x\")", None),
            ("HYPERLINK(\"https://e.org/\"&A1,\"x\")", None),
            ("HYPERLINK(A1)", None),
            ("IF(A1,HYPERLINK(\"https://e.org\"))", None),
            ("HYPERLINK(\"https://e.org", None),
            ("HYPER", None),
            ("", None),
        ] {
            assert_eq!(address(formula).as_deref(), expected, "{formula}");
        }
    }
}

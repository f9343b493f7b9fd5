//! Formulas in OpenFormula ([ODF 1.3] part 4) → the form that Excel shows.

use super::address::sheet_end;

/// Converts a formula: `of:=SUM([.A1:.B2];1)` → `SUM(A1:B2,1)`.
pub fn excel(formula: &str) -> String {
    let text = formula.trim();
    let start = text.find('=').filter(|at| {
        let prefix = text.get(..*at).unwrap_or_default();
        prefix.is_empty() || prefix.ends_with(':')
    });
    let text = start.map_or(text, |at| text.get(at..).unwrap_or_default());
    let mut rest = text.trim_start_matches('=');
    let mut out = String::with_capacity(rest.len());
    let mut in_array = false;
    while let Some(char) = rest.chars().next() {
        let length = char.len_utf8();
        let (_, after) = rest.split_at_checked(length).unwrap_or_default();
        match char {
            '"' => {
                // A quotation mark in a text is doubled, so that it ends one text and starts another.
                let end = after
                    .find('"')
                    .map_or(after.len(), |at| at.saturating_add(1));
                let (text, after) = after.split_at_checked(end).unwrap_or_default();
                out.push('"');
                out.push_str(text);
                rest = after;
                continue;
            }
            '[' => {
                let end = bracket_end(after);
                let (inside, after) = after.split_at_checked(end).unwrap_or_default();
                reference(inside, &mut out);
                rest = after.strip_prefix(']').unwrap_or(after);
                continue;
            }
            '{' => {
                in_array = true;
                out.push(char);
            }
            '}' => {
                in_array = false;
                out.push(char);
            }
            ';' | '~' => out.push(','),
            '|' if in_array => out.push(';'),
            '!' => out.push(' '),
            char if char.is_ascii_alphabetic() => {
                let end = after.find(|next: char| !next.is_alphanumeric() && !"._".contains(next));
                let end = end.unwrap_or(after.len());
                let (more, after) = after.split_at_checked(end).unwrap_or_default();
                let word = format!("{char}{more}");
                let prefixes = [
                    "COM.MICROSOFT.",
                    "ORG.OPENOFFICE.",
                    "ORG.LIBREOFFICE.",
                    "LEGACY.",
                ];
                let short = prefixes.iter().find_map(|prefix| word.strip_prefix(prefix));
                out.push_str(short.filter(|_| after.starts_with('(')).unwrap_or(&word));
                rest = after;
                continue;
            }
            char => out.push(char),
        }
        rest = after;
    }
    out
}

/// Returns the position of the bracket that ends a reference.
fn bracket_end(text: &str) -> usize {
    let mut quoted = false;
    for (at, char) in text.char_indices() {
        match char {
            '\'' => quoted = !quoted,
            ']' if !quoted => return at,
            _ => {}
        }
    }
    text.len()
}

/// Writes a reference: `$Sheet1.$A$1:.$B$2` → `Sheet1!$A$1:$B$2`.
fn reference(text: &str, out: &mut String) {
    let mut rest = text;
    let mut first = true;
    loop {
        let end = sheet_end(rest);
        let (sheet, after) = rest
            .split_at_checked(end.unwrap_or_default())
            .unwrap_or_default();
        let sheet = sheet.trim_end_matches('.');
        // The second corner repeats the sheet.
        if first && !sheet.is_empty() {
            out.push_str(&sheet_name(sheet));
            out.push('!');
        }
        let (corner, more) = match after.split_once(':') {
            Some((corner, more)) => (corner, Some(more)),
            None => (after, None),
        };
        out.push_str(corner);
        let Some(more) = more else { return };
        out.push(':');
        rest = more;
        first = false;
    }
}

/// Returns the name of a sheet, perhaps in another file, as Excel writes it.
fn sheet_name(name: &str) -> String {
    let Some((file, sheet)) = name.split_once("'#") else {
        return name.strip_prefix('$').unwrap_or(name).to_owned();
    };
    let file = file.trim_start_matches('\'');
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let sheet = sheet.trim_start_matches('$').trim_matches('\'');
    format!("'[{file}]{sheet}'")
}

#[cfg(test)]
mod tests {
    use super::excel;

    #[test]
    fn formulas_have_the_form_of_excel() {
        for (formula, expected) in [
            ("of:=SUM([.A1:.B2])", "SUM(A1:B2)"),
            (
                "of:=IF([.A1]>0;\"a;b\"\"[\";[.$B$2])",
                "IF(A1>0,\"a;b\"\"[\",$B$2)",
            ),
            (
                "of:=[$Sheet1.$A$1:.$B$2]+[Sheet2.A1]",
                "Sheet1!$A$1:$B$2+Sheet2!A1",
            ),
            ("of:=['My; [sheet]'.A1]*2", "'My; [sheet]'!A1*2"),
            ("of:=COM.MICROSOFT.CONCAT({1;2|3;4})", "CONCAT({1,2;3,4})"),
            ("of:=['file:///C:/a/b.ods'#$Data.A1]", "'[b.ods]Data'!A1"),
            ("oooc:=SUM([.A1];[.B1])", "SUM(A1,B1)"),
            ("=A1+1", "A1+1"),
            ("of:=SUM([.A1:.A2]~[.C1])", "SUM(A1:A2,C1)"),
            ("of:=1<>2", "1<>2"),
            ("of:=\"open", "\"open"),
            ("of:=[.A1", "A1"),
        ] {
            assert_eq!(excel(formula), expected);
        }
    }
}

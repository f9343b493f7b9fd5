//! Numbers in local form: a decimal mark, a mark of thousands, and the sign of a currency or of
//! percent.

use crate::tables::value::SqlValue;

/// The maximum size in bytes of a number in local form.
const BYTES: usize = 60;

/// The forms: the decimal mark, and the mark of thousands. A space is any space, and an apostrophe is
/// any of two.
const FORMS: [(char, char); 6] = [
    ('.', ','),
    ('.', ' '),
    ('.', '\''),
    (',', '.'),
    (',', ' '),
    (',', '\''),
];

/// The form of the numbers of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    decimal: char,
    thousands: char,
    /// The sign before or after the number, or nothing.
    symbol: String,
    /// Whether a value has the decimal mark.
    has_decimal: bool,
    /// Whether a value has the mark of thousands.
    has_thousands: bool,
}

impl Form {
    /// The number in a text. `None` if the text has another form.
    pub fn value(&self, text: &str) -> Option<SqlValue> {
        let parts = Parts::of(text)?;
        if parts.symbol != self.symbol {
            return None;
        }
        let plain = plain(parts.digits, self.decimal, self.thousands)?;
        let signed = if parts.is_negative {
            format!("-{plain}")
        } else {
            plain
        };
        let value = SqlValue::of(&signed);
        value.is_number().then_some(value)
    }

    /// The marks of the numbers, for the description of a column.
    pub fn describe(&self) -> String {
        let mark = |name: &str, mark: char| match mark {
            ' ' => format!("{name} space"),
            mark => format!("{name} `{mark}`"),
        };
        let mut parts = Vec::new();
        if self.has_decimal {
            parts.push(mark("decimal", self.decimal));
        }
        if self.has_thousands {
            parts.push(mark("thousands", self.thousands));
        }
        if !self.symbol.is_empty() {
            parts.push(format!("`{}`", self.symbol));
        }
        parts.join(", ")
    }
}

/// The forms that fit all values of a column.
#[derive(Default)]
pub struct Forms {
    /// The first value, whose symbol all have.
    symbol: Option<String>,
    /// Whether each of [`FORMS`] fits all values so far.
    fits: Option<[bool; FORMS.len()]>,
    /// The marks that occur in values, for each form: the decimal mark, and that of thousands.
    used: [(bool, bool); FORMS.len()],
    /// A value with a mark.
    marked: Option<String>,
}

impl Forms {
    /// Adds a value.
    pub fn add(&mut self, text: &str) {
        let fits = self.fits.get_or_insert([true; FORMS.len()]);
        if !fits.contains(&true) {
            return;
        }
        let parts = Parts::of(text).filter(|parts| {
            let symbol = self.symbol.get_or_insert_with(|| parts.symbol.to_owned());
            symbol == parts.symbol
        });
        let Some(parts) = parts else {
            *fits = [false; FORMS.len()];
            return;
        };
        for ((fits, used), (decimal, thousands)) in fits.iter_mut().zip(&mut self.used).zip(FORMS) {
            *fits = *fits && plain(parts.digits, decimal, thousands).is_some();
            used.0 |= parts.digits.contains(decimal);
            used.1 |= parts.digits.chars().any(|c| is_mark(c, thousands));
        }
        if self.marked.is_none() && parts.digits.contains(['.', ',']) {
            self.marked = Some(parts.digits.to_owned());
        }
    }

    fn fitting(&self) -> impl Iterator<Item = ((char, char), (bool, bool))> {
        let fits = self.fits.unwrap_or_default();
        let forms = FORMS.into_iter().zip(self.used).zip(fits);
        forms.filter_map(|(form, fits)| fits.then_some(form))
    }

    fn has(&self, wanted: char) -> bool {
        self.fitting().any(|((decimal, _), _)| decimal == wanted)
    }

    /// The decimal mark, if the values show it.
    pub fn decimal(&self) -> Option<char> {
        self.marked.as_ref()?;
        match (self.has('.'), self.has(',')) {
            (true, false) => Some('.'),
            (false, true) => Some(','),
            _ => None,
        }
    }

    /// A value whose mark is a decimal mark or one of thousands, if that of all values can be both.
    pub fn ambiguous(&self) -> Option<String> {
        self.marked
            .clone()
            .filter(|_| self.has('.') && self.has(','))
    }

    /// The form of all values, preferably with this decimal mark.
    pub fn form(&self, decimal: char) -> Option<Form> {
        let is_preferred = |form: &((char, char), _)| form.0.0 == decimal;
        let fewest = |form: &((char, char), (bool, bool))| !form.1.1;
        // The mark of thousands is one that occurs.
        let form = self
            .fitting()
            .min_by_key(|form| (!is_preferred(form), fewest(form)));
        let ((decimal, thousands), (has_decimal, has_thousands)) = form?;
        Some(Form {
            decimal,
            thousands,
            symbol: self.symbol.clone().unwrap_or_default(),
            has_decimal,
            has_thousands,
        })
    }
}

/// A number in local form.
struct Parts<'t> {
    is_negative: bool,
    symbol: &'t str,
    /// Digits and marks.
    digits: &'t str,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Option<Self> {
        if text.len() > BYTES {
            return None;
        }
        let text = text.trim_matches(is_space);
        let (mut is_negative, mut rest) = without_sign(text);
        let is_digit = |c: char| c.is_ascii_digit();
        let start = rest.find(|c: char| is_digit(c) || matches!(c, '-' | '\u{2212}'))?;
        let before = rest.get(..start)?.trim_end_matches(is_space);
        rest = rest.get(start..)?;
        if !before.is_empty() {
            let (is_also_negative, digits) = without_sign(rest);
            if is_negative && is_also_negative {
                return None;
            }
            is_negative |= is_also_negative;
            rest = digits;
        }
        let end = rest.rfind(is_digit)?.checked_add(1)?;
        let after = rest.get(end..)?.trim_start_matches(is_space);
        let digits = rest.get(..end)?;
        let (("", symbol) | (symbol, "")) = (before, after) else {
            return None;
        };
        (symbol.is_empty() || is_unit(symbol)).then_some(Self {
            is_negative,
            symbol,
            digits,
        })
    }
}

fn without_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

/// Whether a text is the sign or the code of a currency, or that of percent.
fn is_unit(text: &str) -> bool {
    let mut chars = text.chars();
    let is_sign = chars.next().is_some_and(is_symbol) && chars.next().is_none();
    is_sign
        || text == "%"
        || (text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Whether a character is the sign of a currency.
pub fn is_symbol(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '\u{20a0}'..='\u{20cf}')
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

fn is_mark(c: char, mark: char) -> bool {
    match mark {
        ' ' => is_space(c),
        '\'' => matches!(c, '\'' | '’'),
        mark => c == mark,
    }
}

/// A number without marks of thousands, and with a point as its decimal mark. `None` if the text has
/// another form.
fn plain(text: &str, decimal: char, thousands: char) -> Option<String> {
    let (whole, fraction) = match text.split_once(decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut groups = whole.split(|c| is_mark(c, thousands));
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let valid = are_digits(first)
        && (first.len() == 1 || !first.starts_with('0'))
        && (rest.is_empty() || (first.len() <= 3 && first != "0"))
        && rest
            .iter()
            .all(|group| group.len() == 3 && are_digits(group))
        && fraction.is_none_or(are_digits);
    if !valid {
        return None;
    }
    let mut out = first.to_owned();
    for group in rest {
        out.push_str(group);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    Some(out)
}

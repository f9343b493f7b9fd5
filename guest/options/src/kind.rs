//! The kinds of the values of options, for programs that read them from files.

use crate::settings::Field;
use crate::{Options, Setting};
use std::ops::RangeInclusive;

/// The kind of the value of an option, its default, and the range of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number(RangeInclusive<u32>, u32),
    /// A number without a default.
    Optional(RangeInclusive<u32>),
    /// A number of bytes, which may have a unit.
    Size(RangeInclusive<u32>, u32),
    /// `on` or `off`.
    Switch(bool),
    /// Names of files.
    Names(Vec<String>),
    /// An address of http or https. `None` if there is no default.
    Address(Option<String>),
}

impl Setting {
    /// The kind of the value.
    pub fn kind(&self) -> Kind {
        let mut options = Options::default();
        match &self.field {
            Field::Number(field, range) => Kind::Number(range.clone(), *field.of(&mut options)),
            Field::Limit(field, range) => Kind::Number(0..=*range.end(), *field.of(&mut options)),
            Field::Rest(range) => Kind::Optional(range.clone()),
            Field::Size(field, range) => Kind::Size(range.clone(), *field.of(&mut options)),
            Field::Switch(field) => Kind::Switch(*field(&mut options)),
            Field::Names(field) => Kind::Names(field(&mut options).clone()),
            Field::Address(field) => Kind::Address(field(&mut options).clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Kind, MAX_LINES, SETTINGS, Setting};

    #[test]
    fn kinds_have_the_range_and_the_default() {
        let kind = |key| SETTINGS.iter().find(|it| it.key == key).map(Setting::kind);
        assert_eq!(kind("limit"), Some(Kind::Number(1..=MAX_LINES, 300)));
        assert_eq!(kind("rest"), Some(Kind::Optional(0..=100)));
        assert_eq!(kind("outlines"), Some(Kind::Switch(true)));
        assert_eq!(
            kind("reply-bytes"),
            Some(Kind::Size(4096..=8 << 20, 8 << 20))
        );
    }
}

//! The paths of units of documents, such as pages, and the failures for units that a document does not have.

use crate::converted::NoUnit;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::path::{Part, Selector, UnitKind, UnitRange};
use crate::subject::Subject;

/// The failure for a request for units of one kind, such as cells, if the units of the document are
/// of another kind, such as pages.
pub fn other_units(
    requested: UnitKind,
    has: UnitKind,
    count: u64,
    subject: &Subject,
    selector: &Selector,
) -> Failure {
    let (path, requested) = (&subject.requested, requested.word());
    let message = format!("`{path}` has no {requested}s, but {}s", has.word());
    let failure = Failure::new(Reason::InvalidSelector(selector.to_string()), message);
    if count == 0 {
        return failure;
    }
    failure.hint(format!(
        "use `{}`",
        same_units(has, count, subject, selector)
    ))
}

/// The path of the units of the kind `has` with the numbers and the lines of a selector of other units,
/// for a message. The document has `count` units, and the numbers are limited to them.
pub fn same_units(has: UnitKind, count: u64, subject: &Subject, selector: &Selector) -> String {
    let (first, last) = (has.first(), last_of(has, count));
    let units = match selector.part {
        Part::Units(range) => UnitRange {
            first: range.first.clamp(first, last),
            last: range.last.map(|number| number.clamp(first, last)),
            ..UnitRange::one(has, first)
        },
        _ => UnitRange::one(has, first),
    };
    let selector = Selector {
        part: Part::Units(units),
        ..selector.clone()
    };
    escape_invisible(&subject.with_selector(&selector))
}

/// The failure for a request for units, such as notebook cells, that do not exist in the document.
pub fn no_unit(subject: &Subject, selector: &Selector, missing: NoUnit) -> Failure {
    let NoUnit { kind, count, .. } = missing;
    let message = format!("`{}` {missing}", subject.requested);
    let failure = Failure::new(Reason::InvalidSelector(selector.to_string()), message);
    let (word, first) = (kind.word(), kind.first());
    let hint = match count {
        0 => format!("count {word}s from {first}"),
        _ => {
            let last = unit_path(kind, last_of(kind, count), subject);
            format!("count {word}s from {first}; the last one is `{last}`")
        }
    };
    failure.hint(hint)
}

/// The number of the last unit of a document with at least one.
fn last_of(kind: UnitKind, count: u64) -> u64 {
    UnitRange::last_of(kind, count.max(1))
}

/// The path of a unit, for a message.
pub fn unit_path(kind: UnitKind, number: u64, subject: &Subject) -> String {
    let unit = Part::Units(UnitRange::one(kind, number));
    escape_invisible(&subject.with_selector(&Selector::of(unit)))
}

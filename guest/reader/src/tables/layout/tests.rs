use super::*;
use crate::tables::Cell;
use proptest::prelude::*;

fn row(number: u64, values: &[String]) -> Row {
    let cells = values.iter().cloned().map(Cell::of_text).collect();
    Row { number, cells }
}

fn names(columns: usize, name: &str) -> Vec<String> {
    (0..columns).map(|index| format!("{name}{index}")).collect()
}

fn size(limit: u64, room: usize, width: Option<usize>, full: bool) -> PageSize {
    PageSize {
        limit,
        room,
        tokens: None,
        width,
        full,
        at: None,
    }
}

proptest! {
    #[test]
    fn measured_size_is_that_of_the_text(
        head in "[aé|]{0,60}",
        columns in 0usize..60,
        rows in prop::collection::vec((1u64..9, prop::collection::vec("[xü|\n]{0,50}", 0..60)), 1..8),
        room in 200usize..20_000,
        full: bool,
        width in prop::option::of(Just(120usize)),
    ) {
        let mut page = Page::new(&names(columns, &head), None, size(100, room, width, full));
        let mut number = 0;
        let mut added = 0;
        for (step, values) in &rows {
            number += step;
            if page.add(&row(number, values)) {
                added += 1;
            }
        }
        prop_assert!(added > 0);
        let wide = page.size.is_wide();
        let measured = page.size.bytes();
        let is_part = page.is_part();
        let formatted = page.format();
        let bytes = formatted.text.len();
        if !is_part {
            prop_assert!(bytes <= measured, "{bytes} {measured} {wide}");
            // The numbers may be shown or not.
            prop_assert!(bytes + 20 * (added + 2) + 16 >= measured, "{bytes} {measured} {wide}");
        }
        if added > 1 || (is_part && bytes > 400) {
            prop_assert!(bytes <= room, "{bytes} {room} {wide}");
        }
    }
}

/// The number of the row makes the line wider than a table may be.
#[test]
fn many_narrow_columns_are_not_aligned() {
    let mut page = Page::new(&names(19, ""), None, size(100, 20_000, Some(120), false));
    assert!(page.add(&row(2, &[])));
    let measured = page.size.bytes();
    let text = page.format().text;
    assert!(text.len() <= measured, "{} {measured}", text.len());
    assert!(text.starts_with("|#|0|1|"), "{text}");
}

#[test]
fn row_that_is_larger_than_the_page_goes_on_and_the_next_one_is_not_added() {
    let mut page = Page::new(&names(4, "c"), None, size(10, 1200, None, true));
    let long = vec!["x".repeat(400); 4];
    assert!(page.add(&row(1, &long)));
    assert!(!page.add(&row(2, &["y".to_owned()])));
    let rest = page.rest().unwrap();
    assert_eq!(page.ended(), Some(Limit::Bytes(1200)));
    let formatted = page.format();
    assert!(formatted.text.len() <= 1200);
    // The value for which there is not enough room goes on, or the one after the last that fits.
    let shown = formatted.text.matches('x').count() as u64;
    let whole = (rest.column - 1) * 400;
    assert_eq!(shown, whole + rest.character - 1);
    assert_eq!(formatted.cuts, 0);
}

#[test]
fn row_that_does_not_fit_is_not_added() {
    let mut page = Page::new(&names(2, "c"), None, size(10, 1000, None, true));
    assert!(page.add(&row(1, &["x".repeat(700)])));
    assert!(!page.add(&row(2, &["x".repeat(700)])));
    let mut next = Page::new(&names(2, "c"), None, size(10, 1000, None, true));
    assert!(next.add(&row(2, &["x".repeat(700)])));
    assert_eq!(next.format().cuts, 0);
}

#[test]
fn value_after_the_columns_has_a_name() {
    let mut page = Page::new(&names(1, "c"), Some("value"), size(10, 1000, None, false));
    let values = ["1", "2", "3"].map(str::to_owned);
    assert!(page.add(&row(1, &values)));
    assert_eq!(page.format().columns, ["c0", "value", "C"]);
}

#[test]
fn shortened_row_is_shown_like_the_whole_row() {
    for full in [false, true] {
        let page = || Page::new(&names(3, "c"), None, size(10, 100_000, None, full));
        let long = row(1, &["ü".repeat(20_000), "ü".repeat(200), "x".to_owned()]);
        let (mut whole, mut short) = (page(), page());
        let mut shortened = long.clone();
        let size = whole.shorten(&mut shortened);
        assert!(whole.add(&long) && short.add(&shortened));
        // A row that is shown in parts is read again as a whole.
        assert_eq!((whole.is_part(), short.is_part()), (full, full));
        if !full {
            assert!(size <= whole.size.bytes());
            assert_eq!(whole.format().text, short.format().text);
        }
    }
}

//! Order by numbers. All that are sorted so share one routine: each kind of value
//! that is sorted by itself takes 8 KB of a component.

/// Puts values in the order of two numbers; those that are equal stay as they
/// were.
pub fn by<T>(values: &mut Vec<T>, numbers: impl Fn(&T) -> (u64, u64)) {
    let mut keys: Vec<Key> = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        let (first, second) = numbers(value);
        keys.push((first, second, place));
    }
    if keys.is_sorted() {
        return;
    }
    sort(&mut keys);
    let mut taken: Vec<Option<T>> = values.drain(..).map(Some).collect();
    let places = keys.into_iter().map(|(_, _, place)| place);
    values.extend(places.filter_map(|place| taken.get_mut(place)?.take()));
}

/// Numbers, and the place that the value had.
type Key = (u64, u64, usize);

#[inline(never)]
fn sort(keys: &mut [Key]) {
    keys.sort_unstable();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_a_stable_sort(mut values: Vec<(u8, u8, u16)>) {
            let mut expected = values.clone();
            expected.sort_by_key(|value| (value.0, value.1));
            super::by(&mut values, |value| (value.0.into(), value.1.into()));
            prop_assert_eq!(values, expected);
        }
    }
}

//! Order by numbers and names. All that are sorted so share two routines: each kind
//! of value that is sorted by itself takes 8 KB of a component.

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
    arrange(values, keys.into_iter().map(|(_, _, place)| place));
}

/// Puts values in the order of two numbers and a name; those that are equal stay as
/// they were.
pub fn by_name<T>(values: &mut Vec<T>, key: impl Fn(&T) -> (u64, u64, &str)) {
    let mut keys: Vec<NameKey<'_>> = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        let (first, second, name) = key(value);
        keys.push((first, second, name, place));
    }
    if keys.is_sorted() {
        return;
    }
    sort_names(&mut keys);
    // The keys hold names of the values, which are about to move.
    let places: Vec<usize> = keys.into_iter().map(|(_, _, _, place)| place).collect();
    arrange(values, places.into_iter());
}

/// Numbers, and the place that the value had.
type Key = (u64, u64, usize);

/// The same with a name.
type NameKey<'n> = (u64, u64, &'n str, usize);

#[inline(never)]
fn sort(keys: &mut [Key]) {
    keys.sort_unstable();
}

#[inline(never)]
fn sort_names(keys: &mut [NameKey<'_>]) {
    keys.sort_unstable();
}

/// Puts values in the order of the places that they had.
fn arrange<T>(values: &mut Vec<T>, places: impl Iterator<Item = usize>) {
    let mut taken: Vec<Option<T>> = values.drain(..).map(Some).collect();
    values.extend(places.filter_map(|place| taken.get_mut(place)?.take()));
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

        #[test]
        fn names_as_a_stable_sort(mut values: Vec<(u8, bool, String, u16)>) {
            let mut expected = values.clone();
            expected.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
            super::by_name(&mut values, |value| (value.0.into(), value.1.into(), &value.2));
            prop_assert_eq!(values, expected);
        }
    }
}

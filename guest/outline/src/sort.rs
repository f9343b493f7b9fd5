//! Sorting by numbers and names. All callers share two routines, because each further
//! type that is sorted adds 8 KB to a component.

/// Sorts values by the two numbers that `numbers` returns for each value: by the first number, then
/// by the second. The sort is stable.
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

/// Sorts values by the two numbers and the name that `key` returns for each value: by the first
/// number, then by the second, then by the name. The sort is stable.
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
    // The keys borrow names from the values, which are moved below.
    let places: Vec<usize> = keys.into_iter().map(|(_, _, _, place)| place).collect();
    arrange(values, places.into_iter());
}

/// The sort key of a value: two numbers, and the index of the value before the sort.
type Key = (u64, u64, usize);

/// The sort key of a value: two numbers, a name, and the index of the value before the sort.
type NameKey<'n> = (u64, u64, &'n str, usize);

#[inline(never)]
fn sort(keys: &mut [Key]) {
    keys.sort_unstable();
}

#[inline(never)]
fn sort_names(keys: &mut [NameKey<'_>]) {
    keys.sort_unstable();
}

/// Reorders values. `places` has the old index of each value, in the new order.
fn arrange<T>(values: &mut Vec<T>, places: impl Iterator<Item = usize>) {
    let mut taken: Vec<Option<T>> = values.drain(..).map(Some).collect();
    values.extend(places.filter_map(|place| taken.get_mut(place)?.take()));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn by_is_a_stable_sort(mut values: Vec<(u8, u8, u16)>) {
            let mut expected = values.clone();
            expected.sort_by_key(|value| (value.0, value.1));
            super::by(&mut values, |value| (value.0.into(), value.1.into()));
            prop_assert_eq!(values, expected);
        }

        #[test]
        fn by_name_is_a_stable_sort(mut values: Vec<(u8, bool, String, u16)>) {
            let mut expected = values.clone();
            expected.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
            super::by_name(&mut values, |value| (value.0.into(), value.1.into(), &value.2));
            prop_assert_eq!(values, expected);
        }
    }
}

//! Sorting of short lists. All callers share one routine, because each further type that is sorted adds 6 KB to a
//! component, and 20 KB to the machine code.

use std::cmp::Ordering;
use std::mem;

/// Sorts values. The sort is stable.
pub fn by<T>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut places: Vec<usize> = (0..values.len()).collect();
    sort(&mut places, &|a, b| match (values.get(a), values.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    arrange(values, &mut places);
}

#[inline(never)]
fn sort(places: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_by(|a, b| compare(*a, *b));
}

/// Reorders values. `places` has the old index of each value, in the new order.
fn arrange<T>(values: &mut [T], places: &mut [usize]) {
    for start in 0..values.len() {
        let mut at = start;
        // A cycle of values that take the places of each other ends where it began.
        while let Some(place) = places.get_mut(at) {
            let from = mem::replace(place, at);
            if from == start {
                break;
            }
            values.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn by_is_a_stable_sort() {
        for length in 0..200_u32 {
            // The places show whether values that are equal keep their order.
            let values = (0..length).map(|place| (place.wrapping_mul(2_654_435_761) >> 29, place));
            let mut values: Vec<_> = values.collect();
            let mut expected = values.clone();
            expected.sort_by_key(|(value, _)| *value);
            super::by(&mut values, |a, b| a.0.cmp(&b.0));
            assert_eq!(values, expected);
        }
    }
}

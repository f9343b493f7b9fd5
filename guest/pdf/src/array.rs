//! The items of arrays. An item that is missing does not lose those after it.

use hayro_syntax::object::{Array, Dict, Null, Object, Stream};

/// The items of an array. A reference to an object that is missing is null.
pub fn items<'a>(list: &Array<'a>) -> impl Iterator<Item = Object<'a>> + use<'a> {
    // The library ends a list at the first object that is missing. Its place is after that item.
    let (mut places, mut objects) = (list.raw_iter(), list.flex_iter());
    std::iter::from_fn(move || {
        places.next()?;
        Some(objects.next().unwrap_or(Object::Null(Null)))
    })
}

/// The dictionaries of an array. Other items are left out.
pub fn dicts<'a>(list: &Array<'a>) -> impl Iterator<Item = Dict<'a>> + use<'a> {
    items(list).filter_map(Object::into_dict)
}

/// The streams of an array. Other items are left out.
pub fn streams<'a>(list: &Array<'a>) -> impl Iterator<Item = Stream<'a>> + use<'a> {
    items(list).filter_map(Object::into_stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_syntax::object::FromBytes;

    #[test]
    fn missing_items_are_null() {
        let list = Array::from_bytes(b"[1 9 0 R null (a) << /B 1 >>]").unwrap();
        let kinds: Vec<bool> = items(&list)
            .map(|item| matches!(item, Object::Null(_)))
            .collect();
        assert_eq!(kinds, [false, true, true, false, false]);
        assert_eq!(dicts(&list).count(), 1);
        assert_eq!(streams(&list).count(), 0);
    }
}

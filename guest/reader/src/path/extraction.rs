//! The path of a value in JSON: as segments of an internal URL (`agent://ID/key/0`), or as one
//! string (`?q=.key[0]["odd key"]`).

use percent_encoding::percent_decode_str;

/// A step to a value in JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// The key of an object. It is the index of an array too, if it is a number and the value is an
    /// array.
    Name(String),
    /// The index of an array, from 0.
    Index(usize),
}

impl Key {
    /// The key as the index of an array. `None` if it has another form.
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::Index(index) => Some(*index),
            Self::Name(name) => index(name),
        }
    }
}

/// The steps from the root of a JSON text to a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extraction(pub Vec<Key>);

impl Extraction {
    /// Parses the segments of an internal URL after its ID, such as `key/0`. `%XX` is decoded. Empty
    /// segments are ignored.
    pub fn of_segments(path: &str) -> Self {
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        let name = |segment: &str| {
            let decoded = percent_decode_str(segment).decode_utf8();
            Key::Name(decoded.map_or_else(|_| segment.to_owned(), Into::into))
        };
        Self(segments.map(name).collect())
    }

    /// Parses a query such as `.key[0]["odd key"]`. The first dot may be left out.
    ///
    /// # Errors
    /// Returns the rest of the text that is not a step.
    pub fn of_query(text: &str) -> Result<Self, &str> {
        let mut keys = Vec::new();
        let mut rest = text.trim();
        if !rest.is_empty() && !rest.starts_with(['.', '[']) {
            rest = name(rest, &mut keys).ok_or(rest)?;
        }
        while !rest.is_empty() && rest != "." {
            let after = match rest.strip_prefix('[') {
                Some(inside) => bracket(inside, &mut keys),
                None => rest
                    .strip_prefix('.')
                    .and_then(|rest| match rest.strip_prefix('[') {
                        Some(inside) => bracket(inside, &mut keys),
                        None => name(rest, &mut keys),
                    }),
            };
            rest = after.ok_or(rest)?;
        }
        Ok(Self(keys))
    }
}

/// Takes a name up to the next dot, bracket or colon, or one in double quotes, as in `."odd key"`. Returns the
/// rest, or `None` if there is no name.
fn name<'t>(text: &'t str, keys: &mut Vec<Key>) -> Option<&'t str> {
    if text.starts_with('"') {
        return quoted(text, keys);
    }
    let end = text.find(['.', '[', ':']).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    if name.is_empty() {
        return None;
    }
    keys.push(Key::Name(name.to_owned()));
    Some(rest)
}

/// Takes what is in brackets: a number, or a text in double quotes with the escapes of JSON, or in single
/// quotes. Returns the rest after the bracket.
fn bracket<'t>(inside: &'t str, keys: &mut Vec<Key>) -> Option<&'t str> {
    if let Some(quoted) = inside.strip_prefix('\'') {
        let (name, rest) = quoted.split_once("']")?;
        keys.push(Key::Name(name.to_owned()));
        return Some(rest);
    }
    if inside.starts_with('"') {
        return quoted(inside, keys)?.strip_prefix(']');
    }
    let (number, rest) = inside.split_once(']')?;
    keys.push(Key::Index(index(number.trim())?));
    Some(rest)
}

/// Takes a name in double quotes, with the escapes of JSON. Returns the rest after it.
fn quoted<'t>(text: &'t str, keys: &mut Vec<Key>) -> Option<&'t str> {
    let mut texts = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let name = texts.next()?.ok()?;
    keys.push(Key::Name(name));
    text.get(texts.byte_offset()..)
}

/// A text as the index of an array. `None` unless it is written in the only way, so not for `+1` and `01`.
fn index(text: &str) -> Option<usize> {
    let index = text.parse::<usize>().ok()?;
    (index.to_string() == text).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Key {
        Key::Name(name.to_owned())
    }

    #[test]
    fn segments_and_queries_are_the_same_steps() {
        let steps = vec![named("a"), named("0"), named("odd key")];
        assert_eq!(Extraction::of_segments("a/0/odd%20key").0, steps);
        let steps = vec![named("a"), Key::Index(0), named("odd \"] key")];
        let query = r#".a[0]["odd \"] key"]"#;
        assert_eq!(
            Extraction::of_query(query).map(|query| query.0),
            Ok(steps.clone())
        );
        assert_eq!(
            Extraction::of_query(r#"a[0]['odd "] key']"#).map(|query| query.0),
            Ok(steps)
        );
        let steps = vec![named("odd key"), named("a:b"), Key::Index(1)];
        for query in [r#"."odd key"."a:b"[1]"#, r#""odd key"."a:b".[1]"#] {
            let parsed = Extraction::of_query(query);
            assert_eq!(parsed.map(|query| query.0), Ok(steps.clone()), "{query}");
        }
        for root in ["", ".", " "] {
            assert_eq!(Extraction::of_query(root), Ok(Extraction::default()));
        }
    }

    #[test]
    fn mistakes_name_the_rest() {
        for (query, rest) in [
            (".a..b", "..b"),
            ("a[x]", "[x]"),
            ("[0", "[0"),
            ("a[\"b]", "[\"b]"),
            (".\"b", ".\"b"),
            (".\"b\"c", "c"),
            ("[+1]", "[+1]"),
            ("[01]", "[01]"),
        ] {
            assert_eq!(Extraction::of_query(query), Err(rest));
        }
    }
}

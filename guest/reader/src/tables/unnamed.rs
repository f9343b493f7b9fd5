//! Detection of a table in a text whose name does not state a format.

use super::separated::is_separated;
use serde::de::IgnoredAny;

/// The number of JSON objects at the start of a text that are JSON lines. One alone is a document.
const OBJECTS: usize = 2;

/// Whether the start of a text is that of JSON lines, or that of CSV in which all records have the same
/// number of values. `whole` states whether it is the whole text.
pub fn is_table(text: &[u8], whole: bool) -> bool {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let objects = lines.filter(|line| !line.is_empty()).take(OBJECTS);
    let is_object =
        |line: &[u8]| line.starts_with(b"{") && serde_json::from_slice::<IgnoredAny>(line).is_ok();
    let found = objects.take_while(|line| is_object(line)).count();
    found == OBJECTS || (found == 0 && is_separated(text, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_the_same_width_and_objects_are_a_table() {
        for text in [
            "a,b\n1,2\n",
            "a,b\r\n1,2",
            "a;b\n1,5;2\n",
            "a\tb\n1\t2\n",
            "sep=;\na;b\n1;2\n",
            "# from x\na,b\n1,2\n",
            "name,text\nx,\"1, 2\nand 3\"\n",
            "{\"a\":1}\n{\"a\":2}\n",
            "{\"a\":1}\n\n{\"b\":[2]}\nbroken\n",
        ] {
            assert!(is_table(text.as_bytes(), true), "{text}");
        }
        for text in [
            "",
            "a,b\n",
            "one\ntwo\n",
            "Dear all, good morning\nas you know, it is late, and\nwe go\n",
            "a,b\n1,2,3\n",
            "{\"a\":1}\n",
            "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
            "{a}, x\n{b}\n",
            "[1,2]\n",
        ] {
            assert!(!is_table(text.as_bytes(), true), "{text}");
        }
        // The last record of a part of a text may be cut.
        assert!(is_table(b"a,b,c\n1,2,3\n4,5,6\n7,8", false));
        assert!(!is_table(b"a,b,c\n1,2,3\n4,5,6\n7,8", true));
    }
}

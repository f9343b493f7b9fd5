//! The field `EQ` that shows the pronunciation of a word above it.

use crate::limits;

/// Returns the word with its pronunciation in brackets for an instruction such as
/// `EQ \* jc2 \* hps10 \o\ad(\s\up 11(reading),word)` ([MS-OE376] 2.1.516). Other equations are `None`.
pub fn text(instruction: &str) -> Option<String> {
    let name = instruction.split_whitespace().next()?;
    if !name.eq_ignore_ascii_case("EQ") || instruction.len() > limits::INSTRUCTION_BYTES {
        return None;
    }
    let (_, rest) = instruction.split_once("\\up")?;
    let (_, rest) = rest.split_once('(')?;
    let (above, rest) = rest.split_once(')')?;
    let base = rest.trim_start().strip_prefix([',', ';'])?;
    let base = base.trim_end().strip_suffix(')')?.trim();
    let above = above.trim();
    if base.is_empty() {
        return None;
    }
    Some(if above.is_empty() {
        base.to_owned()
    } else {
        format!("{base}({above})")
    })
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn pronunciations_are_in_brackets() {
        let field = " EQ \\* jc2 \\* \"Font:MS\" \\* hps10 \\o\\ad(\\s\\up 11(ふり),担当者)";
        assert_eq!(text(field).unwrap(), "担当者(ふり)");
        assert_eq!(text("EQ \\o\\ad(\\s\\up 11(),a)").unwrap(), "a");
        for other in [
            "EQ \\f(1,2)",
            "EQ \\s\\up 3(a)",
            "EQ \\s\\up 3(a),)",
            "PAGE \\up(a),b)",
            "",
        ] {
            assert_eq!(text(other), None, "{other}");
        }
    }
}

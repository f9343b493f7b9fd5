//! The field `EQ`: pronunciations above words, and characters in a circle or another shape. Other
//! equations are not shown.

use crate::limits;

/// The shapes that Word draws around characters.
const SHAPES: [&str; 6] = ["○", "◯", "□", "△", "◇", "◎"];

/// Returns the text of an instruction `EQ`. `None` if it cannot be text.
pub fn text(instruction: &str) -> Option<String> {
    if instruction.len() > limits::INSTRUCTION_BYTES {
        return None;
    }
    pronounced(instruction).or_else(|| enclosed(instruction))
}

/// Returns the word with its pronunciation in brackets for an instruction such as
/// `EQ \* jc2 \* hps10 \o\ad(\s\up 11(reading),word)` ([MS-OE376] 2.1.516).
fn pronounced(instruction: &str) -> Option<String> {
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

/// Returns the characters in brackets for an instruction such as `EQ \o\ac(○,印)`, which draws them in a
/// shape.
fn enclosed(instruction: &str) -> Option<String> {
    let (before, rest) = instruction.split_once("\\o")?;
    // Text before it is a part of the equation.
    let before = before.trim_start();
    let switches = before.get(2..).filter(|_| before.is_char_boundary(2))?;
    if !switches.trim().is_empty() && !switches.trim_start().starts_with("\\*") {
        return None;
    }
    let (alignment, rest) = rest.split_once('(')?;
    if !matches!(alignment.trim(), "" | "\\ac" | "\\al" | "\\ar") {
        return None;
    }
    let both = rest.trim_end().strip_suffix(')')?;
    let (first, second) = both.split_once([',', ';'])?;
    let (first, second) = (first.trim(), second.trim());
    let text = match (SHAPES.contains(&first), SHAPES.contains(&second)) {
        (true, false) => second,
        (false, true) => first,
        _ => return None,
    };
    let is_plain = !text.is_empty() && !text.contains(['\\', '(', ')', ',', ';']);
    is_plain.then(|| format!("({text})"))
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
            "EQ \\o\\ac(○,)",
            "EQ 10 \\o\\ac(○,a)",
            "EQ \\o\\ac(○,□)",
            "EQ \\o\\ac(a,b)",
            "EQ \\o\\ac(○,\\f(1,2))",
            "EQ \\o\\ad(○,a)",
            "EQ \\o\\ac(○,a",
            "EQ \\s\\up 3(a)",
            "EQ \\s\\up 3(a),)",
            "",
        ] {
            assert_eq!(text(other), None, "{other}");
        }
    }

    #[test]
    fn characters_in_a_shape_are_in_brackets() {
        for (field, expected) in [
            ("eq \\o\\ac(○,印)", "(印)"),
            (" EQ \\o\\ac( △ ; 12 ) ", "(12)"),
            ("EQ \\o(x,□)", "(x)"),
        ] {
            assert_eq!(text(field).as_deref(), Some(expected), "{field}");
        }
    }
}

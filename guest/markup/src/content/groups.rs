//! Lists and tables in a text, which are kept or left out as a whole, and the elements that are text
//! whatever their words are.

use super::measure::{Facts, Measures, block_text};
use super::phrases::{self, Phrase};
use crate::dom::{Document, Id, Name, Tag};
use crate::limits;
use crate::markdown::{is_code_block, is_math_script};

/// The part of the paragraphs of a text up to which a list or a table is a part of it. Above, it
/// arranges the whole text.
const GROUP_PART: f32 = 0.5;

/// Whether an element is a list or a table in a text. A cell, an item or a definition means nothing
/// without the others: the values would be in other columns, and steps would be missing.
pub fn is_group(tag: Tag, facts: &Facts, whole: &Facts) -> bool {
    let lists = matches!(
        tag,
        Tag::Ul | Tag::Ol | Tag::Dl | Tag::Menu | Tag::Dir | Tag::Table
    );
    lists && facts.text > 0.0 && facts.good <= GROUP_PART * whole.good
}

/// Whether each item of a list without numbers is a label or a prompt, such as in a row of buttons.
pub fn has_only_prompts(document: &Document, measures: &Measures, list: Id, tag: Tag) -> bool {
    let mut items = document
        .children(list)
        .filter(|item| measures.of(*item).text > 0.0);
    tag == Tag::Ul
        && items.all(|item| {
            block_text(document, item, phrases::LONGEST).is_some_and(|text| {
                !phrases::is_counter(&text)
                    && matches!(
                        phrases::find(&text, false),
                        Some(Phrase::Label | Phrase::Prompt)
                    )
            }) && !is_rendered(document, item)
        })
}

/// Whether a check box is a part of a text: it is in an item or a cell.
pub fn is_check_box_of_text(document: &Document, id: Id) -> bool {
    let kind = document.attribute(id, Name::Type);
    document.is(id, Tag::Input)
        && kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("checkbox"))
        && document.ancestors(id).take(3).any(|outer| {
            matches!(
                document.tag(outer),
                Some(Tag::Li | Tag::Td | Tag::Th | Tag::Dd)
            )
        })
}

/// Whether an element is a block of code.
pub fn is_code(document: &Document, id: Id, tag: Tag) -> bool {
    tag == Tag::Pre || is_code_block(document, id)
}

/// Whether a block contains code, a formula or a check box.
pub fn is_rendered(document: &Document, block: Id) -> bool {
    let mut nodes = document.subtree(block).take(limits::CODE_NODES);
    nodes.any(|id| {
        matches!(
            document.tag(id),
            Some(Tag::Code | Tag::Pre | Tag::Kbd | Tag::Samp | Tag::Tt | Tag::Math)
        ) || is_math_script(document, id)
            || is_check_box_of_text(document, id)
    })
}

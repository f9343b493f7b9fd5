//! Fields: an instruction, such as `PAGE`, and a result that programs show.
//!
//! ```text
//! instruction  what a field is, and what is shown if it has no result
//! equation     the field `EQ`
//! ```

mod equation;
mod instruction;

use crate::limits;
use crate::model::Inline;
pub use instruction::Kind;

/// A field whose end is not read yet.
#[derive(Debug, Default)]
pub struct Field {
    instruction: String,
    /// The kind. `None` as long as the instruction is read.
    kind: Option<Kind>,
    /// Whether its result has text, also text that is hidden.
    has_result: bool,
    /// Whether something else is shown instead of the result.
    is_replaced: bool,
}

/// A thing that is in the place of a field without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instead {
    /// The number of a page, which programs write there.
    Page,
    /// A text that the instruction gives.
    Text(String),
    /// An equation that is not shown.
    Equation,
}

impl Field {
    /// Returns the kind. `None` as long as the instruction is read.
    pub fn kind(&self) -> Option<&Kind> {
        self.kind.as_ref()
    }

    /// Returns whether the name of the field is this one, in upper case.
    pub fn is_named(&self, name: &str) -> bool {
        instruction::name(&self.instruction) == name
    }

    /// Adds text to the instruction.
    pub fn instruct(&mut self, text: &str) {
        if self.instruction.len() < limits::INSTRUCTION_BYTES {
            self.instruction.push_str(text);
        }
    }

    /// Ends the instruction, and starts the result.
    pub fn separate(&mut self) -> &Kind {
        let instruction = &self.instruction;
        self.kind
            .get_or_insert_with(|| instruction::kind(instruction))
    }

    /// Notes that the result has text.
    pub fn fill(&mut self) {
        self.has_result |= self.kind.is_some();
    }

    /// Ends the field. Returns what it is without a result.
    pub fn end(self) -> Option<Instead> {
        if self.has_result || self.is_replaced {
            return None;
        }
        let kind = self.kind;
        if kind.is_none() && instruction::kind(&self.instruction) == Kind::Page {
            return Some(Instead::Page);
        }
        match instruction::shown(&self.instruction) {
            Some(text) => Some(Instead::Text(text)),
            None => instruction::is_equation(&self.instruction).then_some(Instead::Equation),
        }
    }
}

/// The open fields, from the outermost.
#[derive(Debug, Default)]
pub struct Fields {
    open: Vec<Field>,
}

impl Fields {
    /// Starts a field.
    pub fn begin(&mut self) {
        if self.open.len() >= limits::FIELDS {
            self.open.clear();
        }
        self.open.push(Field::default());
    }

    /// Returns whether the instruction of the innermost field is read.
    pub fn in_instruction(&self) -> bool {
        self.open.last().is_some_and(|field| field.kind.is_none())
    }

    /// Adds text to the instruction of the innermost field, if it is read.
    pub fn instruct(&mut self, text: &str) {
        let innermost = self.open.last_mut();
        if let Some(field) = innermost.filter(|field| field.kind.is_none()) {
            field.instruct(text);
        }
    }

    /// Removes the innermost field, for a text that is shown in the middle of its instruction.
    pub fn pop(&mut self) -> Option<Field> {
        self.open.pop()
    }

    /// Adds a field that was removed.
    pub fn push(&mut self, field: Field) {
        self.open.push(field);
    }

    /// Ends the instruction of the innermost field, and starts its result. Returns what it is.
    pub fn separate(&mut self) -> Option<Kind> {
        Some(self.open.last_mut()?.separate().clone())
    }

    /// Leaves out the result of the innermost field, instead of which something else is shown.
    pub fn replace(&mut self) {
        if let Some(field) = self.open.last_mut() {
            field.is_replaced = true;
        }
    }

    /// Notes that the results of the open fields have text, if a piece is text.
    pub fn fill(&mut self, piece: &Inline) {
        let is_blank = match piece {
            Inline::Text { text, .. } => text.trim().is_empty(),
            Inline::Break => true,
            _ => false,
        };
        if !is_blank {
            self.open.iter_mut().for_each(Field::fill);
        }
    }

    /// Notes that the results of the open fields have text that is hidden.
    pub fn fill_hidden(&mut self) {
        self.open.iter_mut().for_each(Field::fill);
    }

    /// Ends the innermost field. Returns what it is without a result.
    pub fn end(&mut self) -> Option<Instead> {
        self.open.pop()?.end()
    }

    /// Ends the fields whose instruction does not end with the paragraph.
    pub fn end_paragraph(&mut self) {
        self.open.retain(|field| field.kind.is_some());
    }

    /// Ends the tables of contents before a heading. Their end may be missing.
    pub fn end_contents(&mut self) {
        self.open.retain(|field| field.kind != Some(Kind::Contents));
    }

    /// Ends all fields.
    pub fn clear(&mut self) {
        self.open.clear();
    }

    /// Returns the number of open fields.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Ends the fields that are deeper than a number of open fields.
    pub fn truncate(&mut self, depth: usize) {
        self.open.truncate(depth);
    }

    /// Returns whether the result of a table of contents is read.
    pub fn in_contents(&self) -> bool {
        let mut kinds = self.open.iter().map(Field::kind);
        kinds.any(|kind| kind == Some(&Kind::Contents))
    }

    /// Returns whether the current text is not shown: it is an instruction, or a result of a kind that
    /// is left out.
    pub fn hides_text(&self, is_left_out: impl Fn(&Kind) -> bool) -> bool {
        let mut open = self.open.iter();
        open.any(|field| field.is_replaced || field.kind.as_ref().is_none_or(&is_left_out))
    }

    /// Returns the address of the innermost link.
    pub fn link(&self) -> Option<&str> {
        self.open.iter().rev().find_map(|field| match &field.kind {
            Some(Kind::Link(url)) => Some(url.as_str()),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(instruction: &str, result: Option<&str>) -> Option<Instead> {
        let mut fields = Fields::default();
        fields.begin();
        fields.instruct(instruction);
        if let Some(result) = result {
            fields.separate();
            fields.fill(&Inline::plain(result));
        }
        fields.end()
    }

    #[test]
    fn result_is_not_shown_twice() {
        let symbol = "SYMBOL 183 \\f Symbol";
        let bullet = Some(Instead::Text("•".to_owned()));
        assert_eq!(field(symbol, None), bullet);
        assert_eq!(field(symbol, Some("")), bullet);
        assert_eq!(field(symbol, Some(" ")), bullet);
        assert_eq!(field(symbol, Some("•")), None);
        assert_eq!(field("PAGE", None), Some(Instead::Page));
        assert_eq!(field("PAGE", Some("")), None);
        assert_eq!(field("REF x", None), None);
        assert_eq!(field("EQ \\f(1,2)", None), Some(Instead::Equation));
        assert_eq!(field("EQ \\f(1,2)", Some("½")), None);
        assert_eq!(field(" EQ ", None), None);
        assert_eq!(Fields::default().end(), None);
    }

    #[test]
    fn text_in_an_instruction_is_no_result() {
        let mut fields = Fields::default();
        fields.begin();
        fields.instruct("SYMBOL 65");
        assert!(fields.in_instruction());
        fields.fill(&Inline::plain("x"));
        fields.fill_hidden();
        assert!(fields.hides_text(|_| false));
        assert_eq!(fields.separate(), Some(Kind::Other));
        fields.instruct("6");
        assert!(!fields.in_instruction() && !fields.hides_text(|_| false));
        assert_eq!(fields.end(), Some(Instead::Text("A".to_owned())));
    }

    #[test]
    fn result_of_an_inner_field_is_one_of_the_outer_field() {
        let mut fields = Fields::default();
        fields.begin();
        fields.instruct("SYMBOL 65");
        fields.separate();
        fields.begin();
        fields.instruct("DATE");
        fields.separate();
        fields.fill(&Inline::plain("today"));
        assert_eq!(fields.end(), None);
        assert_eq!(fields.end(), None);
    }
}

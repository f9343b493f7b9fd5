//! HCL: `words "names" {`.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, End, Family, Statement};
use crate::token::{self};

/// The family of HCL.
pub const HCL: Family = Family {
    statement: Some(|statement| statement.labelled()),
    ..Family::OTHER
};

impl Statement<'_> {
    /// The declaration of a block of HCL. Its name includes the labels: `words "names" {`.
    pub fn labelled(&self) -> Option<Declaration> {
        let first = self.get(0)?;
        let labels = self
            .tokens
            .iter()
            .all(|token| matches!(token.kind, token::Kind::Word | token::Kind::Text));
        let last = self.tokens.last()?;
        (labels && first.kind == token::Kind::Word && self.end == End::Block).then_some(
            Declaration {
                kind: Kind::Section,
                name: Some((first.start, last.end, first.line)),
                holds: Scope::Members,
                head: None,
            },
        )
    }
}

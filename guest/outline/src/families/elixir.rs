//! Elixir: operators between their operands.

use crate::language::{Family, Quirk, Quirks};

/// The family of Elixir.
pub const ELIXIR: Family = Family {
    quirks: Quirks::of(&[Quirk::InfixNames]),
    ..Family::OTHER
};

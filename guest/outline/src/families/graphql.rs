//! GraphQL: fields (`name: type`) are not declarations.

use crate::language::Family;

/// The family of GraphQL.
pub const GRAPHQL: Family = Family::OTHER;

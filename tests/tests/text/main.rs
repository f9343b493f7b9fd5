//! Texts of every size and kind. The numbers are those of the project's
//! catalogue of threats.

#![allow(missing_docs, reason = "a test")]

mod kinds;
mod sizes;

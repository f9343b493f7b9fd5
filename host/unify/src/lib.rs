//! No code: `Cargo.toml` enables features of crates.

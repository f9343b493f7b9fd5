//! Nothing: see the description of this package.

//! Tests of configuration files.

mod files;
mod generated;
mod hostile;
mod layers;
mod messages;
mod schema;
mod support;
mod trust;

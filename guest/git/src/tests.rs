//! Tests with repositories that git makes, and with others that are made by hand.

mod damage;
mod differences;
mod disk;
mod environment;
mod hostile;
mod objects;
mod paths;
mod references;
mod revisions;

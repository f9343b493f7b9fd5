//! Tests of OpenDocument files.

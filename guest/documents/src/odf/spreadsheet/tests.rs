//! Tests of spreadsheets.

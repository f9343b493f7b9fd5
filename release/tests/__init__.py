"""Tests of the programs of a release. `release/check` runs them."""

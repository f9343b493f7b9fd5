//! Compound files, the container of the formats before 2007.

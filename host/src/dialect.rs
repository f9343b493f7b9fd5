//! The names of the dialects.

use crate::Dialect;

impl Dialect {
    /// All dialects. The first one is the default.
    pub const ALL: [Self; 5] = [
        Self::Omp,
        Self::Gateway,
        Self::Comma,
        Self::Gemini,
        Self::Claude,
    ];

    /// Returns the name of the dialect, such as `omp`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Omp => "omp",
            Self::Gateway => "gateway",
            Self::Comma => "comma",
            Self::Gemini => "gemini",
            Self::Claude => "claude",
        }
    }

    /// Returns the dialect with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

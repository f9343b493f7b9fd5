//! What the lexer knows of the text ahead of it.

/// A heredoc whose text begins on the next line.
pub struct Heredoc<'t> {
    /// The line that ends the text.
    pub end: &'t [u8],
    /// Whether the line that ends the text may be indented.
    pub indented: bool,
}

/// The position of a token in markup. The token is a piece of markup, or a brace at the start or
/// end of code.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// The offset of the token.
    pub at: usize,
    /// The offset after the token.
    pub to: usize,
}

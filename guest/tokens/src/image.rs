//! Images: the rules that the makers of models publish.

/// A published rule for the tokens of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ImageRule {
    /// Claude, models of the standard resolution: a token for each 28 × 28 pixels, after the image was made small
    /// enough for edges of 1568 pixels and 1568 tokens. An older form of the rule is `width * height / 750`,
    /// which is 5 % more.
    ///
    /// <https://platform.claude.com/docs/en/build-with-claude/vision>,
    /// <https://platform.claude.com/docs/en/build-with-claude/vision-coordinates>
    Claude,
    /// Claude, models of the high resolution: edges of 2576 pixels and 4784 tokens. The pages are those of
    /// [`Claude`](Self::Claude). The default, because current models have it, and because an estimate that is
    /// too large for other models keeps their budgets.
    #[default]
    ClaudeHighResolution,
    /// `OpenAI` models that divide an image into tiles (GPT-4o, GPT-4.1), with high detail: 85 tokens, and 170
    /// for each 512 × 512 pixels, after the image was made small enough for a square of 2048 pixels and a
    /// shorter edge of 768.
    ///
    /// <https://platform.openai.com/docs/guides/images-vision>
    OpenAiTiles,
    /// `OpenAI` models that divide an image into patches (GPT-4.1-mini, o4-mini), before the factor of the model:
    /// a token for each 32 × 32 pixels, at most 1536, for which the image is made smaller.
    ///
    /// <https://platform.openai.com/docs/guides/images-vision>
    OpenAiPatches,
    /// Gemini 2: 258 tokens for an image of at most 384 × 384 pixels, and for each tile of 768 × 768 pixels of a
    /// larger one.
    ///
    /// <https://ai.google.dev/gemini-api/docs/tokens>
    Gemini,
}

/// The tokens that an image of `width` × `height` pixels costs by the default rule; 0 if it has no pixels.
#[must_use]
pub fn image(width: u32, height: u32) -> u64 {
    ImageRule::default().tokens(width, height)
}

impl ImageRule {
    /// The tokens that an image of `width` × `height` pixels costs; 0 if it has no pixels.
    #[must_use]
    pub fn tokens(self, width: u32, height: u32) -> u64 {
        let (width, height) = (u64::from(width), u64::from(height));
        if width == 0 || height == 0 {
            return 0;
        }
        match self {
            Self::Claude => claude(width, height, 1568, 1568),
            Self::ClaudeHighResolution => claude(width, height, 2576, 4784),
            Self::OpenAiTiles => tiles(width, height),
            Self::OpenAiPatches => patches(width, height),
            Self::Gemini if width <= 384 && height <= 384 => 258,
            Self::Gemini => cells(width, height, 768).saturating_mul(258),
        }
    }
}

/// The squares of `edge` pixels that cover an image.
fn cells(width: u64, height: u64, edge: u64) -> u64 {
    width.div_ceil(edge).saturating_mul(height.div_ceil(edge))
}

/// `length * numerator / denominator`, rounded, at least 1.
fn scaled(length: u64, numerator: u64, denominator: u64) -> u64 {
    let half = denominator / 2;
    let product = length.saturating_mul(numerator).saturating_add(half);
    product.checked_div(denominator).unwrap_or(0).max(1)
}

/// The largest size of the same shape within both limits, found by halving.
fn claude(width: u64, height: u64, edge: u64, tokens: u64) -> u64 {
    const PATCH: u64 = 28;
    let (long, short) = (width.max(height), width.min(height));
    let cost = |to: u64| cells(to, scaled(short, to, long), PATCH);
    let (mut fits, mut exceeds) = (1, long.min(edge).saturating_add(1));
    while exceeds.saturating_sub(fits) > 1 {
        let middle = u64::midpoint(fits, exceeds);
        if cost(middle) <= tokens {
            fits = middle;
        } else {
            exceeds = middle;
        }
    }
    cost(fits)
}

fn tiles(width: u64, height: u64) -> u64 {
    const SQUARE: u64 = 2048;
    const SHORT: u64 = 768;
    let shrunk = |(width, height): (u64, u64), edge: u64, to: u64| {
        if edge <= to {
            return (width, height);
        }
        (scaled(width, to, edge), scaled(height, to, edge))
    };
    let size = shrunk((width, height), width.max(height), SQUARE);
    let (width, height) = shrunk(size, size.0.min(size.1), SHORT);
    cells(width, height, 512)
        .saturating_mul(170)
        .saturating_add(85)
}

/// An image with too many patches is made smaller, so that one edge has a whole number of them.
fn patches(width: u64, height: u64) -> u64 {
    const PATCH: u64 = 32;
    const MOST: u64 = 1536;
    let all = cells(width, height, PATCH);
    if all <= MOST {
        return all;
    }
    // The edges, in patches, of an image of the same shape with as many pixels as `MOST` patches.
    let whole = |edge: u64, other: u64| {
        let square = MOST.saturating_mul(edge).checked_div(other);
        square.unwrap_or(MOST).isqrt().clamp(1, MOST)
    };
    let (columns, rows) = (whole(width, height), whole(height, width));
    let other = |count: u64, edge: u64, of: u64| count.saturating_mul(edge).div_ceil(of).max(1);
    let tokens = if columns.saturating_mul(height) <= rows.saturating_mul(width) {
        columns.saturating_mul(other(columns, height, width))
    } else {
        rows.saturating_mul(other(rows, width, height))
    };
    tokens.min(MOST)
}

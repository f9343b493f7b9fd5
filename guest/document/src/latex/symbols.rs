//! Characters of formulas → LaTeX.

/// Converts the text of a formula.
pub fn latex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\\' => super::join(&mut out, "\\backslash "),
            '{' => out.push_str("\\{"),
            '}' => out.push_str("\\}"),
            '#' | '$' | '%' => {
                out.push('\\');
                out.push(char);
            }
            '\u{2061}'..='\u{2064}' | '\u{200b}' | '\u{feff}' => {}
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => out.push(' '),
            '−' | '‐' | '‑' => super::join(&mut out, "-"),
            'ℎ' => super::join(&mut out, "h"),
            char => match command(char) {
                Some(command) => super::join(&mut out, command),
                None => super::join(&mut out, plain_letter(char).encode_utf8(&mut [0; 4])),
            },
        }
    }
    out
}

/// Escapes text inside `\text`.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\\' => out.push_str("\\textbackslash "),
            '{' | '}' | '#' | '$' | '%' | '&' | '_' => {
                out.push('\\');
                out.push(char);
            }
            char if char.is_whitespace() => out.push(' '),
            char => out.push(char),
        }
    }
    out
}

/// Returns the Latin letter or the digit of a mathematical alphabet. Other characters are unchanged.
fn plain_letter(char: char) -> char {
    let code = u32::from(char);
    let plain = match code {
        0x1d400..=0x1d6a3 => {
            let place = code.saturating_sub(0x1d400) % 52;
            match place.checked_sub(26) {
                None => 0x41_u32.saturating_add(place),
                Some(place) => 0x61_u32.saturating_add(place),
            }
        }
        0x1d7ce..=0x1d7ff => 0x30_u32.saturating_add(code.saturating_sub(0x1d7ce) % 10),
        _ => return char,
    };
    char::from_u32(plain).unwrap_or(char)
}

/// Returns the command of a character.
fn command(char: char) -> Option<&'static str> {
    Some(match char {
        'α' => "\\alpha",
        'β' => "\\beta",
        'γ' => "\\gamma",
        'δ' => "\\delta",
        'ε' => "\\varepsilon",
        'ζ' => "\\zeta",
        'η' => "\\eta",
        'θ' => "\\theta",
        'ι' => "\\iota",
        'κ' => "\\kappa",
        'λ' => "\\lambda",
        'μ' => "\\mu",
        'ν' => "\\nu",
        'ξ' => "\\xi",
        'π' => "\\pi",
        'ρ' => "\\rho",
        'ς' => "\\varsigma",
        'σ' => "\\sigma",
        'τ' => "\\tau",
        'υ' => "\\upsilon",
        'φ' => "\\varphi",
        'χ' => "\\chi",
        'ψ' => "\\psi",
        'ω' => "\\omega",
        'Γ' => "\\Gamma",
        'Δ' => "\\Delta",
        'Θ' => "\\Theta",
        'Λ' => "\\Lambda",
        'Ξ' => "\\Xi",
        'Π' => "\\Pi",
        'Σ' => "\\Sigma",
        'Υ' => "\\Upsilon",
        'Φ' => "\\Phi",
        'Ψ' => "\\Psi",
        'Ω' => "\\Omega",
        'ϵ' => "\\epsilon",
        'ϕ' => "\\phi",
        'ϑ' => "\\vartheta",
        'ϖ' => "\\varpi",
        'ϱ' => "\\varrho",
        '×' => "\\times",
        '÷' => "\\div",
        '±' => "\\pm",
        '∓' => "\\mp",
        '⋅' | '·' => "\\cdot",
        '∗' => "\\ast",
        '∘' => "\\circ",
        '∙' | '•' => "\\bullet",
        '≤' => "\\leq",
        '≥' => "\\geq",
        '≠' => "\\neq",
        '≈' => "\\approx",
        '≡' => "\\equiv",
        '≅' => "\\cong",
        '≃' => "\\simeq",
        '∼' => "\\sim",
        '∝' => "\\propto",
        '≪' => "\\ll",
        '≫' => "\\gg",
        '≺' => "\\prec",
        '≻' => "\\succ",
        '∞' => "\\infty",
        '∂' => "\\partial",
        '∇' => "\\nabla",
        '∈' => "\\in",
        '∉' => "\\notin",
        '∋' => "\\ni",
        '⊂' => "\\subset",
        '⊃' => "\\supset",
        '⊆' => "\\subseteq",
        '⊇' => "\\supseteq",
        '∪' => "\\cup",
        '∩' => "\\cap",
        '∅' => "\\emptyset",
        '∖' => "\\setminus",
        '∀' => "\\forall",
        '∃' => "\\exists",
        '∄' => "\\nexists",
        '¬' => "\\neg",
        '∧' => "\\land",
        '∨' => "\\lor",
        '⊕' => "\\oplus",
        '⊗' => "\\otimes",
        '⊖' => "\\ominus",
        '⊙' => "\\odot",
        '⊥' => "\\perp",
        '∥' => "\\parallel",
        '∠' => "\\angle",
        '△' => "\\triangle",
        '→' => "\\to",
        '←' => "\\leftarrow",
        '↔' => "\\leftrightarrow",
        '⇒' => "\\Rightarrow",
        '⇐' => "\\Leftarrow",
        '⇔' => "\\Leftrightarrow",
        '↑' => "\\uparrow",
        '↓' => "\\downarrow",
        '↦' => "\\mapsto",
        '⟶' => "\\longrightarrow",
        '⟵' => "\\longleftarrow",
        '⟹' => "\\Longrightarrow",
        '⟺' => "\\Longleftrightarrow",
        '⇌' => "\\rightleftharpoons",
        '…' => "\\ldots",
        '⋯' => "\\cdots",
        '⋮' => "\\vdots",
        '⋱' => "\\ddots",
        'ℏ' => "\\hbar",
        'ℓ' => "\\ell",
        'ℜ' => "\\Re",
        'ℑ' => "\\Im",
        'ℵ' => "\\aleph",
        '℘' => "\\wp",
        '′' => "\\prime",
        '″' => "\\prime\\prime",
        '°' => "\\degree",
        '⟨' | '〈' => "\\langle",
        '⟩' | '〉' => "\\rangle",
        '⌊' => "\\lfloor",
        '⌋' => "\\rfloor",
        '⌈' => "\\lceil",
        '⌉' => "\\rceil",
        '√' => "\\surd",
        '∴' => "\\therefore",
        '∵' => "\\because",
        '⊢' => "\\vdash",
        '⊨' => "\\models",
        '⊤' => "\\top",
        '∑' => "\\sum",
        '∏' => "\\prod",
        '∫' => "\\int",
        '∬' => "\\iint",
        '∭' => "\\iiint",
        '∮' => "\\oint",
        '⋃' => "\\bigcup",
        '⋂' => "\\bigcap",
        '≜' => "\\triangleq",
        '≔' => "\\coloneqq",
        '⪯' => "\\preceq",
        '⪰' => "\\succeq",
        '†' => "\\dagger",
        '‡' => "\\ddagger",
        'ℝ' => "\\mathbb{R}",
        'ℕ' => "\\mathbb{N}",
        'ℤ' => "\\mathbb{Z}",
        'ℚ' => "\\mathbb{Q}",
        'ℂ' => "\\mathbb{C}",
        '𝔼' => "\\mathbb{E}",
        'ℙ' => "\\mathbb{P}",
        'ℒ' => "\\mathcal{L}",
        'ℋ' => "\\mathcal{H}",
        'ℱ' => "\\mathcal{F}",
        '∣' => "\\mid",
        '‖' => "\\Vert",
        '⋆' => "\\star",
        '\u{1d6fc}'..='\u{1d714}' => return italic_greek(char),
        _ => return None,
    })
}

/// Returns the command of an italic Greek letter of the mathematical alphabet.
fn italic_greek(char: char) -> Option<&'static str> {
    let place = u32::from(char).checked_sub(0x1d6fc)?;
    let letter = char::from_u32(0x3b1_u32.checked_add(place)?)?;
    command(letter)
}

/// Returns the command of a large operator, such as a sum.
pub fn large_operator(sign: &str) -> String {
    let command = match sign {
        "∐" => "\\coprod",
        "∯" => "\\oiint",
        "∰" => "\\oiiint",
        "⋁" => "\\bigvee",
        "⋀" => "\\bigwedge",
        "⨁" | "⊕" => "\\bigoplus",
        "⨂" | "⊗" => "\\bigotimes",
        "⨀" => "\\bigodot",
        "⨄" => "\\biguplus",
        "⨆" => "\\bigsqcup",
        sign => return latex(sign),
    };
    command.to_owned()
}

/// Returns the command of an accent.
pub fn accent(sign: &str) -> &'static str {
    match sign {
        "\u{300}" | "`" => "\\grave",
        "\u{301}" | "´" => "\\acute",
        "\u{303}" | "~" | "˜" => "\\tilde",
        "\u{304}" | "\u{305}" | "¯" => "\\bar",
        "\u{306}" | "˘" => "\\breve",
        "\u{307}" | "˙" => "\\dot",
        "\u{308}" | "¨" => "\\ddot",
        "\u{20db}" => "\\dddot",
        "\u{30c}" | "ˇ" => "\\check",
        "\u{20d7}" | "→" | "\u{20d1}" => "\\vec",
        "\u{20d6}" | "←" => "\\overleftarrow",
        "\u{20e1}" => "\\overleftrightarrow",
        "\u{332}" => "\\underline",
        _ => "\\hat",
    }
}

/// Returns the command of a function.
pub fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "sin" => "\\sin",
        "cos" => "\\cos",
        "tan" => "\\tan",
        "cot" => "\\cot",
        "sec" => "\\sec",
        "csc" => "\\csc",
        "sinh" => "\\sinh",
        "cosh" => "\\cosh",
        "tanh" => "\\tanh",
        "coth" => "\\coth",
        "arcsin" => "\\arcsin",
        "arccos" => "\\arccos",
        "arctan" => "\\arctan",
        "log" => "\\log",
        "ln" => "\\ln",
        "lg" => "\\lg",
        "exp" => "\\exp",
        "lim" => "\\lim",
        "limsup" => "\\limsup",
        "liminf" => "\\liminf",
        "max" => "\\max",
        "min" => "\\min",
        "sup" => "\\sup",
        "inf" => "\\inf",
        "det" => "\\det",
        "dim" => "\\dim",
        "gcd" => "\\gcd",
        "hom" => "\\hom",
        "ker" => "\\ker",
        "arg" => "\\arg",
        "deg" => "\\deg",
        "Pr" => "\\Pr",
        _ => return None,
    })
}

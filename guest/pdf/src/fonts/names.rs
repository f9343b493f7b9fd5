//! What the name of a font says about it.

/// The name without the prefix of a subset (`ABCDEF+`).
pub fn without_prefix(name: &str) -> &str {
    match name.split_once('+') {
        Some((prefix, rest)) if prefix.len() == 6 => rest,
        _ => name,
    }
}

/// Whether the name is that of a heavy font.
pub fn is_bold(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let words = ["bold", "black", "heavy", "demi", "semibd"];
    if words.iter().any(|word| lower.contains(word)) {
        return true;
    }
    // Fonts of TeX: Computer Modern, Latin Modern, EC, and the names of Karl Berry, such as `ptmb8t`.
    let tex = [
        "cmbx", "cmb1", "cmssbx", "ecbx", "ecxb", "sfbx", "lmbx", "lcmssb", "lmssbx", "mtsyb",
    ];
    if tex.iter().any(|start| lower.starts_with(start)) {
        return true;
    }
    // `NimbusSanL-Medi` is bold, but `Medium` of other families is only a little heavier.
    lower.ends_with("-medi")
        || lower.contains("-mediital")
        || lower.contains("-mediobli")
        || lower.ends_with(",b")
        || lower.ends_with("-bd")
}

/// Whether the name is that of a slanted font.
pub fn is_italic(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let words = ["italic", "oblique", "slanted", "kursiv"];
    let tex = [
        "cmti", "cmsl", "cmmi", "ecti", "ecsl", "sfti", "lmri", "lmmi", "cmbxti",
    ];
    words.iter().any(|word| lower.contains(word))
        || tex.iter().any(|start| lower.starts_with(start))
        || [
            "-ital",
            "-it",
            "-reguital",
            "-mediital",
            "-obli",
            "-reguobli",
        ]
        .iter()
        .any(|end| lower.ends_with(end))
}

/// Whether the name is that of a font in which all glyphs have one width.
pub fn is_mono(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let words = [
        "mono",
        "courier",
        "consol",
        "typewriter",
        "fixed",
        "menlo",
        "inconsolata",
        "firacode",
        "fira code",
        "sourcecode",
        "nimbusmon",
        "lucidatypewriter",
        "andalemo",
        "letgothic",
        "lettergothic",
        "terminal",
        "monaco",
        "hack-",
        "cascadia",
        "iosevka",
        "jetbrains",
    ];
    let tex = [
        "cmtt", "cmsltt", "ectt", "sftt", "lmtt", "lmmono", "txtt", "cmitt", "pcr",
    ];
    // `Monotype` is a foundry.
    let lower = lower.replace("monotype", "");
    words.iter().any(|word| lower.contains(word))
        || tex.iter().any(|start| lower.starts_with(start))
}

/// Whether the name is that of a Chinese, Japanese or Korean font. Such fonts say that all their glyphs have one
/// width, although Latin letters have half of it, and they are not for code.
pub fn is_cjk(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let words = [
        "simsun",
        "simhei",
        "simkai",
        "simfang",
        "fangsong",
        "kaiti",
        "stsong",
        "stheiti",
        "stkaiti",
        "songti",
        "heiti",
        "yahei",
        "jhenghei",
        "mingliu",
        "mincho",
        "msgothic",
        "ms-gothic",
        "ms gothic",
        "meiryo",
        "yugothic",
        "yumin",
        "hiragino",
        "batang",
        "gulim",
        "dotum",
        "gungsuh",
        "malgun",
        "cjk",
        "hanserif",
        "hansans",
        "heisei",
        "kozmin",
        "kozgo",
        "msung",
        "mhei",
        "hygothic",
        "hymyeong",
        "adobesong",
        "adobeming",
        "gb2312",
        "gbk",
    ];
    !name.is_ascii() || words.iter().any(|word| lower.contains(word))
}

/// Whether the name is that of a font with serifs.
pub fn is_serif(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if lower.contains("sans") {
        return false;
    }
    let words = [
        "times",
        "serif",
        "roman",
        "georgia",
        "garamond",
        "palatino",
        "cambria",
        "bookman",
        "century",
        "nimbusrom",
        "minion",
        "libertin",
        "termes",
        "pagella",
        "schola",
    ];
    words.iter().any(|word| lower.contains(word))
        || ["cmr", "cmbx", "cmti", "ecrm", "lmr", "sfrm"]
            .iter()
            .any(|start| lower.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_programs() {
        assert_eq!(without_prefix("ABCDEF+Arial"), "Arial");
        assert_eq!(without_prefix("A+B"), "A+B");
        for bold in [
            "Helvetica-Bold",
            "Arial,Bold",
            "CMBX12",
            "NimbusSanL-Medi",
            "Roboto-Black",
            "LMRoman10-Bold",
            "SFBX1000",
        ] {
            assert!(is_bold(bold), "{bold}");
        }
        for light in ["Helvetica", "Roboto-Medium", "CMR10", "MediumTimes", "CMB"] {
            assert!(!is_bold(light), "{light}");
        }
        assert!(is_italic("Times-Italic") && is_italic("CMTI10") && !is_italic("Times-Roman"));
        assert!(is_mono("DejaVuSansMono") && is_mono("CMTT10") && is_mono("Courier-Bold"));
        assert!(!is_mono("MonotypeCorsiva") && !is_mono("Arial"));
        for cjk in [
            "宋体",
            "NSimSun",
            "MS-Gothic",
            "KozMinPr6N-Mincho",
            "FangSong_GB2312",
        ] {
            assert!(is_cjk(cjk), "{cjk}");
        }
        assert!(!is_cjk("Courier") && !is_cjk("LetterGothicStd") && !is_cjk("CenturyGothic"));
        assert!(is_serif("CMR10") && is_serif("TimesNewRomanPSMT") && !is_serif("DejaVuSans"));
    }
}

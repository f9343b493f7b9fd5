use super::*;

/// The displayed text of a number.
fn shown(code: &str, number: f64) -> String {
    let (value, shown) = NumberFormat::parse(code).number(number, Epoch::Y1900);
    shown.unwrap_or_else(|| value.plain())
}

/// Checks the displayed texts of numbers in a format.
fn check(code: &str, cases: &[(f64, &str)]) {
    for (number, expected) in cases {
        assert_eq!(shown(code, *number), *expected, "{number} as {code}");
    }
}

fn iso(code: &str, number: f64) -> Value {
    NumberFormat::parse(code).number(number, Epoch::Y1900).0
}

#[test]
fn general_has_eleven_characters() {
    check(
        "General",
        &[
            (0.0, "0"),
            (-0.0, "0"),
            (12.5, "12.5"),
            (-12.5, "-12.5"),
            (1.0 / 3.0, "0.333333333"),
            (-2.0 / 3.0, "-0.666666667"),
            (1_234_567.891_234, "1234567.891"),
            (0.1 + 0.2, "0.3"),
            (12_345_678_901.0, "12345678901"),
            (420_123_456_789.0, "420123456789"),
            (0.00001, "0.00001"),
            (0.000_123_456_789, "0.000123457"),
            (0.000_012_345_678_9, "1.23457E-05"),
            (1e20, "1E+20"),
            (1.234_567_89e18, "1234567890000000000"),
            (1.25e18, "1.25E+18"),
            (1e300, "1E+300"),
            (9_999_999_999.99, "10000000000"),
        ],
    );
    assert_eq!(Value::Number(1.0 / 3.0).plain(), "0.333333333333333");
    assert_eq!(Value::Number(1e300).plain(), "1E+300");
    assert_eq!(Value::Number(-1.5e-12).plain(), "-1.5E-12");
}

#[test]
fn digits_have_places() {
    check(
        "0",
        &[
            (0.4, "0"),
            (0.5, "1"),
            (-1.5, "-2"),
            (1e20, "100000000000000000000"),
        ],
    );
    check(
        "0.00",
        &[(1.005, "1.01"), (-0.001, "-0.00"), (99.999, "100.00")],
    );
    check(
        "#.##",
        &[(0.0, "."), (0.5, ".5"), (12.0, "12."), (1.256, "1.26")],
    );
    check("0.0#", &[(1.0, "1.0"), (1.25, "1.25")]);
    check("???.???", &[(1.5, "1.5"), (123.456, "123.456")]);
    check("00000", &[(42.0, "00042"), (123_456.0, "123456")]);
    check("000-00-0000", &[(123_456_789.0, "123-45-6789")]);
    check("(000) 000-0000", &[(5_551_234_567.0, "(555) 123-4567")]);
    check(".00", &[(0.5, ".50"), (12.5, "12.50")]);
    check("0.00\" m\"", &[(1.5, "1.50 m")]);
    check("\\x0\\y", &[(7.0, "x7y")]);
}

#[test]
fn commas_separate_and_divide() {
    check(
        "#,##0",
        &[
            (0.0, "0"),
            (999.0, "999"),
            (1234.5, "1,235"),
            (1e9, "1,000,000,000"),
        ],
    );
    check("#,##0.00", &[(-1234.5, "-1,234.50")]);
    check("0,000", &[(5.0, "0,005")]);
    check("#,##0,", &[(1_234_567.0, "1,235")]);
    check("0.0,,\"M\"", &[(1_250_000.0, "1.3M")]);
    check("#,", &[(499.0, "")]);
}

#[test]
fn percents_and_exponents_scale() {
    check("0%", &[(0.125, "13%"), (1.0, "100%")]);
    check("0.0%", &[(-0.125, "-12.5%")]);
    check(
        "0.00E+00",
        &[
            (12345.0, "1.23E+04"),
            (0.00012, "1.20E-04"),
            (0.0, "0.00E+00"),
            (9.999, "1.00E+01"),
        ],
    );
    check(
        "##0.0E+0",
        &[
            (12345.0, "12.3E+3"),
            (1_234_567.0, "1.2E+6"),
            (999_990.0, "1.0E+6"),
        ],
    );
    check("0E-0", &[(12345.0, "1E4"), (0.01, "1E-2")]);
}

#[test]
fn fractions_are_nearest() {
    check(
        "# ?/?",
        &[
            (0.5, "1/2"),
            (1.5, "1 1/2"),
            (0.3, "2/7"),
            (5.0, "5"),
            (0.0, "0"),
            (0.99, "1"),
            (-1.25, "-1 1/4"),
        ],
    );
    check("# ??/??", &[(3.1414, "3 14/99"), (0.34, "17/50")]);
    check("# ??/16", &[(0.5, "8/16"), (2.0625, "2 1/16")]);
    check(
        "?/?",
        &[(1.5, "3/2"), (2.0, "2/1"), (1e15, "1000000000000000")],
    );
    check("# ?/8", &[(-0.001, "-0"), (10.0, "10")]);
    check("# ?/10", &[(0.3, "3/10")]);
}

#[test]
fn sections_choose_by_sign_and_condition() {
    check("0;(0)", &[(5.0, "5"), (-5.0, "(5)"), (0.0, "0")]);
    check("0;-0;\"zero\"", &[(0.0, "zero"), (-5.0, "-5")]);
    check(";;;", &[(5.0, ""), (-5.0, ""), (0.0, "")]);
    check(
        "[Red][<100]0.0;[>=1000]0,\"k\";0",
        &[(5.0, "5.0"), (5000.0, "5k"), (500.0, "500"), (-5.0, "-5.0")],
    );
    check("[<0]\"minus \"0;0", &[(-5.0, "minus 5")]);
    check("[>100]0", &[(5.0, "5")]);
    check(
        "\"yes\";\"no\";\"none\"",
        &[(1.0, "yes"), (-1.0, "no"), (0.0, "none")],
    );
    check(
        "_(* #,##0.00_);_(* \\(#,##0.00\\);_(* \"-\"??_);_(@_)",
        &[(1234.5, "1,234.50"), (-1234.5, "(1,234.50)"), (0.0, "-")],
    );
}

#[test]
fn currencies_and_colours_are_read() {
    check("#,##0.00\\ [$€-407]", &[(1234.5, "1,234.50 €")]);
    check("[$$-409]#,##0.00", &[(-3.0, "-$3.00")]);
    check("[Red]General", &[(1.5, "1.5")]);
    check("General\" kg\"", &[(1.5, "1.5 kg"), (-2.0, "-2 kg")]);
    check("[Color 10]0", &[(1.0, "1")]);
}

#[test]
fn texts_have_a_section() {
    let format = NumberFormat::parse("0;-0;0;\"<\"@\">\"");
    assert_eq!(format.text("a"), Some("<a>".to_owned()));
    assert_eq!(NumberFormat::parse("@").text("a"), None);
    assert_eq!(NumberFormat::parse("0.00").text("a"), None);
    assert_eq!(NumberFormat::parse(";;;").text("a"), Some(String::new()));
    check("@", &[(1.5, "1.5")]);
    check("0;@", &[(-5.0, "-5")]);
}

#[test]
fn dates_are_iso_and_shown() {
    let (value, text) = NumberFormat::parse("dd/mm/yyyy").number(45_000.0, Epoch::Y1900);
    assert_eq!(value, Value::Date("2023-03-15".to_owned()));
    assert_eq!(text, Some("15/03/2023".to_owned()));
    let (_, text) = NumberFormat::parse("yyyy-mm-dd").number(45_000.0, Epoch::Y1900);
    assert_eq!(text, None);
    check("d-mmm-yy", &[(45_000.0, "15-Mar-23")]);
    check(
        "dddd, mmmm d, yyyy",
        &[(45_000.0, "Wednesday, March 15, 2023")],
    );
    check(
        "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy",
        &[(45_000.0, "Wednesday, March 15, 2023")],
    );
    check("mmmmm", &[(45_000.0, "M")]);
    check("yyyy/m/d h:mm", &[(45_000.75, "2023/3/15 18:00")]);
    check(
        "h:mm AM/PM",
        &[(0.0, "12:00 AM"), (0.5, "12:00 PM"), (0.75, "6:00 PM")],
    );
    check("h a/p", &[(0.75, "6 P")]);
    assert_eq!(
        iso("m/d/yy", 45_000.5),
        Value::Date("2023-03-15 12:00:00".to_owned())
    );
    assert_eq!(iso("h:mm", 0.5), Value::Date("12:00:00".to_owned()));
}

#[test]
fn the_letter_m_is_a_minute_beside_hours_and_seconds() {
    check("mm:ss", &[(0.007_812_5, "11:15")]);
    check("h:m", &[(0.5 + 5.0 / 1440.0, "12:5")]);
    check("m/d/yy h:mm", &[(45_000.5, "3/15/23 12:00")]);
    check("hh\" h \"mm", &[(0.5, "12 h 00")]);
    check("mmm:ss", &[(45_000.0, "Mar:00")]);
}

#[test]
fn durations_exceed_a_day() {
    check("[h]:mm:ss", &[(1.5, "36:00:00"), (0.0, "0:00:00")]);
    check("[mm]:ss", &[(0.5, "720:00")]);
    check("[ss]", &[(0.5, "43200")]);
    check("mm:ss.0", &[(0.000_001_157_407, "00:00.1")]);
    check("h:mm:ss.000", &[(0.5 + 0.25 / 86_400.0, "12:00:00.250")]);
    assert_eq!(iso("[h]:mm", 1.5), Value::Date("36:00:00".to_owned()));
}

#[test]
fn times_are_rounded_to_the_second() {
    check(
        "h:mm:ss",
        &[(0.999_999_9, "0:00:00"), (0.520_833_333, "12:30:00")],
    );
    check(
        "h:mm",
        &[(0.520_833_333, "12:30"), (0.5 + 59.0 / 86_400.0, "12:00")],
    );
    check("d h", &[(1.999_999_999, "2 0")]);
}

#[test]
fn epochs_differ() {
    check(
        "yyyy-mm-dd",
        &[
            (1.0, "1900-01-01"),
            (59.0, "1900-02-28"),
            (60.0, "1900-02-29"),
            (61.0, "1900-03-01"),
        ],
    );
    let (value, _) = NumberFormat::parse("yyyy-mm-dd").number(0.0, Epoch::Y1904);
    assert_eq!(value, Value::Date("1904-01-01".to_owned()));
    let (value, _) = NumberFormat::parse("[h]:mm").number(0.5, Epoch::Y1904);
    assert_eq!(value, Value::Date("12:00:00".to_owned()));
}

#[test]
fn numbers_that_are_no_dates_are_numbers() {
    check(
        "yyyy-mm-dd",
        &[
            (-1.0, "-1"),
            (3_000_000.0, "3000000"),
            (1e300, "1E+300"),
            (0.0, "0"),
        ],
    );
    assert_eq!(iso("yyyy", -1.0), Value::Number(-1.0));
}

#[test]
fn builtin_formats_are_known() {
    let shown = |id, number| {
        let (value, shown) = NumberFormat::builtin(id).number(number, Epoch::Y1900);
        shown.unwrap_or_else(|| value.plain())
    };
    assert_eq!(shown(9, 0.5), "50%");
    assert_eq!(shown(14, 45_000.0), "2023-03-15");
    assert_eq!(shown(22, 45_000.5), "2023-03-15 12:00");
    assert_eq!(shown(31, 45_000.0), "2023-03-15");
    assert_eq!(shown(44, 5.0), "$5.00");
    assert_eq!(shown(48, 12345.0), "12.3E+3");
    assert!(NumberFormat::builtin(0).is_general());
    assert!(NumberFormat::builtin(163).is_general());
}

#[test]
fn hostile_codes_do_no_harm() {
    let pieces = [
        "0",
        "#",
        "?",
        "/",
        ".",
        ",",
        "%",
        "E+",
        "e-",
        "[",
        "]",
        "[h]",
        "[>1]",
        "\"",
        "\\",
        "_",
        "*",
        "@",
        ";",
        "General",
        "m",
        "s",
        "y",
        "AM/PM",
        "é",
        "[$€-407]",
        "9",
    ];
    let numbers = [
        0.0,
        -0.0,
        1.5,
        -1e300,
        1e-300,
        45_000.123,
        f64::NAN,
        f64::INFINITY,
        f64::MAX,
    ];
    let mut seed = 7_u64;
    for _ in 0..20_000 {
        let mut code = String::new();
        for _ in 0..8 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let index = (seed >> 33) as usize % pieces.len();
            code.push_str(pieces[index]);
        }
        let format = NumberFormat::parse(&code);
        for number in numbers {
            let (_, shown) = format.number(number, Epoch::Y1904);
            assert!(shown.unwrap_or_default().len() < 1000, "{code}");
        }
        format.text("x");
    }
    let long = "0".repeat(1_000_000);
    assert!(NumberFormat::parse(&long).is_general());
}

use crate::settings::Field;
use crate::*;

#[test]
fn every_setting_is_set_by_its_key() {
    for setting in SETTINGS {
        let mut options = Options::default();
        let value = match &setting.field {
            Field::Number(field, range) | Field::Size(field, range) => {
                let is_least = field.of(&mut options) == range.start();
                let other = if is_least { range.end() } else { range.start() };
                other.to_string()
            }
            Field::Limit(_, range) | Field::Rest(range) => range.start().to_string(),
            Field::Names(_) => ".aiexclude".to_owned(),
            Field::Address(_) => "https://github.example.com/api/v3".to_owned(),
            Field::Switch(field) => if *field(&mut options) { "off" } else { "on" }.to_owned(),
        };
        let before = options.clone();
        options.set(&setting.key.replace('-', "_"), &value).unwrap();
        assert_ne!(options, before, "{}", setting.key);
    }
}

#[test]
fn wrong_option_is_named_in_the_error() {
    let mut options = Options::default();
    for (key, value) in [
        ("colour", "on"),
        ("limit", "0"),
        ("limit", "3001"),
        ("image-side", "8001"),
        ("image-bytes", "0"),
        ("image-bytes", "4M"),
        ("image-bytes", "many"),
        ("reply-bytes", "1X"),
        ("max-tokens", "99"),
        ("max-tokens", "10000001"),
        ("max-tokens", "few"),
        ("rest", "101"),
        ("rest", "-1"),
        ("outlines", "maybe"),
        ("ignores", "a,b/c"),
        ("github-soft-age", "-1"),
        ("github-api", "github.example.com"),
        ("github-api", "https://user@github.example.com"),
    ] {
        assert_eq!(options.set(key, value).unwrap_err().key, key);
    }
    assert_eq!(options, Options::default());
}

#[test]
fn sizes_may_have_a_unit() {
    let mut options = Options::default();
    options.set("image-bytes", "1.5M").unwrap();
    options.set("reply-bytes", "64k").unwrap();
    assert_eq!(
        (options.image.bytes, options.reply_bytes),
        (3 << 19, 64 << 10)
    );
    options.set("reply-bytes", "8388608").unwrap();
    assert_eq!(options.reply_bytes, 8 << 20);
    assert_eq!(options.check(), Ok(()));
}

#[test]
fn limit_of_tokens_may_be_none() {
    let mut options = Options::default();
    options.set("max-tokens", "25000").unwrap();
    assert_eq!((options.tokens, options.check()), (25_000, Ok(())));
    options.set("max-tokens", "0").unwrap();
    assert_eq!(options, Options::default());
    options.tokens = 99;
    let error = options.check().unwrap_err();
    assert_eq!(error.key, "max-tokens");
    assert_eq!(
        error.message,
        "option `max-tokens` must be a number from 100 to 10000000, or 0 for no limit, not `99`"
    );
}

#[test]
fn number_without_a_default_is_checked_if_it_is_set() {
    let mut options = Options::default();
    options.set("rest", "0").unwrap();
    assert_eq!((options.rest, options.check()), (Some(0), Ok(())));
    options.set("rest", "").unwrap();
    assert_eq!(options, Options::default());
    options.rest = Some(101);
    assert_eq!(options.check().unwrap_err().key, "rest");
}

#[test]
fn ignore_file_names_are_separated_by_commas() {
    let mut options = Options::default();
    options.set("ignores", " .a , .b,").unwrap();
    assert_eq!(options.ignores, [".a", ".b"]);
    options.set("ignores", "").unwrap();
    assert!(options.ignores.is_empty());
}

#[test]
fn other_environment_variables_are_returned() {
    let mut options = Options::default();
    let others = options.set_from_environment([
        ("OMNIREAD_DIALECT", "claude"),
        ("HOME", "/"),
        ("OMNIREAD_LIMIT", "20"),
    ]);
    assert_eq!(others, Ok(vec!["OMNIREAD_DIALECT"]));
    assert_eq!(options.limit, 20);
}

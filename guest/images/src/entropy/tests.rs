use crate::chunks::of_jpeg;
use crate::strict;
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

/// A JPEG with noise, so that most codes and all rows of the tables occur.
fn encoded(change: impl FnOnce(&mut Encoder<&mut Vec<u8>>)) -> Vec<u8> {
    let mut state = 1_u32;
    let pixels: Vec<u8> = (0..61 * 43 * 3)
        .map(|at: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = if at % 7 < 3 { state >> 24 } else { 0 };
            u8::try_from((at / 40 + noise) % 256).unwrap()
        })
        .collect();
    let mut data = Vec::new();
    let mut encoder = Encoder::new(&mut data, 90);
    change(&mut encoder);
    encoder.encode(&pixels, 61, 43, ColorType::Rgb).unwrap();
    data
}

fn is_sound(data: &[u8]) -> bool {
    let jpeg = of_jpeg(data);
    // With one code at a time, and with several.
    let one = super::checked(&jpeg, usize::MAX);
    assert_eq!(one, super::checked(&jpeg, 0));
    assert_eq!(super::is_sound(&jpeg), one.is_some());
    one.is_some()
}

/// Files with the usual sizes of channels, with and without restart markers.
fn files() -> Vec<Vec<u8>> {
    let sizes = [
        SamplingFactor::R_4_4_4,
        SamplingFactor::R_4_2_2,
        SamplingFactor::R_4_4_0,
        SamplingFactor::R_4_2_0,
    ];
    let mut files = Vec::new();
    for size in sizes {
        files.push(encoded(|it| it.set_sampling_factor(size)));
        files.push(encoded(|it| {
            it.set_sampling_factor(size);
            it.set_restart_interval(3);
        }));
    }
    files
}

#[test]
fn usual_files_are_sound() {
    for file in files() {
        assert!(is_sound(&file));
        assert!(strict::jpeg(&file).is_ok());
    }
    // It is decoded.
    assert!(!is_sound(&encoded(|it| it.set_progressive(true))));
}

#[test]
fn files_that_end_early_are_not_sound() {
    for file in files() {
        let start = file.len() * 2 / 3;
        for length in start..file.len() {
            let mut cut = file[..length].to_vec();
            assert!(!is_sound(&cut), "{length}");
            cut.extend_from_slice(b"\xff\xd9");
            if is_sound(&cut) {
                assert!(strict::jpeg(&cut).is_ok(), "{length}");
            }
        }
    }
}

#[test]
fn sound_files_are_decoded_strictly() {
    let mut state = 7_u32;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    let (mut sound, mut damaged) = (0, 0);
    for file in files() {
        for _ in 0..300 {
            let mut file = file.clone();
            let at = next(file.len());
            file[at] ^= 1 << next(8);
            if next(4) == 0 {
                let at = next(file.len());
                file.remove(at);
            }
            if is_sound(&file) && strict::is_jpeg(&file) {
                sound += 1;
                assert!(strict::jpeg(&file).is_ok());
            } else {
                damaged += 1;
            }
        }
    }
    assert!(sound > 100 && damaged > 500, "{sound} {damaged}");
}

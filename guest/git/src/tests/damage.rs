//! Damaged packs and indexes: every change of a byte is an error, or changes nothing.

use super::disk::Temporary;
use crate::error::Error;
use std::fs;

/// The path of the only pack of a repository, without its extension.
pub fn pack(repository: &Temporary) -> String {
    let directory = repository.path().join(".git/objects/pack");
    let names = fs::read_dir(directory).unwrap();
    let mut names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let name = names
        .find_map(|name| name.strip_suffix(".pack").map(str::to_owned))
        .unwrap();
    format!(".git/objects/pack/{name}")
}

fn packed() -> Temporary {
    let repository = Temporary::new();
    for number in 0..6_u32 {
        let text: String = (0..60)
            .map(|line| format!("line {line} {}\n", line * 7))
            .collect();
        repository.commit(&[("dir/file", &format!("{text}{number}\n"))], "another");
    }
    repository.git(&["gc", "-q", "--aggressive", "--prune=now"]);
    repository
}

#[test]
fn no_changed_byte_changes_the_answer() {
    let repository = packed();
    let expected: Vec<Vec<u8>> = (0..6)
        .map(|back| repository.at(&format!("main~{back}"), "dir/file").unwrap())
        .collect();
    for extension in ["pack", "idx"] {
        let name = format!("{}.{extension}", pack(&repository));
        let bytes = repository.read(&name);
        let mut errors = 0;
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= if at % 2 == 0 { 0xff } else { 1 };
            repository.write(&name, &changed);
            for (back, expected) in expected.iter().enumerate().step_by(5) {
                match repository.at(&format!("main~{back}"), "dir/file") {
                    Ok(found) => assert!(found == *expected, "byte {at} of {name}"),
                    Err(_) => errors += 1,
                }
            }
        }
        assert!(errors > 100, "{errors} errors in {extension}");
        repository.write(&name, &bytes);
    }
}

#[test]
fn a_cut_pack_or_index_is_an_error() {
    let repository = packed();
    for extension in ["pack", "idx"] {
        let name = format!("{}.{extension}", pack(&repository));
        let bytes = repository.read(&name);
        for length in (0..bytes.len().saturating_sub(60)).step_by(37) {
            repository.write(&name, &bytes[..length]);
            let result = repository.at("main", "dir/file");
            if let Ok(found) = result {
                assert!(found.ends_with(b"\n5\n"), "{length} bytes of {name}");
            }
        }
        repository.write(&name, b"");
        let error = repository.at("main", "dir/file").unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{error:?}");
        repository.write(&name, &bytes);
    }
    fs::remove_file(
        repository
            .path()
            .join(format!("{}.pack", pack(&repository))),
    )
    .unwrap();
    let error = repository.at("main", "dir/file").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("does not exist, but its index does"),
        "{error}"
    );
}

#[test]
fn a_changed_loose_object_is_an_error() {
    let repository = Temporary::with(&[("file", "text\n")]);
    let id = repository.line(&["rev-parse", "HEAD:file"]);
    let name = format!(".git/objects/{}/{}", &id[..2], &id[2..]);
    let bytes = repository.read(&name);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        repository.write(&name, &changed);
        if let Ok(found) = repository.at("HEAD", "file") {
            assert_eq!(found, b"text\n", "byte {at}");
        }
    }
    for length in 0..bytes.len() {
        repository.write(&name, &bytes[..length]);
        let error = repository.at("HEAD", "file").unwrap_err();
        assert!(
            matches!(error, Error::Damaged { .. }),
            "{length}: {error:?}"
        );
    }
}

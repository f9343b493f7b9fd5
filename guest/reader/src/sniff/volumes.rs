//! Names of the volumes of a file that a program has divided, and how to join them.

use super::unread::Other;
use super::{Container, image_name};
use crate::path::ends_in;
use std::borrow::Cow;

/// A file whose name is that of one volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    scheme: Scheme,
}

/// How the volumes are named.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Scheme {
    /// `whole.number`, as the programs `split` and `7z` name them. Each volume is a run of the bytes.
    Bytes {
        whole: String,
        number: String,
        is_archive: bool,
    },
    /// `first.z01`, `first.z02` …, and `first.zip` as the last one.
    Zip { whole: String },
    /// `first.part1.rar`, or `first.rar` and `first.r00` …. Each volume is a RAR archive.
    Rar { first: String },
}

/// Extensions of archives and compressed files, which programs divide into volumes.
const DIVIDED: &[&str] = &[
    "7z", "bz2", "cpio", "gz", "iso", "rar", "tar", "tbz2", "tgz", "txz", "xz", "zip", "zst",
];

impl Volume {
    /// The volume that has this name. `None` if the name is not that of a volume. Only the content shows
    /// whether the file is one.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
        let (whole, number) = name
            .rsplit_once('.')
            .filter(|(whole, _)| !whole.is_empty())?;
        let is_archive = ends_in(whole, DIVIDED);
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        // Four digits without a zero are a year.
        let is_number = digits(number)
            && match number.len() {
                2 => is_archive,
                3 => is_archive || number != "000",
                4 | 5 => is_archive && number.starts_with('0'),
                _ => false,
            };
        if is_number || (is_archive && is_letters(number)) {
            let (whole, number) = (whole.to_owned(), number.to_owned());
            return Some(Self {
                scheme: Scheme::Bytes {
                    whole,
                    number,
                    is_archive,
                },
            });
        }
        let lower = number.to_ascii_lowercase();
        let scheme = if lower == "rar" {
            let (stem, part) = whole.rsplit_once('.')?;
            let count = part.get(4..).filter(|count| digits(count))?;
            let is_part = part.get(..4)?.eq_ignore_ascii_case("part") && !count.is_empty();
            let first = format!("{stem}.{}{:0>2$}.{number}", part.get(..4)?, 1, count.len());
            is_part.then_some(Scheme::Rar { first })?
        } else {
            let count = lower.get(1..).filter(|count| count.len() == 2);
            count.filter(|count| digits(count))?;
            match lower.get(..1)? {
                "z" => Scheme::Zip {
                    whole: format!("{whole}.zip"),
                },
                "r" => Scheme::Rar {
                    first: format!("{whole}.rar"),
                },
                _ => return None,
            }
        };
        Some(Self { scheme })
    }

    /// The volume that has this name, if its name is that of a volume of an archive.
    pub fn of_archive(name: &str) -> Option<Self> {
        Self::of(name).filter(Self::is_archive)
    }

    fn is_archive(&self) -> bool {
        match &self.scheme {
            Scheme::Bytes { is_archive, .. } => *is_archive,
            Scheme::Zip { .. } | Scheme::Rar { .. } => true,
        }
    }

    /// Whether a volume of this name starts like a container: the first one, or one that is an archive
    /// of its own. A whole archive whose name ends in another number is not a volume.
    pub fn starts(&self, container: Container) -> bool {
        match &self.scheme {
            Scheme::Bytes { number, .. } if number.starts_with('a') => {
                number.bytes().all(|byte| byte == b'a')
            }
            Scheme::Bytes { number, .. } => matches!(number.trim_start_matches('0'), "" | "1"),
            // The reader names the first volume by its content.
            Scheme::Zip { .. } => false,
            Scheme::Rar { .. } => matches!(container, Container::Unreadable(_)),
        }
    }

    /// Whether bytes that are not text can be those of a volume of this name: they are the start of a
    /// container, or have no known format. A signature or an encrypted file is not a volume.
    pub fn fits(&self, head: &[u8]) -> bool {
        match Container::of(head) {
            Some(container) => self.starts(container),
            None => image_name(head).is_none() && Other::of(head).is_none(),
        }
    }

    /// What to do with the volumes. The joined file has a name of its own, so that the command does not
    /// replace the whole file.
    pub fn join(&self) -> String {
        match &self.scheme {
            Scheme::Bytes { whole, number, .. } => format!(
                "join all volumes first, as `cat {}.{} > {}` does",
                word(whole),
                pattern(number),
                word(&joined(whole))
            ),
            Scheme::Zip { whole } => format!(
                "join all volumes first, as `zip -s 0 {} --out joined.zip` does",
                word(whole)
            ),
            Scheme::Rar { first } => format!("`unrar x {}` unpacks all volumes", word(first)),
        }
    }

    /// The note on a file that is the volume.
    pub fn note(&self) -> String {
        let whole = if self.is_archive() { "archive" } else { "file" };
        let name = format!("the name is that of one volume of a split {whole}");
        format!("{name}; {}", self.join())
    }
}

/// The letters with which `split` numbers the first 26 volumes, or the first 52 if there are three.
fn is_letters(number: &str) -> bool {
    let is_first = matches!(number.as_bytes(), [b'a', _] | [b'a', b'a' | b'b', _]);
    is_first && number.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The pattern of a shell for all volumes.
fn pattern(number: &str) -> String {
    let is_digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let one = if is_digits { "[0-9]" } else { "?" };
    one.repeat(number.len())
}

/// A name for the joined file, with the extension of the whole one.
fn joined(whole: &str) -> String {
    let (stem, extension) = whole.rsplit_once('.').unwrap_or((whole, ""));
    let tar = if ends_in(stem, &["tar"]) { ".tar" } else { "" };
    match extension {
        "" => "joined".to_owned(),
        _ => format!("joined{tar}.{extension}"),
    }
}

/// A name as one word of a shell.
fn word(name: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '+' | '=' | ',');
    if name.chars().all(is_plain) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("'{}'", name.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_are_named_with_how_to_join_them() {
        for (name, join) in [
            ("d/a.tar.gz.aa", "`cat a.tar.gz.?? > joined.tar.gz`"),
            ("a.tgz.aab", "`cat a.tgz.??? > joined.tgz`"),
            ("a.zip.001", "`cat a.zip.[0-9][0-9][0-9] > joined.zip`"),
            ("a.tar.xz.00", "`cat a.tar.xz.[0-9][0-9] > joined.tar.xz`"),
            (
                "a.tar.0000",
                "`cat a.tar.[0-9][0-9][0-9][0-9] > joined.tar`",
            ),
            ("b/a.7z.002", "`cat a.7z.[0-9][0-9][0-9] > joined.7z`"),
            ("it's.7z.01", r"`cat 'it'\''s.7z'.[0-9][0-9] > joined.7z`"),
            (
                "disk.img.002",
                "`cat disk.img.[0-9][0-9][0-9] > joined.img`",
            ),
            ("disk.002", "`cat disk.[0-9][0-9][0-9] > joined`"),
            ("a.z01", "`zip -s 0 a.zip --out joined.zip`"),
            ("a.part3.rar", "`unrar x a.part1.rar`"),
            ("a.part012.rar", "`unrar x a.part001.rar`"),
            ("A.PART02.RAR", "`unrar x A.PART01.RAR`"),
            ("a.r17", "`unrar x a.rar`"),
        ] {
            let shown = Volume::of(name).map(|volume| volume.join());
            let shown = shown.unwrap_or_default();
            assert!(shown.contains(join), "{name}: {shown}");
        }
    }

    #[test]
    fn other_names_are_not_those_of_volumes() {
        for name in [
            "a.7z",
            "a.tar.gz",
            "a.zip.txt",
            "a.rar",
            "core.000",
            "notes.7z.2024",
            "a.tar.gz.1",
            "omniread-1.0.tar.gz.asc",
            "backup.tar.gz.age",
            "backup.tar.gz.aes",
            "a.zip.avi",
            "a.zip.arj",
            "a.zip.apk",
            "a.tar.gz.sig",
            "a.tar.zst.enc",
            "a.tar.gz.Aa",
            "liba.so.12",
            "a.log.aa",
            "a.part.rar",
            "a.partly.rar",
            "a.z1",
            ".001",
            "é.r0",
            "aé.part1",
        ] {
            assert_eq!(Volume::of(name), None, "{name}");
        }
        assert_eq!(Volume::of_archive("disk.img.001"), None);
    }

    #[test]
    fn content_decides_about_a_volume() {
        let fits = |name: &str, head: &[u8]| Volume::of(name).is_some_and(|it| it.fits(head));
        let noise: &[u8] = b"\x11\0\x9b\xfe\x04\xc2\x17\x80\0\x33";
        for (name, head) in [
            ("a.tar.gz.aa", &b"\x1f\x8b\x08\0\0\0"[..]),
            ("a.tar.gz.ab", noise),
            ("a.tar.gz.02", noise),
            ("a.zip.001", b"PK\x03\x04"),
            ("a.7z.002", noise),
            ("a.part2.rar", b"Rar!\x1a\x07\x01\0"),
            ("a.r00", b"Rar!\x1a\x07\0"),
            ("a.z02", noise),
            ("disk.img.001", noise),
        ] {
            assert!(fits(name, head), "{name}");
        }
        for (name, head) in [
            // A complete archive with the number of a backup, or in another format.
            ("backup.tar.gz.07", &b"\x1f\x8b\x08\0\0\0"[..]),
            ("a.zip.aab", b"PK\x03\x04"),
            ("a.zip.ab", b"age-encryption.org/v1\n"),
            ("a.tar.gz.ag", b"\x88\x75\x04\x00\x16"),
            ("a.tar.gz.02", b"\x7fELF\x02\x01"),
            ("a.r00", b"PK\x03\x04"),
        ] {
            assert!(!fits(name, head), "{name}");
        }
    }
}

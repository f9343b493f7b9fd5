//! Images on the command line: they are shown by a terminal, saved, or only named.

use super::terminal::Terminal;
use crate::{Media, Session};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How the images of a reply are output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Images {
    /// Images are not output. A line states their format and size.
    #[default]
    Never,
    /// Images are shown, if standard output is a terminal that can show them.
    Auto,
    /// Images are saved in this directory.
    Save(PathBuf),
}

impl FromStr for Images {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            None if text == "never" => Ok(Self::Never),
            None if text == "auto" => Ok(Self::Auto),
            Some(("save", directory)) if !directory.is_empty() => Ok(Self::Save(directory.into())),
            _ => Err("it is `never`, `auto` or `save=DIR`".to_owned()),
        }
    }
}

/// The maximum number of file names that are tried for one image.
const NAMES: u32 = 10_000;

/// Saves an image in a directory. The file name is that of the path that was read, with a number if
/// such a file exists. Returns the path of the new file.
///
/// # Errors
/// Fails if the directory cannot be written to, or if too many such files exist.
pub fn save(directory: &Path, path: &str, media: &Media) -> io::Result<PathBuf> {
    let data = bytes(media)?;
    fs::create_dir_all(directory)?;
    let stem = stem(path);
    let ending = match media.mime.as_str() {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/bmp" => "bmp",
        "application/pdf" => "pdf",
        _ => "bin",
    };
    for number in 1..NAMES {
        let name = match number {
            1 => format!("{stem}.{ending}"),
            number => format!("{stem}-{number}.{ending}"),
        };
        let place = directory.join(name);
        match create(&place) {
            Ok(mut file) => {
                file.write_all(&data)?;
                return Ok(place);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn create(place: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(place)
}

/// The last file or member name in a path, without its extension, as a safe file name.
fn stem(path: &str) -> String {
    let name = path.rsplit(['/', ':']).next().unwrap_or(path);
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    let name: String = name
        .chars()
        .take(100)
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    let name = name.trim_matches([' ', '.', '-']);
    if name.is_empty() { "image" } else { name }.to_owned()
}

/// Shows an image on a terminal. Returns false if the image cannot be converted for the terminal.
///
/// # Errors
/// Fails if the terminal cannot be written to.
pub fn show(
    terminal: Terminal,
    media: &Media,
    session: &Session,
    out: &mut impl Write,
) -> io::Result<bool> {
    let Ok(data) = bytes(media) else {
        return Ok(false);
    };
    let wanted = terminal.encodings();
    let Some(encoded) = session.encoded(data, &media.mime, terminal.side, wanted) else {
        return Ok(false);
    };
    terminal.write(&encoded, out)
}

fn bytes(media: &Media) -> io::Result<Vec<u8>> {
    STANDARD
        .decode(&media.data)
        .map_err(|error| io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_names_stay_in_the_directory() {
        for (path, name) in [
            ("a/b.png", "b"),
            ("x.zip:c/d.e.jpg", "d.e"),
            ("../..", "image"),
            ("-rf.png", "rf"),
            (".hidden.png", "hidden"),
            ("a\u{1b}[2J.png", "a__2J"),
            ("notes.ipynb:cell:4", "4"),
            ("", "image"),
        ] {
            assert_eq!(stem(path), name, "{path}");
        }
    }

    #[test]
    fn existing_file_is_not_overwritten() {
        let directory = std::env::temp_dir().join(format!("omniread-{}", std::process::id()));
        let media = Media {
            mime: "image/png".to_owned(),
            data: STANDARD.encode("x"),
        };
        let first = save(&directory, "a.png", &media).unwrap();
        let second = save(&directory, "a.png", &media).unwrap();
        assert_eq!(first, directory.join("a.png"));
        assert_eq!(second, directory.join("a-2.png"));
        assert_eq!(fs::read(second).unwrap(), b"x");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn images_option_is_parsed() {
        assert_eq!("auto".parse(), Ok(Images::Auto));
        assert_eq!("save=a=b".parse(), Ok(Images::Save("a=b".into())));
        for wrong in ["", "save", "save=", "always"] {
            assert!(wrong.parse::<Images>().is_err(), "{wrong}");
        }
    }
}

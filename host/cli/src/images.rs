//! Images on the command line: they are shown by a terminal, saved, or only named.

use super::half_blocks::{self, Depth};
use super::names;
use super::terminal::Terminal;
use omniread::{Media, Session};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// How the images of a reply are output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Images {
    /// Images are not output. A line states their format and size.
    Never,
    /// Images are shown, if standard output is a terminal.
    #[default]
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

/// The place of an image in a reply.
pub struct Place<'r> {
    /// The path that was read.
    pub path: &'r str,
    /// The text of the reply before the image.
    pub before: &'r str,
}

/// The maximum number of file names that are tried for one image.
const NAMES: u32 = 10_000;

/// Saves an image in a directory, under the [name](names::stem) of its place in a reply, with a number if
/// such a file exists. Returns the path of the new file.
///
/// # Errors
/// Fails if the directory cannot be written to, or if too many such files exist.
pub fn save(directory: &Path, place: &Place<'_>, media: &Media) -> io::Result<PathBuf> {
    let data = media.bytes()?;
    fs::create_dir_all(directory)?;
    let stem = names::stem(place.path, place.before);
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
        let file_path = directory.join(name);
        match create(&file_path) {
            Ok(mut file) => {
                file.write_all(&data)?;
                return Ok(file_path);
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

/// Shows an image on a terminal that has a protocol for images. Returns false if the image cannot be
/// converted for the terminal.
///
/// # Errors
/// Fails if the terminal cannot be written to.
pub fn show(
    terminal: Terminal,
    media: &Media,
    session: &Session,
    out: &mut impl Write,
) -> io::Result<bool> {
    let Some(encoded) = session.encoded(media, terminal.side, terminal.encodings()) else {
        return Ok(false);
    };
    terminal.write(&encoded, out)
}

/// Draws an image as characters, in at most this number of columns and lines. The image engine
/// decodes it in the sandbox, and this process only gets its pixels. `None` if it cannot be decoded.
pub fn as_characters(
    media: &Media,
    session: &Session,
    columns: usize,
    lines: Option<usize>,
) -> Option<String> {
    let rows = lines.map_or(usize::MAX, |lines| lines.max(1).saturating_mul(2));
    let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let within = |length: usize| session.pixels(media, side(length.max(1)));
    // The longer side is known only after the image is decoded.
    let mut pixels = within(columns.max(rows.min(columns * 4)))?;
    let (width, height) = (pixels.width as usize, pixels.height());
    if width > columns || height > rows {
        let long = width.max(height);
        let of_columns = long * columns / width.max(1);
        let of_rows = long.saturating_mul(rows.min(height)) / height.max(1);
        pixels = within(of_columns.min(of_rows))?;
    }
    Some(half_blocks::draw(&pixels, Depth::of_environment()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_file_is_not_overwritten() {
        let directory = std::env::temp_dir().join(format!("omniread-{}", std::process::id()));
        let media = Media::new("image/png", b"x");
        let save = |path: &str| save(&directory, &Place { path, before: "" }, &media).unwrap();
        assert_eq!(save("a.pdf:page:3:img"), directory.join("a-page-3.png"));
        let second = save("a.pdf:page:3:img");
        assert_eq!(second, directory.join("a-page-3-2.png"));
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

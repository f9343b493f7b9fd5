//! Archives and compressed streams for the tests, built in memory.

use std::io::Write as _;

/// A zip archive of these members, compressed with deflate.
pub fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let members: Vec<_> = members
        .iter()
        .map(|(name, content)| (name.as_bytes(), *content))
        .collect();
    zip_of(&members)
}

/// A zip archive of these members, compressed with deflate. Their names need not be UTF-8.
pub fn zip_of(members: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, content) in members {
        let builder = archive
            .new_file(rawzip::path::EntryPath::verbatim(*name))
            .compression_method(rawzip::CompressionMethod::DEFLATE);
        let (mut entry, config) = builder.start().expect("a member");
        let encoder =
            flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
        let mut writer = config.wrap(encoder);
        writer.write_all(content).expect("memory");
        let (encoder, descriptor) = writer.finish().expect("memory");
        encoder.finish().expect("memory");
        entry.finish(descriptor).expect("memory");
    }
    archive.finish().expect("memory")
}

/// A tar archive of these members.
pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mtime(1_700_000_000);
        header.set_mode(0o644);
        archive
            .append_data(&mut header, name, *content)
            .expect("memory");
    }
    archive.into_inner().expect("memory")
}

/// A tar archive of one symlink. It may be appended to the members of another archive.
pub fn tar_link(name: &str, target: &str) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    header.set_mode(0o777);
    let mut archive = tar::Builder::new(Vec::new());
    archive
        .append_link(&mut header, name, target)
        .expect("memory");
    archive.into_inner().expect("memory")
}

/// A gzip stream.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A bzip2 stream.
pub fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// An xz stream.
pub fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(6);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).expect("options");
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A zstd stream.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// An ar archive of these members, with their names in the table of long names.
pub fn ar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    let header = |name: &str, size: usize| {
        format!(
            "{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
            1_700_000_000, 0, 0, 100_644
        )
    };
    let names: String = members
        .iter()
        .map(|(name, _)| format!("{name}/\n"))
        .collect();
    archive.extend_from_slice(header("//", names.len()).as_bytes());
    archive.extend_from_slice(names.as_bytes());
    if names.len() % 2 == 1 {
        archive.push(b'\n');
    }
    let mut at = 0;
    for (name, content) in members {
        archive.extend_from_slice(header(&format!("/{at}"), content.len()).as_bytes());
        at += name.len() + 2;
        archive.extend_from_slice(content);
        if content.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}

/// A cpio archive of these members, in the `newc` format.
pub fn cpio(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    let trailer: (&str, &[u8]) = ("TRAILER!!!", b"");
    for (name, content) in members.iter().chain([&trailer]) {
        let fields = [
            0,
            0o100_644,
            0,
            0,
            1,
            1_700_000_000,
            content.len(),
            0,
            0,
            0,
            0,
            name.len() + 1,
            0,
        ];
        archive.extend_from_slice(b"070701");
        for field in fields {
            archive.extend_from_slice(format!("{field:08x}").as_bytes());
        }
        archive.extend_from_slice(name.as_bytes());
        archive.push(0);
        archive.resize(archive.len().next_multiple_of(4), 0);
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(4), 0);
    }
    archive
}

/// A 7z archive of these members.
pub fn sevenz(members: &[(&str, &[u8])]) -> Vec<u8> {
    let memory = std::io::Cursor::new(Vec::new());
    let mut archive = sevenz_rust2::ArchiveWriter::new(memory).expect("memory");
    for (name, content) in members {
        let entry = sevenz_rust2::ArchiveEntry::new_file(name);
        archive
            .push_archive_entry(entry, Some(*content))
            .expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

/// A zip archive that is written field by field, so that its fields may contradict its bytes.
#[derive(Debug, Default)]
pub struct Forged {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

/// The fields of a member in a forged archive.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'c> {
    /// The name in the central directory.
    pub name: &'c [u8],
    /// The name in the local header.
    pub own_name: &'c [u8],
    /// The stored bytes, which may be compressed.
    pub stored: &'c [u8],
    /// The compression method.
    pub method: u16,
    /// The general purpose flags.
    pub flags: u16,
    /// The CRC-32 of the uncompressed bytes.
    pub sum: u32,
    /// The size of the uncompressed bytes.
    pub size: u32,
    /// The operating system that wrote the member: 0 is DOS, 3 is Unix.
    pub system: u8,
    /// The Unix mode.
    pub mode: u16,
    /// The extra field in the central directory.
    pub extra: &'c [u8],
    /// The false offset that the central directory contains for the local header. `None` if the
    /// offset is correct.
    pub header: Option<u32>,
}

impl<'c> Claim<'c> {
    /// A member that is stored without compression, with correct fields.
    pub fn stored(name: &'c [u8], bytes: &'c [u8]) -> Self {
        Self {
            name,
            own_name: name,
            stored: bytes,
            method: 0,
            flags: 0,
            sum: rawzip::crc32(bytes),
            size: u32::try_from(bytes.len()).expect("a small member"),
            system: 3,
            mode: 0o100_644,
            extra: &[],
            header: None,
        }
    }
}

impl Forged {
    /// Adds a member.
    pub fn add(&mut self, claim: &Claim<'_>) -> &mut Self {
        let length = |bytes: &[u8]| {
            u16::try_from(bytes.len())
                .expect("a short field")
                .to_le_bytes()
        };
        let at = u32::try_from(self.bytes.len()).expect("a small archive");
        let stored = u32::try_from(claim.stored.len()).expect("a small member");
        let common = [
            20u16.to_le_bytes().as_slice(),
            &claim.flags.to_le_bytes(),
            &claim.method.to_le_bytes(),
            &[0; 4],
            &claim.sum.to_le_bytes(),
            &stored.to_le_bytes(),
            &claim.size.to_le_bytes(),
        ]
        .concat();
        let own = [
            b"PK\x03\x04".as_slice(),
            &common,
            &length(claim.own_name),
            &[0; 2],
            claim.own_name,
            claim.stored,
        ];
        self.bytes.extend(own.concat());
        let mode = u32::from(claim.mode) << 16;
        let entry = [
            b"PK\x01\x02".as_slice(),
            &[20, claim.system],
            &common,
            &length(claim.name),
            &length(claim.extra),
            &[0; 6],
            &mode.to_le_bytes(),
            &claim.header.unwrap_or(at).to_le_bytes(),
            claim.name,
            claim.extra,
        ];
        self.directory.extend(entry.concat());
        self.count += 1;
        self
    }

    /// The archive, with this number of members, disk number and comment in its end record.
    pub fn end(&self, count: u16, disk: u16, comment: &[u8]) -> Vec<u8> {
        let long = |bytes: &[u8]| {
            u32::try_from(bytes.len())
                .expect("a small archive")
                .to_le_bytes()
        };
        let comment_length = u16::try_from(comment.len()).expect("a short comment");
        [
            self.bytes.as_slice(),
            &self.directory,
            b"PK\x05\x06",
            &disk.to_le_bytes(),
            &disk.to_le_bytes(),
            &count.to_le_bytes(),
            &count.to_le_bytes(),
            &long(&self.directory),
            &long(&self.bytes),
            &comment_length.to_le_bytes(),
            comment,
        ]
        .concat()
    }

    /// The archive with a correct end record.
    pub fn finish(&self) -> Vec<u8> {
        self.end(self.count, 0, b"")
    }
}

/// A tar header and the bytes of its member, padded to whole blocks.
pub fn tar_entry(name: &[u8], kind: tar::EntryType, target: &str, content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_size(content.len() as u64);
    header.set_mtime(1_700_000_000);
    header.set_mode(0o644);
    if !target.is_empty() {
        header
            .set_link_name_literal(target)
            .expect("a short target");
    }
    header.set_cksum();
    let mut bytes = [header.as_bytes().as_slice(), content].concat();
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

/// The end of a tar archive: two zero blocks.
pub const TAR_END: [u8; 1024] = [0; 1024];

/// A raw deflate stream.
pub fn deflate(bytes: &[u8], level: flate2::Compression) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

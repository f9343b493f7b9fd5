//! Archives of a given size.

use omniread_tests::Workspace;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::fs::File;
use std::io::{BufWriter, Write};

pub fn create(workspace: &Workspace, name: &str) -> BufWriter<File> {
    BufWriter::new(File::create(workspace.path().join(name)).expect("a file"))
}

/// Adds a member to a zip archive.
pub fn add(archive: &mut ZipArchiveWriter<impl Write>, name: &str, content: &[u8], deflate: bool) {
    let method = if deflate {
        CompressionMethod::DEFLATE
    } else {
        CompressionMethod::STORE
    };
    let builder = archive.new_file(name).compression_method(method);
    let (mut entry, config) = builder.start().expect("a member");
    let descriptor = if deflate {
        let level = flate2::Compression::default();
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, level);
        let mut writer = config.wrap(encoder);
        writer.write_all(content).expect("room on the disk");
        let (encoder, descriptor) = writer.finish().expect("room on the disk");
        encoder.finish().expect("room on the disk");
        descriptor
    } else {
        let mut writer = config.wrap(&mut entry);
        writer.write_all(content).expect("room on the disk");
        writer.finish().expect("room on the disk").1
    };
    entry.finish(descriptor).expect("room on the disk");
}

/// Creates a zip archive with 5,700 small members.
pub fn many(workspace: &Workspace) {
    let mut archive = ZipArchiveWriter::new(create(workspace, "many.zip"));
    for n in 0..5700 {
        let content = format!("hello {n}\n").repeat(20);
        add(
            &mut archive,
            &format!("dir{}/file{n}.txt", n % 57),
            content.as_bytes(),
            true,
        );
    }
    archive.finish().expect("room on the disk");
}

/// Creates a zip archive with 1 GB of stored members, followed by a member of 25 KB.
pub fn big(workspace: &Workspace) {
    let mut archive = ZipArchiveWriter::new(create(workspace, "big.zip"));
    let noise = noise(1 << 24);
    for n in 0..64 {
        add(&mut archive, &format!("blob{n}"), &noise, false);
    }
    let small: String = (0..2500).map(|n| format!("line {n:4}\n")).collect();
    add(&mut archive, "small.txt", small.as_bytes(), true);
    archive.finish().expect("room on the disk");
}

/// Creates a compressed tar archive with logs of 200 MB in total.
pub fn compressed(workspace: &Workspace) {
    let level = flate2::Compression::default();
    let file = create(workspace, "logs.tar.gz");
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(file, level));
    let numbers = noise(1 << 20);
    let log: String = numbers
        .chunks(8)
        .map(|bytes| format!("{bytes:02x?} request handled by worker-7, 200 OK\n"))
        .collect();
    for n in 0..20 {
        let mut header = tar::Header::new_gnu();
        header.set_size(log.len() as u64);
        header.set_mode(0o644);
        let content = log.as_bytes();
        archive
            .append_data(&mut header, format!("{n}.log"), content)
            .expect("room on the disk");
    }
    let encoder = archive.into_inner().expect("room on the disk");
    encoder
        .finish()
        .expect("room on the disk")
        .flush()
        .expect("room on the disk");
}

/// Incompressible bytes from a linear congruential generator.
pub fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 42u64;
    (0..bytes)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state.to_be_bytes()[0]
        })
        .collect()
}

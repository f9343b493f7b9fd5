//! Many concurrent reads on a busy machine.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _};
use omniread::{Block, Reader};
use omniread_tests::Workspace;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// An image of twelve megapixels with noise, in PNG. Only two of its rows differ, because this code is not
/// optimised.
fn photograph() -> Vec<u8> {
    const WIDTH: u32 = 4000;
    const HEIGHT: u32 = 3000;
    let rows = (0..2u32).flat_map(|row| {
        let noise = move |n: u32| (n.wrapping_mul(2_654_435_761) ^ row.wrapping_mul(40_503)) >> 24;
        (0..3 * WIDTH).map(move |n| u8::try_from(n / 60 + (noise(n) & 3)).unwrap())
    });
    let rows: Vec<u8> = rows.collect();
    let pixels = rows.repeat(HEIGHT.div_ceil(2) as usize);
    let pixels = &pixels[..(3 * WIDTH * HEIGHT) as usize];
    let mut data = Vec::new();
    PngEncoder::new_with_quality(&mut data, CompressionType::Default, FilterType::NoFilter)
        .write_image(pixels, WIDTH, HEIGHT, ExtendedColorType::Rgb8)
        .unwrap();
    data
}

/// Many concurrent reads of an image all return it, although the image engines may use less memory
/// than all of these reads need at once.
///
/// The unit tests of the memory budget check that its limit is never exceeded.
#[test]
fn concurrent_images_beyond_engine_memory_are_all_shown() {
    const THREADS: usize = 12;
    const ENGINE_MEMORY: usize = 512 << 20;
    let workspace = Workspace::new();
    let photograph = photograph();
    workspace.file("photo.png", &photograph);
    let reader = Reader::builder()
        .root(workspace.path())
        .engine_memory(ENGINE_MEMORY)
        .timeout(None)
        .build()
        .unwrap();
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let reply = reader.session().read("photo.png").unwrap();
                let images = reply.blocks.iter();
                let images = images.filter(|block| matches!(block, Block::Image(_)));
                assert_eq!(images.count(), 1, "{}", reply.text());
            });
        }
    });
}

/// Reads that need more memory together than all reads may use wait for each other, and all end. Some of
/// them have an engine too. A read that is alone gets the memory that its own limit allows.
#[test]
fn concurrent_reads_beyond_their_memory_all_end() {
    const THREADS: usize = 12;
    let workspace = Workspace::new();
    let items: String = (0..20_000)
        .map(|n| {
            format!("<item><title>Entry {n}</title><description>Text of {n}</description></item>")
        })
        .collect();
    workspace.file("photo.png", photograph()).file(
        "feed.xml",
        format!("<rss version=\"2.0\"><channel><title>News</title>{items}</channel></rss>"),
    );
    let reader = Reader::builder()
        .root(workspace.path())
        .reads_memory(32 << 20)
        .timeout(None)
        .build()
        .unwrap();
    let alone = reader.session().read("feed.xml:").unwrap().text();
    assert!(alone.contains("Entry 1"), "{alone}");
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (reader, alone) = (&reader, &alone);
            scope.spawn(move || {
                let session = reader.session();
                if thread % 3 == 0 {
                    let reply = session.read("photo.png").unwrap();
                    assert!(
                        reply
                            .blocks
                            .iter()
                            .any(|block| matches!(block, Block::Image(_)))
                    );
                } else {
                    assert_eq!(session.read("feed.xml:").unwrap().text(), *alone);
                }
            });
        }
    });
}

/// The timeout of a read counts the time on the processor, so that neither other reads nor other
/// programs change a reply. Each of these reads takes about a fifth of a second, and waits for longer
/// than its timeout.
#[test]
#[cfg(unix)]
fn reads_on_a_busy_machine_are_complete() {
    const READS: usize = 3;
    let workspace = Workspace::new();
    workspace.file("photo.png", photograph());
    // A read ends after 20 times its timeout, whether it ran or not: the other tests keep the machine busy too.
    let builder = workspace.builder().timeout(Duration::from_secs(5));
    let reader = builder.build().unwrap();
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..cores * 8 {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let reads: Vec<_> = (0..READS * cores)
            .map(|_| scope.spawn(|| reader.session().read("photo.png")))
            .collect();
        let replies: Vec<_> = reads
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect();
        ended.store(true, Ordering::Relaxed);
        for reply in replies {
            let reply = reply.unwrap().unwrap();
            let images = reply.blocks.iter();
            let images = images.filter(|block| matches!(block, Block::Image(_)));
            assert_eq!(images.count(), 1, "{}", reply.text());
        }
    });
}

//! Compound files for tests.

/// Builds a compound file of version 3 from streams. Paths have `/` between storages.
///
/// The layout is: the header, the allocation table, the directory, the small table, the small sectors,
/// and the streams of 4096 bytes and more.
pub fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
    const END: u32 = 0xffff_fffe;
    const FREE: u32 = 0xffff_ffff;
    let mut nodes: Vec<(String, Option<usize>)> = vec![(String::new(), None)];
    for (index, (path, _)) in streams.iter().enumerate() {
        let parts: Vec<&str> = path.split('/').collect();
        for end in 1..parts.len() {
            let storage = parts[..end].join("/");
            if !nodes.iter().any(|(name, _)| *name == storage) {
                nodes.push((storage, None));
            }
        }
        nodes.push(((*path).to_owned(), Some(index)));
    }
    let mut small = Vec::new();
    let mut small_table: Vec<u32> = Vec::new();
    let mut starts = vec![END; streams.len()];
    for (index, (_, content)) in streams.iter().enumerate() {
        if content.len() >= 4096 || content.is_empty() {
            continue;
        }
        starts[index] = u32::try_from(small_table.len()).unwrap();
        chain(&mut small_table, content.len().div_ceil(64));
        small.extend(*content);
        small.resize(small_table.len() * 64, 0);
    }
    let sectors = |bytes: usize| bytes.div_ceil(512);
    let directory = sectors(nodes.len() * 128);
    let small_tables = sectors(small_table.len() * 4);
    let large: usize = streams
        .iter()
        .filter(|(_, content)| content.len() >= 4096)
        .map(|(_, content)| sectors(content.len()))
        .sum();
    let content = directory + small_tables + sectors(small.len()) + large;
    let mut tables = 1;
    while tables * 128 < content + tables {
        tables += 1;
    }
    assert!(tables <= 109, "too large for a fixture");
    let mut table = vec![0xffff_fffd_u32; tables];
    let start_of = |count: usize, table: &mut Vec<u32>| {
        let start = if count == 0 {
            END
        } else {
            u32::try_from(table.len()).unwrap()
        };
        chain(table, count);
        start
    };
    let directory_start = start_of(directory, &mut table);
    let small_table_start = start_of(small_tables, &mut table);
    let small_start = start_of(sectors(small.len()), &mut table);
    for (index, (_, content)) in streams.iter().enumerate() {
        if content.len() >= 4096 {
            starts[index] = start_of(sectors(content.len()), &mut table);
        }
    }
    table.resize(tables * 128, FREE);
    let mut out = super::MAGIC.to_vec();
    out.resize(24, 0);
    for field in [0x3e_u16, 3, 0xfffe, 9, 6, 0, 0, 0] {
        out.extend(field.to_le_bytes());
    }
    let count = |it: usize| u32::try_from(it).unwrap();
    for field in [
        0,
        count(tables),
        directory_start,
        0,
        4096,
        small_table_start,
    ] {
        out.extend(field.to_le_bytes());
    }
    for field in [count(small_tables), END, 0] {
        out.extend(field.to_le_bytes());
    }
    for index in 0..109 {
        let field = if index < tables { count(index) } else { FREE };
        out.extend(field.to_le_bytes());
    }
    out.extend(table.iter().flat_map(|it| it.to_le_bytes()));
    for (index, (path, stream)) in nodes.iter().enumerate() {
        let name = if index == 0 {
            "Root Entry"
        } else {
            path.rsplit('/').next().unwrap()
        };
        let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut record = units.clone();
        record.resize(64, 0);
        record.extend(u16::try_from(units.len() + 2).unwrap().to_le_bytes());
        let kind = match (index, stream) {
            (0, _) => 5,
            (_, Some(_)) => 2,
            (_, None) => 1,
        };
        record.extend([kind, 1]);
        let parent = |path: &str| path.rsplit_once('/').map_or("", |it| it.0).to_owned();
        // The nodes of a storage are a list.
        let own = parent(path);
        let next = nodes.iter().enumerate().skip(index + 1);
        let next = next
            .clone()
            .find(|(_, it)| index > 0 && parent(&it.0) == own);
        let child = nodes
            .iter()
            .enumerate()
            .skip(1)
            .find(|(_, it)| parent(&it.0) == *path);
        let child = child.filter(|_| stream.is_none());
        record.extend(FREE.to_le_bytes());
        record.extend(next.map_or(FREE, |(at, _)| count(at)).to_le_bytes());
        record.extend(child.map_or(FREE, |(at, _)| count(at)).to_le_bytes());
        record.resize(116, 0);
        let (start, size) = match (index, stream) {
            (0, _) => (small_start, small.len()),
            (_, Some(stream)) => (starts[*stream], streams[*stream].1.len()),
            (_, None) => (0, 0),
        };
        record.extend(start.to_le_bytes());
        record.extend(count(size).to_le_bytes());
        record.resize(128, 0);
        out.extend(record);
    }
    pad(&mut out);
    out.extend(small_table.iter().flat_map(|it| it.to_le_bytes()));
    pad(&mut out);
    out.extend(small);
    pad(&mut out);
    for (_, content) in streams {
        if content.len() >= 4096 {
            out.extend(*content);
            pad(&mut out);
        }
    }
    out
}

/// Adds a chain of sectors to a table.
fn chain(table: &mut Vec<u32>, count: usize) {
    for index in 0..count {
        let next = u32::try_from(table.len() + 1).unwrap();
        table.push(if index + 1 == count {
            0xffff_fffe
        } else {
            next
        });
    }
}

/// Fills the last sector.
fn pad(out: &mut Vec<u8>) {
    out.resize(out.len().div_ceil(512) * 512, 0);
}

/// Builds the stream of a property set from texts of the code page 1252 and times.
pub fn property_set(texts: &[(u32, &[u8])], times: &[(u32, u64)]) -> Vec<u8> {
    let mut values: Vec<(u32, Vec<u8>)> = vec![(1, vec![2, 0, 0, 0, 0xe4, 4, 0, 0])];
    for (id, text) in texts {
        let mut value = vec![0x1e, 0, 0, 0];
        value.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        value.extend(*text);
        value.resize(value.len().div_ceil(4) * 4, 0);
        values.push((*id, value));
    }
    for (id, time) in times {
        let mut value = vec![0x40, 0, 0, 0];
        value.extend(time.to_le_bytes());
        values.push((*id, value));
    }
    let mut out = vec![0xfe, 0xff, 0, 0];
    out.resize(24, 0);
    out.extend(1_u32.to_le_bytes());
    out.resize(44, 0);
    out.extend(48_u32.to_le_bytes());
    let size = 8 + values.len() * 8;
    out.extend(0_u32.to_le_bytes());
    out.extend(u32::try_from(values.len()).unwrap().to_le_bytes());
    let mut at = size;
    for (id, value) in &values {
        out.extend(id.to_le_bytes());
        out.extend(u32::try_from(at).unwrap().to_le_bytes());
        at += value.len();
    }
    for (_, value) in values {
        out.extend(value);
    }
    out
}

//! Tens of thousands of damaged files, the same ones in every run: no reader panics, and what one
//! lets pass is a mesh.
//!
//! The fuzz targets look further; this runs with the ordinary tests.

#[path = "support/zip.rs"]
mod zip_writer;

use nearhit::{Mesh, MeshError};
use nearhit_io::{Format, parse};
use std::path::Path;

const ROUNDS: usize = 20_000;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Less than `bound`; 0 if that is 0.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// The seeds of the fuzz target, in the order of their names. What a fuzzing run left there has no
/// extension.
fn seeds(format: Format) -> Vec<Vec<u8>> {
    let target = format.extensions()[0];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("seeds: {}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry of the corpus").path()).collect();
    let is_seed = |path: &Path| path.extension().is_some_and(|found| format.extensions().iter().any(|e| found == *e));
    paths.retain(|path| is_seed(path));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a seed")).collect()
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    const WORDS: [&[u8]; 14] = [
        b" 4294967296 ",
        b" -1 ",
        b" 0 ",
        b" 1e400 ",
        b" nan ",
        b" 1e-400 ",
        b"\n",
        b"\\\r\n",
        b" #",
        b"\0",
        b"\xff\xfe",
        b"\nf 1 2 3\n",
        b"\nendsolid\n",
        b"\xff\xff\xff\xff",
    ];
    let place = random.below(bytes.len());
    match random.below(7) {
        0 if !bytes.is_empty() => bytes[place] ^= 1 << random.below(8),
        1 => bytes.truncate(place),
        2 => insert(bytes, place, random.pick(&WORDS)),
        3 => {
            let chunk = bytes[place..].to_vec();
            insert(bytes, place, &chunk[..random.below(chunk.len())]);
        }
        4 => {
            bytes.truncate(place);
            bytes.extend(&other[random.below(other.len())..]);
        }
        5 => drop(bytes.drain(place..place + random.below((bytes.len() - place).min(8)))),
        _ => {
            let number = format!("{:e}", f64::from_bits(random.next()));
            insert(bytes, place, number.as_bytes());
        }
    }
}

/// Damage that leaves everything in its place: most files with counts in them are refused after any
/// other.
fn scratch(bytes: &mut [u8], format: Format, random: &mut Random) {
    // Signs are the grammar of XML: nearly all damage to them is refused at once.
    let is_xml = matches!(format, Format::Collada | Format::ThreeMf);
    let is_place = |byte: u8| if is_xml { byte.is_ascii_digit() } else { !byte.is_ascii_alphabetic() };
    let places: Vec<usize> = (0..bytes.len()).filter(|&place| is_place(bytes[place])).collect();
    let Some(&place) = places.get(random.below(places.len())) else { return };
    match bytes[place] {
        b'0'..=b'9' => bytes[place] = b'0' + random.below(10) as u8,
        _ => bytes[place] ^= 1 << random.below(8),
    }
}

/// A GLB file with the lengths in its frame put right again, without which no damage would get past
/// them.
fn reframed(bytes: &[u8]) -> Option<Vec<u8>> {
    let contents = bytes.strip_prefix(b"glTF").and_then(|rest| rest.get(16..))?;
    let marker = contents.windows(4).position(|window| window == b"BIN\0");
    let (json, binary) = match marker {
        Some(place) => (&contents[..place.saturating_sub(4)], &contents[place + 4..]),
        None => (contents, &[][..]),
    };
    let number = |length: usize| (length as u32).to_le_bytes();
    let length = 28 + json.len() + binary.len();
    let header = [*b"glTF", number(2), number(length), number(json.len()), *b"JSON"].concat();
    Some([&header, json, &number(binary.len()), b"BIN\0", binary].concat())
}

fn insert(bytes: &mut Vec<u8>, place: usize, chunk: &[u8]) {
    bytes.splice(place..place, chunk.iter().copied());
}

/// How often a damaged file was refused, was empty, and was a mesh.
#[derive(Debug, Default)]
struct Outcomes {
    refused: usize,
    empty: usize,
    meshes: usize,
}

impl Outcomes {
    fn count(&mut self, bytes: &[u8], format: Format) {
        match parse(bytes, format).map(Mesh::try_from) {
            Err(_) => self.refused += 1,
            Ok(Err(MeshError::NoTriangles)) => self.empty += 1,
            Ok(Ok(_)) => self.meshes += 1,
            Ok(Err(error)) => panic!("the reader let this pass: {error}\n{}", bytes.escape_ascii()),
        }
    }
}

/// The model of a 3MF seed, which is stored as it is: no damage to an archive gets past its
/// checksums.
fn model(bytes: &[u8]) -> Vec<u8> {
    let place = |of: &[u8]| bytes.windows(of.len()).position(|window| window == of);
    let (start, end) = (place(b"<model"), place(b"</model>"));
    bytes[start.expect("a model")..end.expect("its end") + 8].to_vec()
}

fn run(format: Format) -> Outcomes {
    let mut seeds = seeds(format);
    if format == Format::ThreeMf {
        seeds.iter_mut().for_each(|seed| *seed = model(seed));
    }
    let mut random = Random(1);
    let mut outcomes = Outcomes::default();
    for _ in 0..ROUNDS {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        let other = &seeds[random.below(seeds.len())];
        if random.below(2) == 0 {
            scratch(&mut bytes, format, &mut random);
        } else {
            (0..=random.below(3)).for_each(|_| damage(&mut bytes, other, &mut random));
        }
        if format == Format::Gltf && random.below(8) > 0 {
            bytes = reframed(&bytes).unwrap_or(bytes);
        }
        if format == Format::ThreeMf {
            bytes = zip_writer::stored(&[("3D/3dmodel.model", &bytes)]);
            if random.below(8) == 0 {
                damage(&mut bytes, other, &mut random);
            }
        }
        outcomes.count(&bytes, format);
    }
    outcomes
}

/// Damage that is always refused, or never, would test one half of the reader only.
#[track_caller]
fn assert_representative(outcomes: &Outcomes) {
    assert!(outcomes.refused > ROUNDS / 5, "{outcomes:?}");
    assert!(outcomes.meshes > ROUNDS / 10, "{outcomes:?}");
    assert!(outcomes.empty > 0, "{outcomes:?}");
}

#[test]
fn every_seed_is_read() {
    for &format in Format::ALL {
        let seeds = seeds(format);
        assert!(seeds.len() >= 3, "{format:?}");
        for seed in seeds {
            parse(&seed, format).expect("a good file");
        }
    }
}

#[test]
fn every_beginning_of_a_seed_is_survived() {
    for &format in Format::ALL {
        let mut outcomes = Outcomes::default();
        for seed in seeds(format) {
            (0..seed.len()).for_each(|length| outcomes.count(&seed[..length], format));
        }
        assert!(outcomes.refused > 0, "{format:?}: {outcomes:?}");
        // A cut file that is still a file is a mesh only where nothing says how long it should be.
        let has_frame = matches!(format, Format::Gltf | Format::Collada | Format::ThreeMf);
        assert!(outcomes.meshes > 0 || has_frame, "{format:?}: {outcomes:?}");
    }
}

#[test]
fn damaged_obj_files_are_survived() {
    assert_representative(&run(Format::Obj));
}

#[test]
fn damaged_stl_files_are_survived() {
    assert_representative(&run(Format::Stl));
}

#[test]
fn damaged_ply_files_are_survived() {
    assert_representative(&run(Format::Ply));
}

#[test]
fn damaged_off_files_are_survived() {
    assert_representative(&run(Format::Off));
}

#[test]
fn damaged_gltf_files_are_survived() {
    assert_representative(&run(Format::Gltf));
}

#[test]
fn damaged_collada_files_are_survived() {
    assert_representative(&run(Format::Collada));
}

#[test]
fn damaged_3mf_files_are_survived() {
    assert_representative(&run(Format::ThreeMf));
}

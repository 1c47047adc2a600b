//! Tens of thousands of damaged files, the same ones in every run: no reader panics, and what one lets pass is a mesh.
//!
//! The fuzz targets look further; this runs with the ordinary tests.

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

/// The seeds of the fuzz target, in the order of their names. What a fuzzing run left there has no extension.
fn seeds(format: Format) -> Vec<Vec<u8>> {
    let extension = format.extensions()[0];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(extension);
    let entries = std::fs::read_dir(folder).expect("the corpus");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry of the corpus").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
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

fn run(format: Format) -> Outcomes {
    let seeds = seeds(format);
    let mut random = Random(1);
    let mut outcomes = Outcomes::default();
    for _ in 0..ROUNDS {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        let other = &seeds[random.below(seeds.len())];
        for _ in 0..=random.below(3) {
            damage(&mut bytes, other, &mut random);
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
        assert!(outcomes.refused > 0 && outcomes.meshes > 0, "{format:?}: {outcomes:?}");
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

//! The poses as the page draws them: the ring's pose, triangles in contact, contact segments.

use anyhow::Result;
use nearhit::{Model, Pair, Pose, Scratch, Settings, TrianglePair};
use nearhit_cases::folder::Case;
use serde::Serialize;

/// One pose as the page draws it.
#[derive(Debug, Serialize)]
pub(super) struct Moment {
    /// The ring's place: a matrix, column by column.
    matrix: [f64; 16],
    /// Triangles of the ring that touch.
    a: Vec<u32>,
    /// Triangles of the wire that touch.
    b: Vec<u32>,
    /// Two end points each, in the ring's frame.
    segments: Vec<f64>,
    /// Pairs of triangles that touch.
    pub(super) contacts: usize,
}

/// All moments of the flight.
pub(super) fn flight(case: &Case) -> Result<Vec<Moment>> {
    let (a, b) = (Model::new(case.a.clone()), Model::new(case.b.clone()));
    let mut scratch = Scratch::new();
    let mut moment = |placed: &nearhit_cases::folder::Placed| {
        let pair = Pair::new(&a, &placed.world_from_a, &b, &placed.world_from_b)?;
        let contacts = pair.contacts(&Settings::default(), &mut scratch).pairs;
        Ok(Moment {
            matrix: matrix(&Pose::a_from_b(&placed.world_from_b, &placed.world_from_a)),
            a: distinct(contacts, |pair| pair.a),
            b: distinct(contacts, |pair| pair.b),
            segments: contacts.iter().flat_map(|&contact| segment(&pair, contact)).collect(),
            contacts: contacts.len(),
        })
    };
    case.poses.iter().map(&mut moment).collect()
}

fn matrix(world_from_a: &Pose) -> [f64; 16] {
    let [x, y, z] = world_from_a.rotation().to_cols_array_2d();
    let columns = [(x, 0.0), (y, 0.0), (z, 0.0), (world_from_a.translation().to_array(), 1.0)];
    let mut matrix = [0.0; 16];
    for (column, ([first, second, third], last)) in matrix.chunks_mut(4).zip(columns) {
        column.copy_from_slice(&[first, second, third, last].map(short));
    }
    matrix
}

fn distinct(contacts: &[TrianglePair], side: impl Fn(&TrianglePair) -> u32) -> Vec<u32> {
    let mut ids: Vec<u32> = contacts.iter().map(side).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The two ends of what a pair shares; a point and a coplanar patch are not drawn.
fn segment(pair: &Pair<'_>, contact: TrianglePair) -> Vec<f64> {
    match pair.overlap(contact).points() {
        ends @ [_, _] => ends.iter().flat_map(|end| end.to_array()).map(short).collect(),
        _ => Vec::new(),
    }
}

/// Five decimals: enough for a picture.
pub(super) fn short(value: f64) -> f64 {
    (value * 1e5).round() / 1e5
}

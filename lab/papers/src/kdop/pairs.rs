//! The pairs of volumes and of triangles that Algorithm 1 meets on the flights, collected so that
//! one kind of test can be timed alone.

use super::flights::Flight;
use nearhit::research::MeshExt;
use nearhit::research::build::BuildOptions;
use nearhit::research::build::build;
use nearhit::research::hierarchy::Tumbling;
use nearhit::research::hierarchy::{Content, Hierarchy};
use nearhit::research::volume::kdop::{KDop, KDopMotion};
use nearhit::research::volume::{BoundingVolume, Placement};
use nearhit::{Pose, Triangle};
use std::collections::HashMap;

/// What was met on one flight.
pub(super) struct Met<const N: usize> {
    /// A volume of the environment and one of the object, in the environment's frame.
    pub(super) volumes: Vec<(KDop<N>, KDop<N>)>,
    /// Triangles of two leaves, in one frame, whose boxes overlap.
    pub(super) triangles: Vec<(Triangle, Triangle)>,
    /// The object's tree, with its tumbling data.
    pub(super) object: Hierarchy<KDop<N>>,
    /// Volumes that were brought into the environment's frame: which motion, which node.
    pub(super) updates: Vec<(usize, u32)>,
    pub(super) motions: Vec<KDopMotion<N>>,
}

/// At most `poses` poses, evenly spaced.
pub(super) fn meet<const N: usize>(flight: &Flight, poses: usize) -> Met<N> {
    let flying = BuildOptions::new().leaf_size(BuildOptions::FLYING_LEAF_SIZE);
    let mut object: Hierarchy<KDop<N>> = build(&flight.object, &flying);
    object.set_tumbling(&flight.object, Tumbling { hull_levels: 0, corner_levels: u32::MAX });
    let environment: Hierarchy<KDop<N>> = build(&flight.environment, &BuildOptions::default());
    let mut met = Met { volumes: Vec::new(), triangles: Vec::new(), object, updates: Vec::new(), motions: Vec::new() };
    let every = flight.poses.len().div_ceil(poses).max(1);
    for pose in flight.poses.iter().step_by(every) {
        let placement = Placement::new(pose, flight.object.max_coordinate(), flight.environment.max_coordinate());
        met.motions.push(KDop::motion(&placement));
        descend(&mut met, &environment, flight, pose);
    }
    met
}

fn descend<const N: usize>(met: &mut Met<N>, environment: &Hierarchy<KDop<N>>, flight: &Flight, pose: &Pose) {
    let motion = met.motions.len() - 1;
    let mut placed: HashMap<u32, KDop<N>> = HashMap::new();
    let mut open = vec![(0, 0)];
    while let Some((a, b)) = open.pop() {
        let of_a = *placed.entry(a).or_insert_with(|| {
            met.updates.push((motion, a));
            met.object.place(a, &met.motions[motion])
        });
        let of_b = environment.node(b).volume;
        met.volumes.push((of_b, of_a));
        if of_b.disjoint(&of_a) {
            continue;
        }
        match (met.object.node(a).content(), environment.node(b).content()) {
            (_, Content::Children(children)) => open.extend(children.map(|b| (a, b))),
            (Content::Children(children), _) => open.extend(children.map(|a| (a, b))),
            (Content::Triangles(of_a), Content::Triangles(of_b)) => {
                for &j in environment.triangles(of_b) {
                    let posed = flight.environment.triangle(j).map(|corner| pose.apply(corner));
                    let near = met.object.triangles(of_a.clone()).iter().map(|&i| flight.object.triangle(i));
                    met.triangles.extend(near.filter(|t| boxes_overlap(t, &posed)).map(|t| (t, posed)));
                }
            }
        }
    }
}

fn boxes_overlap(a: &Triangle, b: &Triangle) -> bool {
    let bounds = |t: &Triangle| (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]));
    let ((low_a, high_a), (low_b, high_b)) = (bounds(a), bounds(b));
    low_a.cmple(high_b).all() && low_b.cmple(high_a).all()
}

//! Progressive refinement: two sphere-trees against each other, within a budget that the page
//! chooses.

use crate::answer::{self, Place};
use crate::scene::Scene;
use nearhit::report::{self, Placement};
use nearhit::research::RefinementExt;
use nearhit::research::SphereTreeExt;
use nearhit::research::sphere_tree::SphereMethod;
use nearhit::{Limit, Refinement, SpherePair, SphereTree};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Where, with which trees, and how long.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    places: [Place; 2],
    method: Method,
    budget: Amount,
    /// Also the balls of the level that meet nothing?
    #[serde(default)]
    whole: bool,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    Medial,
    Octree,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Amount {
    /// Tests of balls and triangles: the same everywhere.
    Work(u64),
    /// Microseconds.
    Us(f64),
}

/// What the page is told.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Told {
    /// Trees are being made: the share that is done.
    Building(f64),
    /// What is known.
    Known(Box<Known>),
}

/// Lengths in the world; balls in the frame of their body.
#[derive(Debug, Serialize)]
pub(crate) struct Known {
    /// Where the bodies are that this is about.
    places: [Place; 2],
    #[serde(flatten)]
    refinement: report::Refinement,
    deepest: u32,
    us: f64,
    /// Pairs of balls that meet.
    pairs: usize,
    /// The balls in them, of each body: centre and radius.
    meeting: [Vec<[f32; 4]>; 2],
    /// The others of the level, if they were asked for.
    others: [Vec<[f32; 4]>; 2],
}

pub(crate) fn refine(scene: &Scene, ask: &Ask) -> Result<Told, String> {
    let poses = answer::Ask { places: ask.places }.poses()?;
    let limit = match ask.budget {
        Amount::Work(units) => Limit::Work(units),
        Amount::Us(us) => Limit::microseconds(us).map_err(|error| error.to_string())?,
    };
    let method = match ask.method {
        Method::Medial => SphereMethod::Medial,
        Method::Octree => SphereMethod::Octree,
    };
    let [a, b] = &*scene.bodies;
    let placement = Placement::new(&a.model, &poses[0], &b.model, &poses[1]).map_err(|error| error.to_string())?;
    let trees = match scene.spheres(method) {
        Ok(trees) => trees,
        Err(share) => return Ok(Told::Building(share)),
    };
    let pair = SpherePair::new(*placement.pair(), &trees[0], &trees[1]);
    let mut refinement = Refinement::default();
    let start = Instant::now();
    let known = refinement.run(&pair, &limit.into());
    let us = start.elapsed().as_secs_f64() * 1e6;
    let meeting = [
        distinct(refinement.colliding().iter().map(|pair| pair.0)),
        distinct(refinement.colliding().iter().map(|pair| pair.1)),
    ];
    let others = |body: usize| match ask.whole {
        true => others(&trees[body], known.level, &meeting[body]),
        false => Vec::new(),
    };
    Ok(Told::Known(Box::new(Known {
        places: ask.places,
        refinement: report::Refinement::new(&placement, &known),
        deepest: trees.iter().map(|tree| tree.levels().len() as u32 - 1).max().unwrap_or(0),
        us,
        pairs: refinement.colliding().len(),
        others: [others(0), others(1)],
        meeting: [balls(&trees[0], &meeting[0]), balls(&trees[1], &meeting[1])],
    })))
}

/// Those of a level that are not among the meeting ones, which are sorted.
fn others(tree: &SphereTree, level: u32, meeting: &[u32]) -> Vec<[f32; 4]> {
    let level = (level as usize).min(tree.levels().len() - 1);
    let rest: Vec<u32> = tree.levels()[level].clone().filter(|index| meeting.binary_search(index).is_err()).collect();
    balls(tree, &rest)
}

fn balls(tree: &SphereTree, indices: &[u32]) -> Vec<[f32; 4]> {
    let ball = |&index: &u32| {
        let sphere = &tree.spheres()[index as usize];
        let [x, y, z] = sphere.center.to_array();
        [x, y, z, sphere.radius].map(|x| x as f32)
    };
    indices.iter().map(ball).collect()
}

fn distinct(indices: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut list: Vec<u32> = indices.collect();
    list.sort_unstable();
    list.dedup();
    list
}

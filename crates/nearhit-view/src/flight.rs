//! All poses of a case: clearances, contacts and times, for the plot of the clearance and to play
//! it.

use crate::answer::Place;
use crate::scene::Scene;
use nearhit::report::Work;
use nearhit::{Pair, Scratch, Settings, Tolerance};
use serde::Serialize;
use std::time::Instant;

/// One pose.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Moment {
    places: [Place; 2],
    distance: f64,
    contacts: usize,
    /// Of finding all contacts: the time that the k-DOP paper plots.
    us: f64,
    #[serde(flatten)]
    work: Work,
}

/// All poses, asked about once.
pub(crate) fn flight(scene: &Scene) -> &[Moment] {
    scene.flight.get_or_init(|| {
        let (settings, mut scratch) = (Settings::default(), Scratch::new());
        let [a, b] = &*scene.bodies;
        let moment = |poses: &[nearhit::Pose; 2]| {
            let pair = Pair::new(&a.model, &poses[0], &b.model, &poses[1]).ok()?;
            // The second time counts: memory is warm then, as along a real flight.
            let _ = pair.contacts(&settings, &mut scratch);
            let start = Instant::now();
            let contacts = pair.contacts(&settings, &mut scratch);
            let us = start.elapsed().as_secs_f64() * 1e6;
            let (work, contacts) = (Work::from(contacts.stats), contacts.pairs.len());
            let distance = match contacts {
                0 => pair.distance(Tolerance::EXACT, &settings, &mut scratch).upper,
                _ => 0.0,
            };
            Some(Moment { places: [Place::new(&poses[0]), Place::new(&poses[1])], distance, contacts, us, work })
        };
        scene.poses.iter().filter_map(moment).collect()
    })
}

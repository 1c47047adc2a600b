//! What the viewer's page may ask.

use crate::answer::{self, Place};
use crate::scene::Scene;
use crate::site::{Question, Reply, Site};
use crate::{compare, flight, likely, pages, refine, volumes};
use nearhit::research::VolumeKind;
use serde::Serialize;

impl Site for Scene {
    fn answer(&self, question: &Question) -> Option<Reply> {
        let path = question.path.as_str();
        if question.posted.is_none() {
            return match path {
                "/scene" => Some(Reply::json(Ok(Description::new(self)))),
                "/mesh/0" => Some(Reply::mesh(self.mesh(0))),
                "/mesh/1" => Some(Reply::mesh(self.mesh(1))),
                "/flight" => Some(Reply::json(Ok(flight::flight(self)))),
                _ => pages::view(path),
            };
        }
        match path {
            "/ask" => Some(Reply::json(question.json().and_then(|ask| answer::answer(self, &ask)))),
            "/volumes" => Some(Reply::json(question.json().and_then(|ask| volumes::drawn(self, &ask)))),
            "/compare" => Some(Reply::json(question.json().and_then(|ask| compare::compare(self, &ask)))),
            "/likely" => Some(Reply::json(question.json().and_then(|ask| likely::likely(self, &ask)))),
            "/refine" => Some(Reply::json(question.json().and_then(|ask| refine::refine(self, &ask)))),
            _ => None,
        }
    }
}

/// What the page begins with.
#[derive(Serialize)]
struct Description<'s> {
    names: [&'s str; 2],
    triangles: [usize; 2],
    places: [Place; 2],
    volumes: Vec<&'static str>,
    poses: usize,
}

impl<'s> Description<'s> {
    fn new(scene: &'s Scene) -> Self {
        let [a, b] = &*scene.bodies;
        let first = scene.poses.first().copied().unwrap_or([a.world_from_body, b.world_from_body]);
        Self {
            names: [&a.name, &b.name],
            triangles: [0, 1].map(|body| scene.mesh(body).triangles().len()),
            places: first.map(|pose| Place::new(&pose)),
            volumes: VolumeKind::ALL.iter().map(|kind| kind.name()).collect(),
            poses: scene.poses.len(),
        }
    }
}

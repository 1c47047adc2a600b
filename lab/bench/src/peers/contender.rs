//! Who takes part in a comparison: ours and the peers, all asked the same way.

use super::probes::Probes;
use anyhow::{Result, bail};
use nearhit::{Model, Pair, Preset, Scratch, Settings, Stats, Tolerance, Verdict};
use nearhit_cases::folder::{Case, Placed};
use std::time::Instant;

/// How long it took, and what came out: 0 or 1, a number of contacts, or a length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) microseconds: f64,
    pub(super) value: f64,
}

/// What both models cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    pub(super) milliseconds: f64,
    pub(super) bytes: usize,
}

pub(super) trait Contender {
    fn name(&self) -> &str;
    fn made(&self) -> Made;
    /// Answers for poses `first .. first + count`; nothing if it has no such question.
    fn ask(&mut self, question: &str, first: usize, count: usize) -> Result<Option<Vec<Answer>>>;
}

/// nearhit's quickest preset on all threads, and on one.
pub(super) fn fast_builds(case: &Case) -> Result<Vec<(String, Made)>> {
    let build = || {
        let meshes = (case.a.clone(), case.b.clone());
        let start = Instant::now();
        let models = [meshes.0, meshes.1].map(|mesh| Model::with_preset(mesh, Preset::Fast));
        let bytes = models.iter().map(Model::bytes).sum();
        Made { milliseconds: start.elapsed().as_secs_f64() * 1e3, bytes }
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    Ok(vec![("nearhit fast".to_owned(), build()), ("fast, one thread".to_owned(), one.install(build))])
}

/// nearhit, the default engine, one thread.
#[derive(Debug)]
pub(super) struct Ours<'c> {
    case: &'c Case,
    probes: &'c Probes,
    a: Model,
    b: Model,
    made: Made,
    scratch: Scratch,
    /// Of all answers so far.
    pub(super) stats: Stats,
}

impl<'c> Ours<'c> {
    pub(super) fn new(case: &'c Case, probes: &'c Probes) -> Self {
        let meshes = (case.a.clone(), case.b.clone());
        let start = Instant::now();
        let (a, b) = (Model::new(meshes.0), Model::new(meshes.1));
        let made = Made { milliseconds: start.elapsed().as_secs_f64() * 1e3, bytes: a.bytes() + b.bytes() };
        Self { case, probes, a, b, made, scratch: Scratch::new(), stats: Stats::default() }
    }

    fn about_the_pair(
        &mut self,
        question: &str,
        limit: Option<f64>,
        pose: usize,
        settings: &Settings<'_>,
    ) -> (f64, Settings<'static>) {
        let Placed { world_from_a, world_from_b, .. } = &self.case.poses[pose];
        let pair = Pair::new(&self.a, world_from_a, &self.b, world_from_b).expect("models of one engine in reach");
        let scratch = &mut self.scratch;
        let (value, stats, seed) = match (question, limit) {
            ("contacts", _) => {
                let contacts = pair.contacts(settings, scratch);
                (contacts.pairs.len() as f64, contacts.stats, None)
            }
            ("within", Some(limit)) => {
                let within = pair.within(limit, settings, scratch);
                (f64::from(within.verdict == Verdict::Yes), within.stats, None)
            }
            ("distance" | "warm", _) => {
                let distance = pair.distance(Tolerance::EXACT, settings, scratch);
                (distance.upper, distance.stats, Some(distance.seed()))
            }
            _ => {
                let collision = pair.collide(settings, scratch);
                (f64::from(collision.verdict == Verdict::Yes), collision.stats, None)
            }
        };
        self.stats += stats;
        (value, Settings::new().seed(seed))
    }
}

impl Contender for Ours<'_> {
    fn name(&self) -> &str {
        "nearhit"
    }

    fn made(&self) -> Made {
        self.made
    }

    fn ask(&mut self, question: &str, first: usize, count: usize) -> Result<Option<Vec<Answer>>> {
        let (question, parameter) = question.split_once(':').unwrap_or((question, ""));
        let limit = parameter.parse().ok();
        let mut settings = Settings::default();
        let mut answers = Vec::with_capacity(count);
        for index in first..first + count {
            let start = Instant::now();
            let value = match question {
                "collide" | "contacts" | "distance" | "within" | "warm" => {
                    let (value, next) = self.about_the_pair(question, limit, index, &settings);
                    if question == "warm" {
                        settings = next;
                    }
                    value
                }
                "ray" => self.a.first_hit(&self.probes.rays[index], &mut self.scratch).map_or(-1.0, |hit| hit.distance),
                "point" => self.a.closest_point(self.probes.points[index], &mut self.scratch)?.distance,
                _ => bail!("there is no question {question}"),
            };
            answers.push(Answer { microseconds: start.elapsed().as_secs_f64() * 1e6, value });
        }
        Ok(Some(answers))
    }
}

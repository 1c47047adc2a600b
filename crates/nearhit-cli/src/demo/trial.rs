//! Bounding volumes compared on the same poses: answers and cost.

use crate::run::{Answer, Measured, Plan, Query, Summary, measure};
use crate::volume::Engine;
use anyhow::{Result, bail};
use nearhit::research::VolumeKind;
use nearhit_cases::folder::Case;

/// One volume's results.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) volume: Engine,
    pub(super) collide: Asked,
    pub(super) contacts: Asked,
}

/// One query's results.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) summary: Summary,
    pub(super) answers: Vec<Answer>,
}

/// Flies the flight with the default engine and with every volume there is.
pub(super) fn all(case: &Case) -> Result<Vec<Trial>> {
    let trial = |volume: Engine| {
        let (collide, contacts) = (ask(case, Query::Collide, volume)?, ask(case, Query::Contacts, volume)?);
        Ok(Trial { volume, collide, contacts })
    };
    let classic = VolumeKind::ALL.iter().copied().map(Engine::from);
    std::iter::once(Engine::default()).chain(classic).map(trial).collect()
}

/// One query at every pose.
pub(super) fn ask(case: &Case, query: Query, volume: Engine) -> Result<Asked> {
    let plan = Plan::of(query, volume);
    let measured = measure(case, &plan)?;
    let summary = Summary::new(case, &plan, &measured);
    let Measured { answers, .. } = measured;
    Ok(Asked { summary, answers })
}

/// Whether all volumes give the same answers, and the two queries fit together.
pub(super) fn agree(trials: &[Trial]) -> Result<()> {
    let Some(first) = trials.first() else { return Ok(()) };
    for trial in trials {
        for pose in 0..first.collide.answers.len() {
            let answers = |trial: &Trial| (trial.collide.answers[pose].collides, trial.contacts.answers[pose].contacts);
            let (collides, contacts) = answers(trial);
            if answers(trial) != answers(first) || collides != contacts.map(|count| count > 0) {
                let (volume, reference) = (trial.volume, first.volume);
                bail!("{volume} and {reference} differ at pose {pose}: this is a bug in nearhit, please report it");
            }
        }
    }
    Ok(())
}

//! What is said when work runs out is true, and more work says no less.

use crate::setup::Setup;
use crate::surfaces::{Kind, kinds, model};
use nearhit::{Budget, Pair, Scratch, Settings, Stats, Tolerance};

/// Beyond a budget a query finishes what it has opened.
const FINISHED: u64 = 400;

fn units(stats: Stats) -> u64 {
    stats.volume_tests + stats.triangle_tests
}

pub(crate) fn budgets(setup: &Setup) -> Result<u64, String> {
    let Some(pose) = setup.pose() else { return Ok(0) };
    let (mut rng, mut scratch, mut count) = (setup.rng(), Scratch::new(), 0);
    let all: Vec<Kind> = kinds().collect();
    for _ in 0..3 {
        let kind = *rng.choice(&all);
        let (a, b) = (model(&setup.a, kind)?, model(&setup.b, kind)?);
        let pair = Pair::relative(&a, &b, &pose).map_err(|error| format!("{kind:?}: refused: {error}"))?;
        let truth = pair.distance(Tolerance::EXACT, &Settings::default(), &mut scratch).upper;
        let mut upper = f64::INFINITY;
        for work in [0, 1, 7, 20, 50, 200, 1000] {
            let settings = Settings::new().budget(Budget::work(work));
            let context = |text: String| format!("{kind:?}, work {work}, distance {truth}: {text}");
            let found = pair.distance(Tolerance::EXACT, &settings, &mut scratch);
            let is_right = found.lower <= truth && truth <= found.upper && found.upper <= upper;
            if !is_right || units(found.stats) > work + FINISHED {
                return Err(context(format!("{found:?}, before {upper}")));
            }
            upper = found.upper;
            let verdict = pair.collide(&settings, &mut scratch).verdict;
            if verdict.known().is_some_and(|touching| touching != (truth == 0.0)) {
                return Err(context(format!("collide {verdict:?}")));
            }
            let said = pair.assess(&settings, &mut scratch);
            let is_right = said.separation.lower <= truth && truth <= said.separation.upper;
            if !is_right || said.verdict.known().is_some_and(|touching| touching != (truth == 0.0)) {
                return Err(context(format!("{said:?}")));
            }
            let contacts = pair.contacts(&settings, &mut scratch);
            if !contacts.pairs.is_empty() && truth > 0.0
                || contacts.is_complete && contacts.pairs.is_empty() && truth == 0.0
            {
                return Err(context(format!("{contacts:?}")));
            }
            count += 4;
        }
    }
    Ok(count)
}

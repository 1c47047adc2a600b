//! The k-DOP paper (Klosowski, Held, Mitchell, Sowizral, Zikan 1998): its tables, its figure, and the questions it leaves open.
//!
//! The paper's data are not public; ours are generated and of the same kind and, at full scale, of the same sizes. So work counters and orderings are compared, not
//! milliseconds: the paper's are of a 195 MHz processor.

mod beyond;
mod costs;
mod early;
mod flights;
mod fly;
mod fronts;
mod memory;
mod orders;
mod pairs;
mod published;
mod rules;
mod spheres;
mod volumes;

use crate::report::{Claim, Report, Verdict};
use crate::scale::Scale;
use flights::Flight;

/// Runs every experiment of the paper.
#[must_use]
pub fn run(scale: Scale) -> Report {
    let mut report = Report::new("Efficient Collision Detection Using Bounding Volume Hierarchies of k-DOPs (1998)");
    report.text(
        "Queries are detect-and-report: all contacts. The paper's system is 18-DOPs, splatter, mean, τ = 1 for the environment and 40 for the flying object, hill climbing at \
         the root and re-bounded corners below, Algorithm 1. N_v, N_p and N_u are means per query.",
    );
    let all = flights::all(scale);
    report.append(costs::run(&all, scale));
    report.append(volumes::run(&all, scale));
    drop(all);
    report.append(spheres::run(scale));
    let small = flights::small(scale);
    report.append(rules::run(&small, scale));
    report.append(orders::run(&small));
    report.append(beyond::run(&small, scale));
    report.append(fronts::run(&small, scale));
    report.append(early::run(&small));
    report.append(memory::run(&small));
    report
}

/// A verdict that rests on work counters.
fn counted(place: &str, claim: &str, holds: Verdict, evidence: String) -> Claim {
    Claim { place: place.into(), claim: claim.into(), verdict: holds, evidence, counts_work: true }
}

/// A verdict that rests on time.
fn timed(place: &str, claim: &str, holds: Verdict, evidence: String) -> Claim {
    Claim { counts_work: false, ..counted(place, claim, holds, evidence) }
}

/// Holds for all, for some or for none.
fn of_share(holding: usize, all: usize) -> Verdict {
    match holding {
        0 => Verdict::Fails,
        _ if holding == all => Verdict::Holds,
        _ => Verdict::Differs,
    }
}

/// Names of the flights, as column headings after `first`.
fn flight_columns<'f>(first: &[&'f str], flights: &'f [Flight]) -> Vec<&'f str> {
    first.iter().copied().chain(flights.iter().map(|flight| flight.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claims that rest on counters repeat exactly: those that hold at this scale go on holding.
    #[test]
    fn counted_claims_that_held_still_hold() {
        let flights = flights::small(Scale::Quick);
        let mut report = volumes::run(&flights, Scale::Quick);
        for part in [
            spheres::globes(),
            orders::run(&flights),
            fronts::run(&flights, Scale::Quick),
            early::run(&flights),
            memory::run(&flights),
        ] {
            report.append(part);
        }
        let held = |part: &str| {
            report.claims().any(|c| c.counts_work && c.verdict == Verdict::Holds && c.claim.contains(part))
        };
        let lost: Vec<&str> = EXPECTED.iter().copied().filter(|part| !held(part)).collect();
        assert!(lost.is_empty(), "no longer so: {lost:#?}\n{}", crate::report::text::render(&report));
    }

    /// Parts of claims.
    const EXPECTED: &[&str] = &[
        "26 < 18 < 14 < 6",
        "14-, 18- and 26-DOP below OBB",
        "OBB lowest from",
        "OBB lowest at every",
        "widely different directions",
        "bounds how much penetration",
        "16k + 108 bytes",
    ];
}

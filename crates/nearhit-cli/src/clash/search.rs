//! Asks about all pairs of parts that are near each other.

use super::allow::Allowed;
use super::assembly::Assembly;
use super::finding::{Class, Finding};
use super::judge::{Judgement, Limits, judge};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use anyhow::{Context, Result};
use nearhit::scene::Bounds;
use nearhit::scene::broad::near_pairs;
use nearhit::{Body, Pair, Scratch, Settings};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What came of it.
#[derive(Debug)]
pub(super) struct Found {
    /// Worst first.
    pub(super) findings: Vec<Finding>,
    /// Pairs whose boxes are near each other.
    pub(super) near: usize,
    /// How many of them were asked about before Ctrl-C.
    pub(super) judged: usize,
    /// Findings that are allowed, and so not listed.
    pub(super) allowed: usize,
}

/// What is asked.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) limits: Limits,
    pub(super) allowed: Allowed,
    /// Classes that are not reported.
    pub(super) ignored: Vec<Class>,
}

/// Builds what is needed, and asks.
pub(super) fn search(assembly: &mut Assembly, request: &Request, interrupt: &Interrupt) -> Result<Found> {
    let boxes: Vec<Bounds> = assembly.parts.iter().map(|part| part.bounds).collect();
    let Limits { tolerance, clearance } = request.limits;
    // A little more than asked for: the difference of two rounded numbers is rounded.
    let pairs = near_pairs(&boxes, clearance.max(tolerance) * (1.0 + 1e-9));
    build(assembly, &pairs);
    let (judged, allowed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let progress = Progress::new(pairs.len() as u64, "pairs of parts");
    let ask = |scratch: &mut Scratch, &(a, b): &(usize, usize)| {
        if interrupt.is_set() {
            return Ok(None);
        }
        let found = about(assembly, [a, b], request.limits, interrupt, scratch)?;
        // An answer that may have been cut short is none.
        if interrupt.is_set() {
            return Ok(None);
        }
        judged.fetch_add(1, Ordering::Relaxed);
        progress.tick(Instant::now());
        let found = found.filter(|finding| !request.ignored.contains(&finding.class));
        let is_allowed = |finding: &Finding| request.allowed.allows(&finding.a, &finding.b);
        let (dropped, kept) = found.into_iter().partition::<Vec<Finding>, _>(is_allowed);
        allowed.fetch_add(dropped.len(), Ordering::Relaxed);
        Ok(kept.into_iter().next())
    };
    let findings: Vec<Option<Finding>> = pairs.par_iter().map_init(Scratch::new, ask).collect::<Result<_>>()?;
    let mut findings: Vec<Finding> = findings.into_iter().flatten().collect();
    findings.sort_by(Finding::before);
    Ok(Found { findings, near: pairs.len(), judged: judged.into_inner(), allowed: allowed.into_inner() })
}

fn build(assembly: &mut Assembly, pairs: &[(usize, usize)]) {
    let mut wanted = vec![false; assembly.shapes.len()];
    for part in pairs.iter().flat_map(|&(a, b)| [a, b]) {
        wanted[assembly.parts[part].shape] = true;
    }
    let progress = Progress::new(wanted.len() as u64, "shapes");
    assembly.build(&wanted, || progress.tick(Instant::now()));
}

fn about(
    assembly: &Assembly,
    parts: [usize; 2],
    limits: Limits,
    interrupt: &Interrupt,
    scratch: &mut Scratch,
) -> Result<Option<Finding>> {
    let [a, b] = parts.map(|part| &assembly.parts[part]);
    let names = || format!("{} and {}", a.name, b.name);
    let (Some(model_a), Some(model_b)) = (assembly.model(parts[0]), assembly.model(parts[1])) else { return Ok(None) };
    let pair = Pair::new(model_a, &a.world_from_shape, model_b, &b.world_from_shape).with_context(names)?;
    let settings = Settings { budget: interrupt.budget(), ..Settings::default() };
    let judgement = judge(&pair, limits, &settings, scratch).with_context(names)?;
    Ok(judgement.map(|Judgement { class, depth, gap, inside, points, contact }| Finding {
        class,
        a: a.name.clone(),
        b: b.name.clone(),
        depth: depth.map(|[found, _]| found),
        depth_at_most: depth.map(|[_, at_most]| at_most),
        gap,
        inside: inside.map(|body| if body == Body::A { a.name.clone() } else { b.name.clone() }),
        points: points.map(|point| a.world_from_shape.apply(point).to_array()),
        triangles: [contact[0].len(), contact[1].len()],
        contact,
        parts,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn an_interrupted_search_says_so() {
        let folder = std::env::temp_dir().join(format!("nearhit-clash-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        let files: Vec<PathBuf> = ["a.obj", "b.obj"].map(|name| folder.join(name)).to_vec();
        files.iter().for_each(|file| std::fs::write(file, triangle).expect("a writable folder"));
        let request = Request {
            limits: Limits { tolerance: 1e-6, clearance: 0.0 },
            allowed: Allowed::default(),
            ignored: Vec::new(),
        };
        let ask = |interrupt: &Interrupt| {
            let mut assembly = Assembly::read(&files).expect("two parts");
            let found = search(&mut assembly, &request, interrupt).expect("an answer");
            (found.near, found.judged, found.findings.len())
        };
        assert_eq!(ask(&Interrupt::default()), (1, 1, 1));
        assert_eq!(ask(&Interrupt::already_set()), (1, 0, 0));
        let _ = std::fs::remove_dir_all(&folder);
    }
}

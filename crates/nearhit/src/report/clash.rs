//! Clash detection: the findings of an assembly, with names.

use super::Overlap;
use crate::clash::{self, Assembly, Basis, Change, Class, Comparison, FindingId, KnownFinding};
use crate::query::Interval;
use std::ops::Index;

/// All findings. The report of [`Assembly::clashes`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Clash {
    /// How many parts.
    pub parts: usize,
    /// How many different meshes.
    pub shapes: usize,
    /// Triangles of all parts.
    pub triangles: u64,
    /// Parts no deeper in each other than this only touch.
    pub tolerance: f64,
    /// Parts closer than this are reported.
    pub clearance: f64,
    /// Pairs of parts whose boxes are near each other.
    pub pairs_near: usize,
    /// How many of those were judged: fewer after Ctrl-C.
    pub pairs_judged: usize,
    /// Was every pair judged?
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// Findings that rules allow, which are not listed.
    pub allowed: usize,
    /// Rules that allowed nothing.
    pub unused_rules: Vec<String>,
    /// How many findings of each class.
    pub counts: Counts,
    /// Worst first.
    pub findings: Vec<Finding>,
    /// Groups of findings, if asked for; absent otherwise.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub groups: Vec<Group>,
    /// What became of assertions, if there are any; absent otherwise.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub assertions: Vec<Assertion>,
    /// What changed since an earlier run, if there is one; absent otherwise.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub baseline: Option<Baseline>,
}

/// A group of findings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// Indices of findings, from 0.
    pub findings: Vec<usize>,
}

/// What became of an assertion.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Assertion {
    /// Its name.
    pub name: String,
    /// "holds", "violated" or "stale": no two parts have such names.
    pub standing: &'static str,
    /// How many pairs of parts it is about.
    pub pairs: usize,
    /// Names of the pair that violates it most.
    pub worst: Option<[String; 2]>,
    /// The signed distance of that pair, negative where the parts are in each other.
    pub distance: Option<Interval>,
}

/// What changed since an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Baseline {
    /// Findings that were not there.
    pub new: usize,
    /// Findings that have another class, depth, gap or place.
    pub changed: usize,
    /// Findings that are as they were.
    pub persistent: usize,
    /// Findings that are gone.
    pub resolved: Vec<Resolved>,
}

/// A finding of an earlier run that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Resolved {
    /// Its identity.
    pub id: String,
    /// Its class, by name.
    #[cfg_attr(feature = "serde", serde(serialize_with = "class_name"))]
    pub class: Class,
    /// The name of the first part.
    pub a: String,
    /// The name of the second part.
    pub b: String,
}

/// How many findings of each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Counts {
    /// Hard clashes.
    pub hard: usize,
    /// A part inside another.
    pub inside: usize,
    /// Parts in the same place.
    pub duplicate: usize,
    /// Pairs whose limit of work was reached.
    pub undecided: usize,
    /// Parts that touch.
    pub touching: usize,
    /// Parts closer than the clearance.
    pub close: usize,
}

impl Counts {
    fn new(report: &clash::Report) -> Self {
        let [hard, inside, duplicate, undecided, touching, close] =
            Class::ALL.map(|class| report.findings.iter().filter(|finding| finding.class == class).count());
        Self { hard, inside, duplicate, undecided, touching, close }
    }
}

impl Index<Class> for Counts {
    type Output = usize;

    fn index(&self, class: Class) -> &usize {
        match class {
            Class::Hard => &self.hard,
            Class::Inside => &self.inside,
            Class::Duplicate => &self.duplicate,
            Class::Undecided => &self.undecided,
            Class::Touching => &self.touching,
            Class::Close => &self.close,
        }
    }
}

/// Two parts that clash.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Finding {
    /// Its identity: the same for the same two names in every run. A UUID.
    pub id: String,
    /// How bad it is: "critical", "major", "minor" or "info".
    pub severity: &'static str,
    /// What became of it since an earlier run: "new", "changed" or "persistent". Absent without
    /// one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub change: Option<&'static str>,
    /// How they clash, by name: "hard", "inside", "duplicate", "undecided", "touching" or "close".
    #[cfg_attr(feature = "serde", serde(serialize_with = "class_name"))]
    pub class: Class,
    /// The name of the first part.
    pub a: String,
    /// The name of the second part.
    pub b: String,
    /// Are the surfaces within the tolerance of each other? Null where an undecided pair does not
    /// tell.
    pub touches: Option<bool>,
    /// Of a hard clash: a point of one surface is this deep inside the other part. Null where none
    /// is proven inside.
    pub depth: Option<f64>,
    /// No point is deeper than this. Null where that is not known.
    pub depth_at_most: Option<f64>,
    /// What the depth rests on: "exact", or "winding-number" where a mesh has holes.
    #[cfg_attr(feature = "serde", serde(rename = "depth_basis", serialize_with = "basis_name"))]
    pub basis: Option<Basis>,
    /// Of a hard clash no deeper than the facets of round surfaces are exact: a tolerance with
    /// which the parts only touch. Null otherwise.
    pub touching_with: Option<f64>,
    /// The distance of parts that do not touch.
    pub gap: Option<f64>,
    /// The name of the part that is inside the other.
    pub inside: Option<String>,
    /// What the parts have in common. Null where it was not sought: parts that only touch or are
    /// close, meshes with holes unless a least volume was given.
    pub overlap: Option<Overlap>,
    /// Names of further parts in the same place as a or b, of which the same is true.
    pub copies: Vec<String>,
    /// A point of a and one of b, in the world: the deepest or the closest.
    pub points: [[f64; 3]; 2],
    /// How many triangles of each touch the other part.
    pub triangles: [usize; 2],
    /// The depth or gap that the class is about.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub measure: Option<f64>,
}

impl Finding {
    fn new(assembly: &Assembly, report: &clash::Report, finding: &clash::Finding) -> Self {
        let name = |part: usize| assembly.parts()[part].name.clone();
        let [a, b] = finding.parts.map(|part| assembly.parts()[part].name.as_str());
        Self {
            id: FindingId::new(a, b).to_string(),
            severity: report.severity(assembly, finding).into(),
            change: None,
            class: finding.class,
            a: name(finding.parts[0]),
            b: name(finding.parts[1]),
            touches: finding.touches,
            depth: finding.depth,
            depth_at_most: finding.depth_at_most,
            basis: finding.basis,
            touching_with: finding.touching_with,
            gap: finding.gap,
            inside: finding.inside.map(name),
            overlap: finding.overlap.as_ref().map(|overlap| Overlap::of_parts(overlap, name)),
            copies: finding.copies.iter().map(|&part| name(part)).collect(),
            points: finding.points.map(|point| point.to_array()),
            triangles: [0, 1].map(|side| finding.triangles[side].len()),
            measure: finding.measure(),
        }
    }
}

impl Clash {
    /// Report of an assembly's findings, with the names of its parts.
    #[must_use]
    pub fn new(assembly: &Assembly, report: &clash::Report) -> Self {
        let count = |shape| assembly.shape_mesh(shape).map_or(0, |mesh| mesh.triangles().len() as u64);
        Self {
            parts: assembly.parts().len(),
            shapes: assembly.shape_count(),
            triangles: assembly.parts().iter().map(|part| count(part.shape)).sum(),
            tolerance: report.tolerance,
            clearance: report.clearance,
            pairs_near: report.pairs_near,
            pairs_judged: report.pairs_judged,
            is_complete: report.is_complete,
            allowed: report.allowed,
            unused_rules: report.unused_rules.clone(),
            counts: Counts::new(report),
            findings: report.findings.iter().map(|finding| Finding::new(assembly, report, finding)).collect(),
            groups: Vec::new(),
            assertions: Vec::new(),
            baseline: None,
        }
    }

    /// Adds groups of its findings.
    pub fn add_groups(&mut self, groups: &[clash::Group]) {
        let group = |group: &clash::Group| Group { name: group.name.clone(), findings: group.findings.clone() };
        self.groups.extend(groups.iter().map(group));
    }

    /// Adds what became of assertions.
    pub fn add_assertions(&mut self, assembly: &Assembly, asserted: &[clash::Asserted]) {
        let name = |part: usize| assembly.parts()[part].name.clone();
        self.assertions.extend(asserted.iter().map(|one| Assertion {
            name: one.name.clone(),
            standing: one.standing.into(),
            pairs: one.pairs,
            worst: one.worst.map(|(parts, _)| parts.map(name)),
            distance: one.worst.map(|(_, distance)| distance),
        }));
    }

    /// Adds what changed since an earlier run.
    pub fn compare(&mut self, before: &[KnownFinding]) {
        let known = |finding: &Finding| KnownFinding {
            class: finding.class,
            names: [finding.a.clone(), finding.b.clone()],
            measure: finding.measure,
            place: std::array::from_fn(|axis| 0.5 * finding.points[0][axis] + 0.5 * finding.points[1][axis]),
        };
        let now: Vec<KnownFinding> = self.findings.iter().map(known).collect();
        let compared = Comparison::new(before, &now, self.tolerance);
        for (finding, &change) in self.findings.iter_mut().zip(&compared.changes) {
            finding.change = Some(change.into());
        }
        let count = |wanted: Change| compared.changes.iter().filter(|&&change| change == wanted).count();
        let resolved = |&index: &usize| {
            let [a, b] = before[index].names.clone();
            Resolved { id: FindingId::new(&a, &b).to_string(), class: before[index].class, a, b }
        };
        self.baseline = Some(Baseline {
            new: count(Change::New),
            changed: count(Change::Changed),
            persistent: count(Change::Persistent),
            resolved: compared.resolved.iter().map(resolved).collect(),
        });
    }
}

#[cfg(feature = "serde")]
fn class_name<S: serde::Serializer>(class: &Class, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str((*class).into())
}

#[cfg(feature = "serde")]
fn basis_name<S: serde::Serializer>(basis: &Option<Basis>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&basis.map(<&str>::from), serializer)
}

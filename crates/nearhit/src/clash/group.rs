//! Groups of findings: by names, by place, by repetition; and parts in the same place as one.

use super::assembly::Assembly;
use super::finding::{Class, Finding, Report};
use crate::inside::Joined;
use crate::pose::Pose;
use glam::DVec3;
use std::collections::{BTreeMap, HashMap};

/// What findings are grouped by.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum GroupBy {
    /// The class and the two names without their numbers: `bolt_7` and `bolt_12` are `bolt_*`. Of
    /// paths the last name counts; of parts of IFC files, `IfcWall/name/identity`, their class.
    Names,
    /// Places no farther from each other than this, directly or by others in between.
    Place(f64),
    /// The same two shapes, placed in the same way beside each other: one clash, many times.
    Repetition,
}

/// A group of findings.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// What its findings have in common.
    pub name: String,
    /// By index in the report, in order.
    pub findings: Vec<usize>,
}

impl Report {
    /// Groups of findings. Every finding is in one; the largest group first.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/cube.rs"));
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::clash::{Assembly, GroupBy, Options};
    ///
    /// let mut assembly = Assembly::new();
    /// let shape = assembly.add_mesh(cube(1.0).mesh().clone());
    /// for number in 0..5 {
    ///     let x = 10.0 * f64::from(number);
    ///     assembly.add_part(format!("plate_{number}"), shape, at(x, 0.0, 0.0))?;
    ///     assembly.add_part(format!("bolt_{number}"), shape, at(x + 1.5, 0.25, 0.25))?;
    /// }
    /// let report = assembly.clashes(&Options::new())?;
    /// let groups = report.groups(&assembly, GroupBy::Repetition);
    /// assert_eq!((groups.len(), groups[0].findings.len()), (1, 5));
    /// assert_eq!(report.groups(&assembly, GroupBy::Names)[0].name, "hard: bolt_* and plate_*");
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "cluster")]
    #[must_use]
    pub fn groups(&self, assembly: &Assembly, by: GroupBy) -> Vec<Group> {
        let keys = match by {
            GroupBy::Names => self.findings.iter().map(|finding| names(assembly, finding)).collect(),
            GroupBy::Place(reach) => self.places(assembly, reach),
            GroupBy::Repetition => self.repetitions(assembly),
        };
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        keys.into_iter().enumerate().for_each(|(index, key)| groups.entry(key).or_default().push(index));
        let mut groups: Vec<Group> = groups.into_iter().map(|(name, findings)| Group { name, findings }).collect();
        groups.sort_by(|one, other| {
            (other.findings.len().cmp(&one.findings.len())).then(one.findings[0].cmp(&other.findings[0]))
        });
        groups
    }

    /// Named after the first finding of each.
    fn places(&self, assembly: &Assembly, reach: f64) -> Vec<String> {
        let places: Vec<DVec3> = self.findings.iter().map(Finding::place).collect();
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by(|&one, &other| places[one].x.total_cmp(&places[other].x));
        let mut joined = Joined::new(places.len());
        for (at, &one) in order.iter().enumerate() {
            let near = order[at + 1..].iter().take_while(|&&other| places[other].x - places[one].x <= reach);
            for &other in near {
                if (places[other] - places[one]).length() <= reach {
                    joined.join(one as u32, other as u32);
                }
            }
        }
        (0..places.len() as u32)
            .map(|index| {
                let first = joined.root(index) as usize;
                let [a, b] = self.findings[first].parts.map(|part| &assembly.parts()[part].name);
                format!("near {a} and {b} ({})", first + 1)
            })
            .collect()
    }

    fn repetitions(&self, assembly: &Assembly) -> Vec<String> {
        let same = 16.0 * self.tolerance;
        let mut known: HashMap<(Class, [usize; 2]), Vec<Placed>> = HashMap::new();
        let key = |(index, finding): (usize, &Finding)| {
            let [a, b] = finding.parts.map(|part| &assembly.parts()[part]);
            let (a, b) = if a.shape <= b.shape { (a, b) } else { (b, a) };
            let a_from_b = Pose::a_from_b(&a.world_from_shape, &b.world_from_shape);
            let turned = if a.shape == b.shape { a_from_b.inverse() } else { a_from_b };
            let reach = assembly.shape_mesh(b.shape).map_or(1.0, |mesh| mesh.max_coordinate());
            let alike = known.entry((finding.class, [a.shape, b.shape])).or_default();
            let is_alike =
                |(pose, _): &&Placed| is_near(pose, &a_from_b, reach, same) || is_near(pose, &turned, reach, same);
            let first = alike.iter().find(is_alike).map(|(_, first)| *first);
            let first = first.unwrap_or_else(|| {
                alike.push((a_from_b, index));
                index
            });
            format!("{} ({})", names(assembly, &self.findings[first]), first + 1)
        };
        self.findings.iter().enumerate().map(key).collect()
    }
}

/// How two shapes lie beside each other, and the first finding where they do.
type Placed = (Pose, usize);

/// Do two poses put every point within a reach to nearly the same place?
fn is_near(one: &Pose, other: &Pose, reach: f64, same: f64) -> bool {
    let moved = (one.translation() - other.translation()).length();
    let turned = one.rotation() - other.rotation();
    let column = |axis: usize| turned.col(axis).length();
    moved + reach * (column(0) + column(1) + column(2)) <= same
}

/// "hard: bolt_* and plate_*".
fn names(assembly: &Assembly, finding: &Finding) -> String {
    let mut stems = finding.parts.map(|part| stem(&assembly.parts()[part].name));
    stems.sort();
    format!("{}: {} and {}", finding.class, stems[0], stems[1])
}

/// Letters of the identities that IFC files give: 128 bits, six a letter.
const IFC_IDENTITY: usize = 22;

/// What a part is an example of: the class of IFC, or its last name without the number at its end.
fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let class = path.split('/').find(|name| name.starts_with("Ifc"));
    if let Some(class) = class.filter(|_| name.len() == IFC_IDENTITY) {
        return class.to_owned();
    }
    let short = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if short.len() == name.len() || short.is_empty() { name.to_owned() } else { format!("{short}*") }
}

/// Parts in the same place as one: of each set of copies only the first part's findings are kept,
/// and one finding that all of them are duplicates.
pub(super) fn fold_copies(findings: Vec<Finding>, parts: usize) -> Vec<Finding> {
    let mut joined = Joined::new(parts);
    for finding in findings.iter().filter(|finding| finding.class == Class::Duplicate) {
        let [first, second] = finding.parts;
        [second].iter().chain(&finding.copies).for_each(|&part| joined.join(first as u32, part as u32));
    }
    let mut known: HashMap<(Class, [u32; 2]), usize> = HashMap::new();
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let mut sets = finding.parts.map(|part| joined.root(part as u32));
        sets.sort_unstable();
        match known.get(&(finding.class, sets)) {
            Some(&first) => {
                let first = &mut kept[first];
                let others = finding.parts.into_iter().chain(finding.copies);
                first.copies.extend(others.filter(|part| !first.parts.contains(part)));
            }
            None => {
                known.insert((finding.class, sets), kept.len());
                kept.push(finding);
            }
        }
    }
    for finding in &mut kept {
        finding.copies.sort_unstable();
        finding.copies.dedup();
    }
    kept
}

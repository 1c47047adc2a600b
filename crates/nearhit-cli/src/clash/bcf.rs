//! Findings as a BCF file (BIM Collaboration Format 2.1 and 3.0 of buildingSMART): a topic with a
//! viewpoint and a snapshot for each, for tools that people coordinate with.
//!
//! Identities are those of the findings, so that a tool updates its topics instead of adding new
//! ones. Coordinates are in metres, as BCF wants them.

use super::snapshot::{ASPECT, Camera, FIELD_OF_VIEW};
use super::summary::{Summary, how_much, place, words};
use anyhow::{Context, Result};
use glam::DVec3;
use nearhit::clash::{Assembly, FindingId, Part};
use nearhit::report::Finding;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Which version of BCF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    /// 2.1, which nearly every tool reads.
    V21,
    /// 3.0.
    V30,
}

impl Version {
    fn name(self) -> &'static str {
        match self {
            Self::V21 => "2.1",
            Self::V30 => "3.0",
        }
    }
}

/// Of all findings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings<'s> {
    pub(super) version: Version,
    /// How many metres a unit of length of the assembly has.
    pub(super) metres: f64,
    /// When the topics were made: `2027-01-31T12:00:00Z`.
    pub(super) date: &'s str,
}

/// The seconds since 1970 as BCF writes a date, in UTC.
pub(super) fn date(seconds: u64) -> String {
    let (days, second) = ((seconds / 86_400) as i64, seconds % 86_400);
    // Days since 1970 as a date (Howard Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The whole file. The same findings and date give the same bytes.
pub(super) fn file(summary: &Summary<'_>, assembly: &Assembly, settings: Settings<'_>) -> Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // The first moment that such an archive can tell.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    let mut add = |name: &str, bytes: &[u8]| -> Result<()> {
        archive.start_file(name, options).with_context(|| name.to_owned())?;
        archive.write_all(bytes).with_context(|| name.to_owned())
    };
    add("bcf.version", version(settings.version).as_bytes())?;
    if settings.version == Version::V30 {
        add("extensions.xml", EXTENSIONS.as_bytes())?;
    }
    let parts: HashMap<&str, &Part> = assembly.parts().iter().map(|part| (part.name.as_str(), part)).collect();
    let view = |finding: &Finding| View::new(finding, assembly, &parts);
    for (chunk, findings) in summary.clash.findings.chunks(AT_ONCE).enumerate() {
        let pictures: Vec<Result<Vec<u8>>> = findings.par_iter().map(|finding| view(finding)?.snapshot()).collect();
        for (index, (finding, picture)) in findings.iter().zip(pictures).enumerate() {
            let markup = markup(chunk * AT_ONCE + index, finding, settings);
            add(&format!("{}/markup.bcf", finding.id), markup.as_bytes())?;
            let viewpoint = viewpoint(finding, view(finding)?.camera, settings);
            add(&format!("{}/viewpoint.bcfv", finding.id), viewpoint.as_bytes())?;
            add(&format!("{}/snapshot.png", finding.id), &picture?)?;
        }
    }
    Ok(archive.finish().context("the archive")?.into_inner())
}

/// So many pictures are held at once.
const AT_ONCE: usize = 256;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

const EXTENSIONS: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<Extensions>
  <TopicTypes><TopicType>Clash</TopicType></TopicTypes>
  <TopicStatuses><TopicStatus>Open</TopicStatus></TopicStatuses>
  <Priorities>
    <Priority>critical</Priority>
    <Priority>major</Priority>
    <Priority>minor</Priority>
    <Priority>info</Priority>
  </Priorities>
  <TopicLabels>
    <TopicLabel>hard</TopicLabel>
    <TopicLabel>inside</TopicLabel>
    <TopicLabel>duplicate</TopicLabel>
    <TopicLabel>undecided</TopicLabel>
    <TopicLabel>touching</TopicLabel>
    <TopicLabel>close</TopicLabel>
  </TopicLabels>
</Extensions>
";

fn version(version: Version) -> String {
    let name = version.name();
    match version {
        Version::V21 => {
            format!("{HEAD}<Version VersionId=\"{name}\"><DetailedVersion>{name}</DetailedVersion></Version>\n")
        }
        Version::V30 => format!("{HEAD}<Version VersionId=\"{name}\"/>\n"),
    }
}

const VIEW_FILES: &str = "<Viewpoint>viewpoint.bcfv</Viewpoint><Snapshot>snapshot.png</Snapshot>";

/// The identity of a finding's viewpoint.
fn view_id(finding: &Finding) -> FindingId {
    FindingId::new(&finding.id, "viewpoint")
}

/// The topic. The order of elements is that of the schema.
fn markup(index: usize, finding: &Finding, settings: Settings<'_>) -> String {
    let title = escaped(&format!("{}: {} and {}", words(finding.class), finding.a, finding.b));
    let (class, severity, date) = (finding.class, finding.severity, settings.date);
    let (labels, view) = match settings.version {
        Version::V21 => (
            format!("<Labels>{class}</Labels>"),
            format!("<Viewpoints Guid=\"{}\">{VIEW_FILES}</Viewpoints>", view_id(finding)),
        ),
        Version::V30 => (
            format!("<Labels><Label>{class}</Label></Labels>"),
            format!("<Viewpoints><ViewPoint Guid=\"{}\">{VIEW_FILES}</ViewPoint></Viewpoints>", view_id(finding)),
        ),
    };
    let mut text = format!(
        "{HEAD}<Markup>\n  <Topic Guid=\"{}\" TopicType=\"Clash\" TopicStatus=\"Open\">\n    <Title>{title}</Title>\n    \
         <Priority>{severity}</Priority>\n    <Index>{index}</Index>\n    {labels}\n    \
         <CreationDate>{date}</CreationDate>\n    <CreationAuthor>nearhit</CreationAuthor>\n    \
         <Description>{}</Description>\n",
        finding.id,
        escaped(&description(finding)),
    );
    // Viewpoints moved into the topic with version 3.
    text += &match settings.version {
        Version::V21 => format!("  </Topic>\n  {view}\n</Markup>\n"),
        Version::V30 => format!("    {view}\n  </Topic>\n</Markup>\n"),
    };
    text
}

fn description(finding: &Finding) -> String {
    let [x, y, z] = place(finding).map(crate::format::number);
    let much = how_much(finding);
    let much = if much.is_empty() { String::new() } else { format!("{much}. ") };
    format!("{much}At ({x}, {y}, {z}).")
}

/// Camera and components.
fn viewpoint(finding: &Finding, camera: Camera, settings: Settings<'_>) -> String {
    let mut text =
        format!("{HEAD}<VisualizationInfo Guid=\"{}\">\n  <Components>\n    <Selection>\n", view_id(finding));
    for name in [&finding.a, &finding.b].into_iter().chain(&finding.copies) {
        // Of a converted IFC file: class, name and identity.
        let last = name.rsplit('/').next().unwrap_or(name);
        let guid = if is_ifc_guid(last) { format!(" IfcGuid=\"{last}\"") } else { String::new() };
        let _ = writeln!(
            text,
            "      <Component{guid}><OriginatingSystem>nearhit</OriginatingSystem>\
             <AuthoringToolId>{}</AuthoringToolId></Component>",
            shown(name)
        );
    }
    text += "    </Selection>\n    <Visibility DefaultVisibility=\"true\"/>\n  </Components>\n  <PerspectiveCamera>\n";
    let Camera { eye, direction, up, .. } = camera;
    for (element, vector) in
        [("CameraViewPoint", eye * settings.metres), ("CameraDirection", direction), ("CameraUpVector", up)]
    {
        let DVec3 { x, y, z } = vector;
        let _ = writeln!(text, "    <{element}><X>{x:?}</X><Y>{y:?}</Y><Z>{z:?}</Z></{element}>");
    }
    let _ = writeln!(text, "    <FieldOfView>{FIELD_OF_VIEW}</FieldOfView>");
    if settings.version == Version::V30 {
        let _ = writeln!(text, "    <AspectRatio>{ASPECT}</AspectRatio>");
    }
    text + "  </PerspectiveCamera>\n</VisualizationInfo>\n"
}

/// A finding's two parts, the smaller first, and where they are seen from.
struct View<'a> {
    assembly: &'a Assembly,
    parts: [&'a Part; 2],
    camera: Camera,
}

impl<'a> View<'a> {
    /// From above and aside, far enough for the overlap and for a good part of the smaller part.
    fn new(finding: &Finding, assembly: &'a Assembly, parts: &HashMap<&str, &'a Part>) -> Result<Self> {
        let part = |name: &str| parts.get(name).copied().with_context(|| format!("{name}: no part"));
        let size = |part: &Part| (part.bounds.high - part.bounds.low).length();
        let mut parts = [part(&finding.a)?, part(&finding.b)?];
        parts.sort_by(|one, other| size(one).total_cmp(&size(other)));
        let own = finding.overlap.as_ref().and_then(|overlap| overlap.bounds);
        let own = own.map_or(0.0, |[low, high]| (DVec3::from_array(high) - DVec3::from_array(low)).length());
        let distance = (1.5 * own).max(0.6 * size(parts[0])).max(f64::MIN_POSITIVE);
        let direction = DVec3::new(-1.0, 1.5, -1.0).normalize();
        let up = direction.cross(DVec3::Z).normalize().cross(direction);
        let target = DVec3::from_array(place(finding));
        Ok(Self { assembly, parts, camera: Camera { eye: target - direction * distance, direction, up, target } })
    }

    fn snapshot(&self) -> Result<Vec<u8>> {
        let triangles = |part: &'a Part| {
            let mesh = self.assembly.shape_mesh(part.shape);
            let placed = move |corner: DVec3| part.world_from_shape.apply(corner);
            let all = mesh.into_iter().flat_map(|mesh| (0..mesh.triangles().len() as u32).map(|id| mesh.triangle(id)));
            all.map(move |triangle| triangle.map(placed))
        };
        let [smaller, larger] = self.parts;
        self.camera.png([&mut triangles(smaller), &mut triangles(larger)])
    }
}

/// Whether a name is an identity as IFC files have them: 22 digits of base 64.
fn is_ifc_guid(name: &str) -> bool {
    name.len() == 22
        && name.starts_with(['0', '1', '2', '3'])
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$')
}

/// A part's name as an identity; the schema refuses one of spaces alone.
fn shown(name: &str) -> String {
    let text = escaped(name);
    if text.trim().is_empty() { "unnamed".to_owned() } else { text }
}

/// As text between tags. What XML cannot say is replaced.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\t' | '\n' | '\r' => safe.push(' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_dates() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_868_799), "2000-02-29T23:59:59Z");
        assert_eq!(date(4_107_542_400), "2100-03-01T00:00:00Z");
    }

    #[test]
    fn names_are_text() {
        assert_eq!(escaped("a<b>&\"c\"\u{1}\n"), "a&lt;b&gt;&amp;&quot;c&quot;\u{fffd} ");
        assert_eq!([" \t ", "a"].map(shown), ["unnamed", "a"]);
        assert!(
            is_ifc_guid("2O2Fr$t4X7Zf8NOew3FLOH") && !is_ifc_guid("zO2Fr$t4X7Zf8NOew3FLOH") && !is_ifc_guid("bolt")
        );
    }
}

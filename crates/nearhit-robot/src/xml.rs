//! XML with lines, and a list of what was not understood.
//!
//! Document type definitions are refused, and with them entities that grow without end.

use crate::error::{Problem, RobotError};
use nearhit_io::XmlProblem;
use roxmltree::{Document, Node, TextPos};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Largest magnitude of a number in a robot's file: sums and products of such stay far from the
/// end of doubles.
pub(crate) const MAX_NUMBER: f64 = 1e12;

/// Something in a file that has no meaning here.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ignored {
    /// The file.
    pub path: PathBuf,
    /// Number of the line, from 1.
    pub line: usize,
    /// The element, as `<transmission name="elbow_motor">`.
    pub element: String,
    /// The element around it.
    pub within: String,
}

impl std::fmt::Display for Ignored {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}: {} in {} is ignored", self.path.display(), self.line, self.element, self.within)
    }
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, RobotError> {
    let not_text = |message: &str| RobotError::NotText { path: path.into(), message: message.into() };
    if let Err(error) = nearhit_io::check_regular(path) {
        return match error {
            nearhit_io::ReadError::Directory { .. } => Err(not_text("is a directory, not a file")),
            _ => Err(not_text("is not a regular file; copy its contents to a file first")),
        };
    }
    let bytes = std::fs::read(path).map_err(|error| RobotError::Io { path: path.into(), error })?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        not_text(&format!("line {line}: a byte is not UTF-8: save the file in that encoding"))
    })
}

pub(crate) fn parse<'t>(path: &Path, text: &'t str) -> Result<Document<'t>, RobotError> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(RobotError::NotText { path: path.into(), message: "the file is empty".into() });
    }
    Document::parse(text).map_err(|error| {
        let TextPos { row, col } = error.pos();
        // The message ends with its own words for the place.
        if matches!(&error, roxmltree::Error::UnknownNamespace(prefix, _) if prefix == "xacro") {
            return RobotError::Xacro { path: path.into(), line: row as usize };
        }
        let message = error.to_string().split(" at ").next().unwrap_or_default().to_owned();
        RobotError::Xml { path: path.into(), line: row as usize, column: col as usize, message }
    })
}

/// What is known of a file whose elements are read: its name, its lines, what was ignored.
pub(crate) struct Xml<'a> {
    pub(crate) path: &'a Path,
    ignored: RefCell<Vec<Ignored>>,
    /// Where lines end.
    ends: Vec<usize>,
}

impl<'a> Xml<'a> {
    pub(crate) fn new(path: &'a Path, text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at).collect();
        Self { path, ignored: RefCell::default(), ends }
    }

    pub(crate) fn into_ignored(self) -> Vec<Ignored> {
        self.ignored.into_inner()
    }

    pub(crate) fn line(&self, node: Node<'_, '_>) -> usize {
        let start = node.range().start;
        1 + self.ends.partition_point(|&end| end < start)
    }

    pub(crate) fn error(&self, node: Node<'_, '_>, problem: impl Into<Problem>) -> RobotError {
        let (path, line, element) = (self.path.into(), self.line(node), label(node));
        RobotError::Element { path, line, element, problem: problem.into() }
    }

    /// Notes an element that has no meaning here.
    pub(crate) fn ignore(&self, node: Node<'_, '_>) {
        let within = node.parent_element().map_or_else(String::new, label);
        let line = self.line(node);
        let ignored = Ignored { path: self.path.into(), line, element: label(node), within };
        self.ignored.borrow_mut().push(ignored);
    }

    pub(crate) fn attribute<'n>(&self, node: Node<'n, '_>, name: &'static str) -> Result<&'n str, RobotError> {
        let missing = || self.error(node, XmlProblem::Missing { what: format!("attribute {name:?}") });
        node.attribute(name).ok_or_else(missing)
    }

    /// The only element inside with this name.
    pub(crate) fn child<'n, 'i>(&self, node: Node<'n, 'i>, name: &'static str) -> Result<Node<'n, 'i>, RobotError> {
        let missing = || self.error(node, XmlProblem::Missing { what: format!("<{name}>") });
        self.optional(node, name)?.ok_or_else(missing)
    }

    /// The element inside with this name, of which there may be one.
    pub(crate) fn optional<'n, 'i>(
        &self,
        node: Node<'n, 'i>,
        name: &'static str,
    ) -> Result<Option<Node<'n, 'i>>, RobotError> {
        let mut found = named(node, name);
        let first = found.next();
        match found.next() {
            Some(second) => Err(self.error(second, XmlProblem::Twice { what: "element", id: name.to_owned() })),
            None => Ok(first),
        }
    }

    /// A finite number of an attribute.
    pub(crate) fn number(&self, node: Node<'_, '_>, name: &'static str) -> Result<f64, RobotError> {
        self.numbers::<1>(node, name).map(|[number]| number)
    }

    /// A finite number of an attribute that may be absent.
    pub(crate) fn number_or(&self, node: Node<'_, '_>, name: &'static str, otherwise: f64) -> Result<f64, RobotError> {
        if node.has_attribute(name) { self.number(node, name) } else { Ok(otherwise) }
    }

    /// A number that may be absent, and stands for the largest there is if it is larger: limits are
    /// often written so where there are none.
    pub(crate) fn wide_number_or(
        &self,
        node: Node<'_, '_>,
        name: &'static str,
        otherwise: f64,
    ) -> Result<f64, RobotError> {
        let Some(text) = node.attribute(name) else { return Ok(otherwise) };
        match text.trim().parse::<f64>() {
            Ok(value) if !value.is_nan() => Ok(value.clamp(-MAX_NUMBER, MAX_NUMBER)),
            _ => {
                let what = format!("attribute {name:?}");
                Err(self.error(node, XmlProblem::NotANumber { what, text: excerpt(text) }))
            }
        }
    }

    /// A length above 0.
    pub(crate) fn length(&self, node: Node<'_, '_>, name: &'static str) -> Result<f64, RobotError> {
        let value = self.number(node, name)?;
        let problem =
            || Problem::OutOfRange { what: format!("attribute {name:?}"), value, should: "it must be above 0" };
        if value > 0.0 { Ok(value) } else { Err(self.error(node, problem())) }
    }

    /// Exactly this many finite numbers of an attribute.
    pub(crate) fn numbers<const N: usize>(
        &self,
        node: Node<'_, '_>,
        name: &'static str,
    ) -> Result<[f64; N], RobotError> {
        let text = self.attribute(node, name)?;
        let what = || format!("attribute {name:?}");
        let mut numbers = [0.0; N];
        let mut found = 0;
        for word in text.split_ascii_whitespace() {
            let number = finite(word, what).map_err(|problem| self.error(node, problem))?;
            if let Some(place) = numbers.get_mut(found) {
                *place = number;
            }
            found += 1;
        }
        let problem = || Problem::Count { what: what(), expected: N, found };
        if found == N { Ok(numbers) } else { Err(self.error(node, problem())) }
    }
}

fn finite(word: &str, what: impl Fn() -> String) -> Result<f64, XmlProblem> {
    match word.parse::<f64>() {
        Err(_) => Err(XmlProblem::NotANumber { what: what(), text: excerpt(word) }),
        Ok(value) if value.abs() <= MAX_NUMBER => Ok(value),
        Ok(_) => Err(XmlProblem::NotFinite { what: what(), text: excerpt(word), limit: MAX_NUMBER }),
    }
}

/// Elements inside, without text and comments.
pub(crate) fn elements<'n, 'i>(node: Node<'n, 'i>) -> impl Iterator<Item = Node<'n, 'i>> {
    node.children().filter(Node::is_element)
}

/// Elements inside with this name.
pub(crate) fn named<'n, 'i>(node: Node<'n, 'i>, name: &'static str) -> impl Iterator<Item = Node<'n, 'i>> {
    elements(node).filter(move |child| child.has_tag_name(name))
}

/// As a message shows an element.
pub(crate) fn label(node: Node<'_, '_>) -> String {
    let tag = excerpt(node.tag_name().name());
    let key = ["name", "link", "joint", "filename", "link1"].into_iter().find(|&key| node.has_attribute(key));
    match key.and_then(|key| Some((key, node.attribute(key)?))) {
        Some((key, value)) => format!("<{tag} {key}={:?}>", excerpt(value)),
        None => format!("<{tag}>"),
    }
}

/// Texts of files are cut short in messages.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

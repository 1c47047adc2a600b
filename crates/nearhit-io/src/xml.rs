//! XML with lines: elements, attributes and lists of numbers, and where they are in the file.
//!
//! Document type definitions are refused, and with them entities that grow without end. Nothing
//! here calls itself: an element may be as deep as the file is long.

use crate::budget::Exceeded;
use crate::error::{LineProblem, ParseError, XmlProblem};
use crate::text::excerpt;
use nearhit::MAX_COORDINATE;
use roxmltree::{Document, Node, TextPos};

/// The text of a file: it must be UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, ParseError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        ParseError::Line { line, problem: LineProblem::NotUtf8 }
    })
}

pub(crate) fn parse(text: &str) -> Result<Document<'_>, ParseError> {
    Document::parse(text).map_err(|error| {
        let TextPos { row, col } = error.pos();
        // The message ends with its own words for the place.
        let message = error.to_string();
        let message = message.split(" at ").next().unwrap_or_default().to_owned();
        ParseError::Line { line: row as usize, problem: LineProblem::Xml { column: col as usize, message } }
    })
}

/// The outermost element, which must have this name.
pub(crate) fn root<'a, 'input>(
    document: &'a Document<'input>,
    expected: &'static str,
) -> Result<Node<'a, 'input>, ParseError> {
    let root = document.root_element();
    if root.tag_name().name() == expected { Ok(root) } else { Err(error(root, XmlProblem::Root { expected })) }
}

/// An element, for a message that may come when the document is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    line: usize,
    element: String,
}

/// Number of the line of a byte, from 1. Goes over the file: for errors only.
fn line(node: Node<'_, '_>, at: usize) -> usize {
    let before = node.document().input_text().as_bytes().iter().take(at);
    1 + before.filter(|&&byte| byte == b'\n').count()
}

/// Where the lines of a file end: for places that are noted before it is known that they are wrong.
#[derive(Debug)]
pub(crate) struct Lines {
    ends: Vec<usize>,
}

impl Lines {
    pub(crate) fn of(text: &str) -> Self {
        Self { ends: text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at).collect() }
    }

    pub(crate) fn place(&self, node: Node<'_, '_>) -> Place {
        let at = node.range().start;
        Place::at(node, 1 + self.ends.partition_point(|&end| end < at))
    }
}

impl Place {
    /// Goes over the file: for errors only.
    pub(crate) fn of(node: Node<'_, '_>) -> Self {
        Self::at(node, line(node, node.range().start))
    }

    fn at(node: Node<'_, '_>, line: usize) -> Self {
        let label = ["id", "name", "url", "objectid"].into_iter().find_map(|key| Some((key, node.attribute(key)?)));
        let tag = node.tag_name().name();
        let element = match label {
            Some((key, value)) => format!("<{tag} {key}={:?}>", excerpt(value.as_bytes())),
            None => format!("<{tag}>"),
        };
        Self { line, element }
    }

    pub(crate) fn error(&self, problem: XmlProblem) -> ParseError {
        ParseError::Element { line: self.line, element: self.element.clone(), problem }
    }
}

pub(crate) fn too_much(place: &Place, Exceeded { limit, length }: Exceeded) -> ParseError {
    place.error(XmlProblem::TooMuch { limit, length })
}

pub(crate) fn error(node: Node<'_, '_>, problem: XmlProblem) -> ParseError {
    Place::of(node).error(problem)
}

pub(crate) fn unsupported(node: Node<'_, '_>, what: impl Into<String>) -> ParseError {
    error(node, XmlProblem::Unsupported { what: what.into() })
}

/// Elements inside, without text and comments.
pub(crate) fn elements<'a, 'input>(node: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}

/// Elements inside with this name, whatever their namespace.
pub(crate) fn named<'a, 'input>(node: Node<'a, 'input>, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>> {
    elements(node).filter(move |child| child.tag_name().name() == name)
}

/// The first element inside with this name.
pub(crate) fn child<'a, 'input>(node: Node<'a, 'input>, name: &'static str) -> Result<Node<'a, 'input>, ParseError> {
    named(node, name).next().ok_or_else(|| error(node, XmlProblem::Missing { what: format!("<{name}>") }))
}

pub(crate) fn attribute<'a>(node: Node<'a, '_>, name: &'static str) -> Result<&'a str, ParseError> {
    let missing = || error(node, XmlProblem::Missing { what: format!("attribute {name:?}") });
    node.attribute(name).ok_or_else(missing)
}

/// A whole number of an attribute.
pub(crate) fn count(node: Node<'_, '_>, name: &'static str) -> Result<usize, ParseError> {
    let text = attribute(node, name)?;
    text.trim().parse().map_err(|_| {
        error(node, XmlProblem::NotACount { what: format!("attribute {name:?}"), text: excerpt(text.as_bytes()) })
    })
}

/// A finite number of an attribute.
pub(crate) fn number(node: Node<'_, '_>, name: &'static str) -> Result<f64, ParseError> {
    let text = attribute(node, name)?;
    finite(text.trim(), || format!("attribute {name:?}")).map_err(|problem| error(node, problem))
}

/// Exactly this many finite numbers of a text.
pub(crate) fn numbers<const N: usize>(node: Node<'_, '_>, text: &str) -> Result<[f64; N], ParseError> {
    let mut numbers = [0.0; N];
    let mut found = 0;
    for word in text.split_ascii_whitespace() {
        let number = finite(word, || format!("number {found}")).map_err(|problem| error(node, problem))?;
        if let Some(place) = numbers.get_mut(found) {
            *place = number;
        }
        found += 1;
    }
    if found == N { Ok(numbers) } else { Err(error(node, XmlProblem::Count { what: "numbers", expected: N, found })) }
}

/// The words of an element's text, all of it, each with what it takes to say where it is.
pub(crate) fn words<'a>(node: Node<'a, '_>) -> impl Iterator<Item = Word<'a>> {
    let texts = node.children().filter(Node::is_text);
    texts.flat_map(move |text| {
        let whole = text.text().unwrap_or_default();
        let start = text.range().start;
        whole.split_ascii_whitespace().map(move |word| {
            // Of one string: the difference is where the word is in it.
            let offset = word.as_ptr() as usize - whole.as_ptr() as usize;
            Word { text: word, at: start + offset }
        })
    })
}

/// A word of an element's text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    /// Where it is in the file, but for entities before it in the same text.
    at: usize,
}

impl Word<'_> {
    /// An error at this word, in `node`.
    pub(crate) fn error(&self, node: Node<'_, '_>, problem: XmlProblem) -> ParseError {
        Place { line: line(node, self.at.min(node.range().end)), ..Place::of(node) }.error(problem)
    }

    pub(crate) fn count(&self, node: Node<'_, '_>, what: &'static str) -> Result<usize, ParseError> {
        let problem = || XmlProblem::NotACount { what: what.to_owned(), text: excerpt(self.text.as_bytes()) };
        self.text.parse().map_err(|_| self.error(node, problem()))
    }

    pub(crate) fn finite(&self, node: Node<'_, '_>, what: &'static str) -> Result<f64, ParseError> {
        finite(self.text, || what.to_owned()).map_err(|problem| self.error(node, problem))
    }
}

pub(crate) fn finite(text: &str, what: impl Fn() -> String) -> Result<f64, XmlProblem> {
    match text.parse::<f64>() {
        Err(_) => Err(XmlProblem::NotANumber { what: what(), text: excerpt(text.as_bytes()) }),
        Ok(value) if value.abs() <= MAX_COORDINATE => Ok(value),
        Ok(_) => Err(XmlProblem::NotFinite { what: what(), text: excerpt(text.as_bytes()), limit: MAX_COORDINATE }),
    }
}

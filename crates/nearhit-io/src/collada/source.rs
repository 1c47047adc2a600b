//! The positions of a mesh: a list of numbers, and an accessor that says which are x, y and z.

use super::library::Library;
use crate::error::{ParseError, XmlProblem};
use crate::xml;
use roxmltree::Node;

/// The points of a `<vertices>` element.
pub(super) fn positions<'a, 'input>(
    vertices: Node<'a, 'input>,
    library: &Library<'a, 'input>,
) -> Result<Vec<[f64; 3]>, ParseError> {
    let is_position = |input: &Node<'_, '_>| input.attribute("semantic") == Some("POSITION");
    let input = xml::named(vertices, "input").find(is_position);
    let missing = || xml::error(vertices, XmlProblem::Missing { what: "<input semantic=\"POSITION\">".into() });
    points(library.named(input.ok_or_else(missing)?, "source", "source")?, library)
}

fn points<'a, 'input>(source: Node<'a, 'input>, library: &Library<'a, 'input>) -> Result<Vec<[f64; 3]>, ParseError> {
    let accessor = xml::child(xml::child(source, "technique_common")?, "accessor")?;
    let array = library.named(accessor, "source", "float_array")?;
    let numbers = numbers(array)?;
    let optional =
        |name, otherwise| if accessor.has_attribute(name) { xml::count(accessor, name) } else { Ok(otherwise) };
    let (count, stride, offset) = (xml::count(accessor, "count")?, optional("stride", 1)?, optional("offset", 0)?);
    let axes = axes(accessor, stride)?;
    let end = count.checked_mul(stride).and_then(|length| length.checked_add(offset)).unwrap_or(usize::MAX);
    if end > numbers.len() {
        let problem = XmlProblem::Count { what: "numbers in its array", expected: end, found: numbers.len() };
        return Err(xml::error(accessor, problem));
    }
    let used = numbers[offset..end].chunks_exact(stride);
    Ok(used.map(|chunk| axes.map(|axis| chunk[axis])).collect())
}

/// Places of x, y and z in each group of numbers: those with a name, as the specification says, or
/// the first three where there are not enough names.
fn axes(accessor: Node<'_, '_>, stride: usize) -> Result<[usize; 3], ParseError> {
    let params = xml::named(accessor, "param").enumerate();
    let named: Vec<usize> = params.filter(|(_, param)| param.has_attribute("name")).map(|(at, _)| at).collect();
    let axes = named.first_chunk::<3>().copied().unwrap_or([0, 1, 2]);
    if axes[2] >= stride {
        return Err(xml::error(
            accessor,
            XmlProblem::Count { what: "numbers for a point", expected: 3, found: stride },
        ));
    }
    Ok(axes)
}

fn numbers(array: Node<'_, '_>) -> Result<Vec<f64>, ParseError> {
    let mut numbers = Vec::new();
    for word in xml::words(array) {
        numbers.push(word.finite(array, "a coordinate")?);
    }
    let expected = xml::count(array, "count")?;
    let problem = XmlProblem::Count { what: "numbers", expected, found: numbers.len() };
    if expected == numbers.len() { Ok(numbers) } else { Err(xml::error(array, problem)) }
}

//! The transforms of a node, in the order of the file: the first is applied last.

use crate::error::ParseError;
use crate::xml;
use glam::{DAffine3, DMat3, DVec3};
use roxmltree::Node;

pub(super) fn parent_from_node(node: Node<'_, '_>) -> Result<DAffine3, ParseError> {
    let mut product = DAffine3::IDENTITY;
    for child in xml::elements(node) {
        let Some(step) = step(child)? else { continue };
        product *= step;
    }
    Ok(product)
}

/// None for an element that is no transform.
fn step(element: Node<'_, '_>) -> Result<Option<DAffine3>, ParseError> {
    let text = element.text().unwrap_or_default();
    Ok(Some(match element.tag_name().name() {
        "matrix" => matrix(element, xml::numbers(element, text)?)?,
        "translate" => DAffine3::from_translation(DVec3::from(xml::numbers::<3>(element, text)?)),
        "scale" => DAffine3::from_scale(DVec3::from(xml::numbers::<3>(element, text)?)),
        "rotate" => rotation(element, xml::numbers(element, text)?)?,
        "lookat" => look_at(element, xml::numbers(element, text)?)?,
        "skew" => return Err(xml::unsupported(element, "a skewed node")),
        _ => return Ok(None),
    }))
}

fn matrix(element: Node<'_, '_>, rows: [f64; 16]) -> Result<DAffine3, ParseError> {
    if rows[12..] != [0.0, 0.0, 0.0, 1.0] {
        return Err(xml::unsupported(element, format!("a matrix whose last row is {:?}", &rows[12..])));
    }
    let column = |index: usize| DVec3::new(rows[index], rows[4 + index], rows[8 + index]);
    Ok(DAffine3::from_mat3_translation(DMat3::from_cols(column(0), column(1), column(2)), column(3)))
}

/// About an axis, by degrees.
fn rotation(element: Node<'_, '_>, [x, y, z, degrees]: [f64; 4]) -> Result<DAffine3, ParseError> {
    let axis = DVec3::new(x, y, z);
    if degrees == 0.0 {
        return Ok(DAffine3::IDENTITY);
    }
    let unit = unit(axis).ok_or_else(|| xml::unsupported(element, format!("an axis of rotation {axis:?}")))?;
    Ok(DAffine3::from_mat3(DMat3::from_axis_angle(unit, degrees.to_radians())))
}

/// The node at `eye` with its -z axis towards `interest` and its y axis on the side of `up`.
fn look_at(element: Node<'_, '_>, numbers: [f64; 9]) -> Result<DAffine3, ParseError> {
    let [eye, interest, up] = [0, 3, 6].map(|at| DVec3::new(numbers[at], numbers[at + 1], numbers[at + 2]));
    let axes = || {
        let back = unit(eye - interest)?;
        let right = unit(unit(up)?.cross(back))?;
        Some(DMat3::from_cols(right, back.cross(right), back))
    };
    let axes = axes().ok_or_else(|| xml::unsupported(element, "a direction of view along its up vector, or none,"))?;
    Ok(DAffine3::from_mat3_translation(axes, eye))
}

/// Of length 1, whatever its length was, unless it has no direction.
fn unit(vector: DVec3) -> Option<DVec3> {
    let largest = vector.abs().max_element();
    // Scaled first: squares of large or small numbers leave the range.
    (largest > 0.0 && largest.is_finite()).then(|| (vector / largest).normalize())
}

//! Shapes: primitives, hulls, half-spaces, sets of pieces, and meshes beside them.

use crate::border::{array, guard, look, make, needed, needed_mut, release, text};
use crate::model::nearhit_model;
use crate::status::{Failure, nearhit_error, nearhit_status};
use nearhit::shape::{Shape, ShapeError};
use std::ffi::c_char;
use std::mem::MaybeUninit;

/// A solid primitive, a convex hull, a half-space, a point cloud, a height field, an octree, or a
/// mesh; with a margin that it is grown by. Never changes; any number of threads may use it at
/// once. Primitives lie about the origin of their frame; capsules, cylinders and cones along z.
/// Sizes are whole lengths, not halves. All are the caller's, to be freed with nearhit_shape_free.
#[derive(Debug)]
pub struct nearhit_shape(pub(crate) Shape);

/// Makes a handle of a shape.
fn made(
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
    shape: impl FnOnce() -> Result<Shape, ShapeError>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_shape(shape()?)))
}

/// A ball. The shape is the caller's, to be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_ball(
    radius: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    made(out, error, || Shape::ball(radius))
}

/// All points within `radius` of a segment of this length along z. The shape is the caller's, to be
/// freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_capsule(
    radius: f64,
    length: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    made(out, error, || Shape::capsule(radius, length))
}

/// A box by its whole sizes. The shape is the caller's, to be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_box(
    x: f64,
    y: f64,
    z: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    made(out, error, || Shape::cuboid([x, y, z]))
}

/// A cylinder about z. The shape is the caller's, to be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_cylinder(
    radius: f64,
    length: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    made(out, error, || Shape::cylinder(radius, length))
}

/// A truncated cone about z: radii of the bottom at -length / 2 and of the top at +length / 2. A
/// top of 0 is a cone. The shape is the caller's, to be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_cone(
    bottom: f64,
    top: f64,
    length: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    made(out, error, || Shape::truncated_cone(bottom, top, length))
}

/// An ellipsoid along the axes, by its radii. The shape is the caller's, to be freed with
/// nearhit_shape_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_ellipsoid(
    x: f64,
    y: f64,
    z: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    made(out, error, || Shape::ellipsoid([x, y, z]))
}

/// The convex hull of `count` points of three numbers, which are copied. They may coincide or lie
/// in a plane. The shape is the caller's, to be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_hull(
    points: *const f64,
    count: usize,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: three numbers for each point, as the caller promises.
        let points: &[[f64; 3]] = unsafe { array(points.cast(), count, "points") }?;
        Ok(nearhit_shape(Shape::hull(points)?))
    })
}

/// Everything with normal · x <= offset. `normal` has three numbers, and need not have length one.
/// The shape is the caller's, to be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_half_space(
    normal: *const f64,
    offset: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: three numbers, as the caller promises.
        let normal = unsafe { array(normal, 3, "normal") }?;
        Ok(nearhit_shape(Shape::half_space([normal[0], normal[1], normal[2]], offset)?))
    })
}

/// A point cloud: a ball about each of `count` points of three numbers, with one radius for all of
/// them (`radius_count` is 1) or one for each. Both are copied. The shape is the caller's, to be
/// freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_point_cloud(
    points: *const f64,
    count: usize,
    radii: *const f64,
    radius_count: usize,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: three numbers for each point, and so many radii, as the caller promises.
        let (points, radii): (&[[f64; 3]], _) =
            unsafe { (array(points.cast(), count, "points")?, array(radii, radius_count, "radii")?) };
        Ok(nearhit_shape(Shape::point_cloud(points, radii)?))
    })
}

/// A height field as a surface: `rows` rows of `columns` heights along z, which are copied. Column
/// j lies at x = j * spacing_x, row i at y = i * spacing_y. If `floor` is not NULL it is a solid:
/// everything between the surface and that height. The shape is the caller's, to be freed with
/// nearhit_shape_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_height_field(
    heights: *const f64,
    rows: usize,
    columns: usize,
    spacing_x: f64,
    spacing_y: f64,
    floor: Option<&f64>,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        let many = || Failure::size(format!("heights: {rows} rows of {columns} are more than memory holds"));
        // SAFETY: so many rows of so many numbers, as the caller promises.
        let heights = unsafe { array(heights, rows.checked_mul(columns).ok_or_else(many)?, "heights") }?;
        let spacing = [spacing_x, spacing_y];
        Ok(nearhit_shape(match floor {
            None => Shape::height_field(heights, columns, spacing)?,
            Some(&floor) => Shape::solid_height_field(heights, columns, spacing, floor)?,
        }))
    })
}

/// An octree, as a solid, of the cells of a grid that hold at least one of `count` points of three
/// numbers. Cell i of an axis goes from i * resolution to (i + 1) * resolution. The shape is the
/// caller's, to be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_octree(
    points: *const f64,
    count: usize,
    resolution: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: three numbers for each point, as the caller promises.
        let points: &[[f64; 3]] = unsafe { array(points.cast(), count, "points") }?;
        Ok(nearhit_shape(Shape::octree(points, resolution)?))
    })
}

/// An octree, as a solid, of `count` boxes of cells: six numbers each, the first cell along x, y
/// and z, then the last. The shape is the caller's, to be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_octree_of_cells(
    boxes: *const i32,
    count: usize,
    resolution: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: six numbers for each box, as the caller promises.
        let boxes: &[[[i32; 3]; 2]] = unsafe { array(boxes.cast(), count, "boxes") }?;
        Ok(nearhit_shape(Shape::octree_of_cells(boxes, resolution)?))
    })
}

/// A mesh: a surface, or a solid if `is_solid` is not zero. The shape shares the model; the
/// caller's handle stays the caller's. The shape is the caller's, to be freed with
/// nearhit_shape_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_mesh(
    model: Option<&nearhit_model>,
    is_solid: i32,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        let model = needed(model, "model")?.0.clone();
        Ok(nearhit_shape(if is_solid != 0 { Shape::solid(model) } else { Shape::mesh(model) }))
    })
}

/// A shape of a text (UTF-8) such as "ball:0.5", "capsule:0.1,1", "box:1,2,3+0.1" or
/// "half-space:0,0,1,0"; the error of one that is none has all forms. The shape is the caller's, to
/// be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_parse(
    written: *const c_char,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        // SAFETY: a text or NULL, as the caller promises.
        Ok(nearhit_shape(unsafe { text(written, "written") }?.parse()?))
    })
}

/// Another handle of the same shape. It is the caller's, to be freed with nearhit_shape_free.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_clone(
    shape: Option<&nearhit_shape>,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_shape(needed(shape, "shape")?.0.clone())))
}

/// The shape grown by a margin all around (padding, rounded edges), as a new one. It is the
/// caller's, to be freed with nearhit_shape_free; the one given stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_grown(
    shape: Option<&nearhit_shape>,
    margin: f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || Ok(nearhit_shape(needed(shape, "shape")?.0.clone().grown(margin)?)))
}

/// What a convex shape covers while it is moved by three numbers along a straight line, as a new
/// shape. It is the caller's, to be freed with nearhit_shape_free; the one given stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_swept(
    shape: Option<&nearhit_shape>,
    by: *const f64,
    out: Option<&mut MaybeUninit<*mut nearhit_shape>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    make(out, error, || {
        let shape = needed(shape, "shape")?.0.clone();
        // SAFETY: three numbers, as the caller promises.
        let by = unsafe { array(by, 3, "by") }?;
        Ok(nearhit_shape(shape.swept([by[0], by[1], by[2]])?))
    })
}

/// Frees a shape; NULL is allowed. Scenes and robots that have it keep it.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_free(shape: Option<Box<nearhit_shape>>) {
    release(shape);
}

/// Kind of shape: "ball", "capsule", "box", "cylinder", "cone", "ellipsoid", "hull", "sweep",
/// "half-space", "mesh", "point cloud", "height field" or "octree". The text is the library's and
/// lives as long as it is loaded. NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_name(shape: Option<&nearhit_shape>) -> *const c_char {
    const NAMES: [&std::ffi::CStr; 13] = [
        c"ball",
        c"capsule",
        c"box",
        c"cylinder",
        c"cone",
        c"ellipsoid",
        c"hull",
        c"sweep",
        c"half-space",
        c"mesh",
        c"point cloud",
        c"height field",
        c"octree",
    ];
    look(std::ptr::null(), || {
        let name = needed(shape, "shape").ok()?.0.name();
        let found = NAMES.iter().find(|known| known.to_bytes() == name.as_bytes());
        Some(found.map_or(c"shape".as_ptr(), |found| found.as_ptr()))
    })
}

/// What it is grown by: the radius of a ball or capsule. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nearhit_shape_margin(shape: Option<&nearhit_shape>) -> f64 {
    look(0.0, || Some(needed(shape, "shape").ok()?.0.margin()))
}

/// A box around the shape in its own frame: its lowest corner goes to `low`, its highest to `high`,
/// three numbers each. A half-space has none: NEARHIT_STATUS_SHAPE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nearhit_shape_bounds(
    shape: Option<&nearhit_shape>,
    low: Option<&mut MaybeUninit<[f64; 3]>>,
    high: Option<&mut MaybeUninit<[f64; 3]>>,
    error: Option<&mut MaybeUninit<nearhit_error>>,
) -> nearhit_status {
    guard(error, || {
        let (shape, low, high) = (needed(shape, "shape")?, needed_mut(low, "low")?, needed_mut(high, "high")?);
        let endless = || Failure::shape("a half-space has no end, and no box around it");
        let bounds = shape.0.bounds().ok_or_else(endless)?;
        low.write(bounds.0.to_array());
        high.write(bounds.1.to_array());
        Ok(())
    })
}

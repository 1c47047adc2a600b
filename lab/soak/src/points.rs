//! Points and rays against one mesh.

use crate::setup::{Setup, mesh};
use glam::DVec3;
use nearhit::{InsideMethod, Location, Model, Ray, Scratch};
use nearhit_testkit::ray::ray_meets;
use nearhit_testkit::{Soup, exact, solid};

fn model(soup: &Soup) -> Result<Model, String> {
    Ok(Model::new(mesh(soup)?))
}

pub(crate) fn closest(setup: &Setup) -> Result<u64, String> {
    let (model, mut scratch) = (model(&setup.a)?, Scratch::new());
    let found = model.closest_point(DVec3::from_array(setup.point), &mut scratch).map_err(|error| error.to_string())?;
    let square = solid::squared_distances(&setup.a, setup.point).into_iter().min().ok_or("no triangles")?;
    let size = setup.a.vertices.iter().chain([&setup.point]).flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let error = nearhit::research::primitive::distance::error_bound(size);
    let (low, high) = ((found.distance - error).next_down(), (found.distance + error).next_up());
    let is_right = exact::square_of(high) >= square && (low <= 0.0 || exact::square_of(low) <= square);
    if !is_right || (found.distance == 0.0) != square.is_zero() {
        return Err(format!("{found:?}, the square is {square}"));
    }
    Ok(1)
}

pub(crate) fn rays(setup: &Setup) -> Result<u64, String> {
    let (model, mut scratch) = (model(&setup.a)?, Scratch::new());
    let (origin, direction) = (DVec3::from_array(setup.point), DVec3::from_array(setup.direction));
    let ray = Ray::new(origin, direction).map_err(|error| error.to_string())?;
    let hits = model.all_hits(&ray, &mut scratch).to_vec();
    let mut found: Vec<u32> = hits.iter().map(|hit| hit.triangle).collect();
    found.sort_unstable();
    let expected: Vec<u32> = (setup.a.corners().enumerate())
        .filter_map(|(index, corners)| ray_meets(setup.point, setup.direction, &corners).then_some(index as u32))
        .collect();
    if found != expected {
        return Err(format!("{found:?} instead of {expected:?}"));
    }
    let first = model.first_hit(&ray, &mut scratch);
    if first != hits.first().copied() || hits.iter().any(|hit| hit.distance.is_nan() || hit.distance < 0.0) {
        return Err(format!("first {first:?} of {hits:?}"));
    }
    Ok(2)
}

/// Winding numbers of closed meshes, exactly.
pub(crate) fn contains(setup: &Setup) -> Result<u64, String> {
    let (model, mut scratch) = (model(&setup.a)?, Scratch::new());
    let found = model.contains(DVec3::from_array(setup.point), &mut scratch).map_err(|error| error.to_string())?;
    let on_surface = solid::squared_distances(&setup.a, setup.point).into_iter().any(|square| square.is_zero());
    if (found.location == Location::Surface) != on_surface {
        return Err(format!("{found:?}, on the surface: {on_surface}"));
    }
    if found.method == InsideMethod::Exact && !on_surface {
        let winding = solid::exact_winding_number(&setup.a, setup.point).map(f64::from);
        if found.winding.map(f64::abs) != winding.map(f64::abs) {
            return Err(format!("{found:?}, it winds {winding:?} times"));
        }
    }
    Ok(1)
}

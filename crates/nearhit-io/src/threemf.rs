//! 3MF: an archive with a model, or several: objects that are meshes or made of others, and a build
//! that shows them.

mod archive;
mod build;
mod model;

use crate::assembly::Assembly;
use crate::budget::Budget;
use crate::error::ParseError;
use crate::format::{Parse, Reader};
use crate::part::Part;
use crate::units::Units;
use archive::Archive;
use std::path::Path;

pub(crate) const READER: Reader = Reader { name: "3MF", extensions: &["3mf"], parse: Parse::Parts { placed, shared } };

fn placed(bytes: &[u8], _: Option<&Path>) -> Result<(Vec<Part>, Units), ParseError> {
    let mut budget = Budget::new(bytes.len() as u64);
    build::placing(&mut Archive::open(bytes)?, &mut budget)?.parts(&mut budget)
}

fn shared(bytes: &[u8], _: Option<&Path>) -> Result<(Assembly, Units), ParseError> {
    let mut budget = Budget::new(bytes.len() as u64);
    build::placing(&mut Archive::open(bytes)?, &mut budget)?.assembly(&mut budget)
}

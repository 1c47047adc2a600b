//! Reads numbers through accessors and buffer views, every range checked before a byte is touched.

use super::buffers::Buffers;
use super::document::{Accessor, Document, Sparse};
use super::{error, get};
use crate::error::{GltfPlace, GltfProblem, ParseError};
use crate::text::excerpt;

/// What an accessor is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Positions,
    Indices,
}

/// The document with its buffers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access<'a> {
    pub(super) document: &'a Document,
    pub(super) buffers: &'a Buffers<'a>,
}

/// Elements at equal distances in bytes.
struct Elements<'a> {
    bytes: &'a [u8],
    stride: usize,
    component: Component,
}

/// Which bytes are asked for.
struct Request {
    view: usize,
    offset: u64,
    count: u64,
    component: Component,
    width: usize,
    /// Of the accessor that asks.
    place: GltfPlace,
}

impl<'a> Access<'a> {
    /// How many elements the accessor has, as it says.
    pub(super) fn count(&self, index: usize, place: GltfPlace) -> Result<u64, ParseError> {
        get(&self.document.accessors, "accessor", index, place).map(|accessor| accessor.count)
    }

    /// All elements, of `WIDTH` numbers each. Without a buffer view there are as many as the
    /// accessor says: the caller has checked that this is not too many.
    pub(super) fn read<const WIDTH: usize>(
        &self,
        index: usize,
        purpose: Purpose,
    ) -> Result<Vec<[f64; WIDTH]>, ParseError> {
        let place = GltfPlace::Accessor(index);
        let accessor = get(&self.document.accessors, "accessor", index, place)?;
        let component = check_type(accessor, purpose).map_err(|message| error(place, problem(message)))?;
        let count = accessor.count;
        let mut values = match (accessor.buffer_view, &accessor.sparse) {
            (Some(view), _) => {
                let request = Request { view, offset: accessor.byte_offset, count, component, width: WIDTH, place };
                self.elements(&request)?.read(count, accessor.normalized)
            }
            (None, Some(_)) => vec![[0.0; WIDTH]; count as usize],
            (None, None) => {
                return Err(error(place, problem("it has no buffer view: all its numbers would be zero".into())));
            }
        };
        if let Some(sparse) = &accessor.sparse {
            self.replace(&mut values, sparse, (component, accessor.normalized), place)?;
        }
        Ok(values)
    }

    fn replace<const WIDTH: usize>(
        &self,
        values: &mut [[f64; WIDTH]],
        sparse: &Sparse,
        (component, normalized): (Component, bool),
        place: GltfPlace,
    ) -> Result<(), ParseError> {
        let (count, length) = (sparse.count, values.len());
        if count > length as u64 {
            return Err(error(place, problem(format!("it replaces {count} elements, but it has {length}"))));
        }
        let (indices, replacements) = (&sparse.indices, &sparse.values);
        let index_component = Component::from_code(indices.component_type)
            .filter(|component| component.is_index())
            .ok_or_else(|| error(place, problem(wrong_component(indices.component_type, "sparse indices"))))?;
        let (view, offset) = (indices.buffer_view, indices.byte_offset);
        let request = Request { view, offset, count, component: index_component, width: 1, place };
        let indices = self.elements(&request)?.read::<1>(count, false);
        let (view, offset) = (replacements.buffer_view, replacements.byte_offset);
        let request = Request { view, offset, count, component, width: WIDTH, place };
        let replacements = self.elements(&request)?.read(count, normalized);
        for ([index], replacement) in indices.into_iter().zip(replacements) {
            let value = values.get_mut(index as usize).ok_or_else(|| {
                error(place, problem(format!("it replaces element {index}, but it has {length} (numbered from 0)")))
            })?;
            *value = replacement;
        }
        Ok(())
    }

    fn elements(&self, request: &Request) -> Result<Elements<'a>, ParseError> {
        let place = request.place;
        let view = get(&self.document.buffer_views, "buffer view", request.view, place)?;
        let bytes = self.view(request.view)?;
        let size = (request.component.size() * request.width) as u64;
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            let message = format!("its elements have {size} bytes, but its buffer view a stride of {stride}");
            return Err(error(place, problem(message)));
        }
        let last = request.count.saturating_sub(1);
        let length = if request.count == 0 { 0 } else { last.saturating_mul(stride).saturating_add(size) };
        let bytes = slice(bytes, request.offset, length)
            .ok_or_else(|| out_of_bounds(place, (request.offset, length), "its buffer view", bytes.len()))?;
        // One element needs no stride; more have been found to fit into memory.
        Ok(Elements { bytes, stride: usize::try_from(stride).unwrap_or(usize::MAX), component: request.component })
    }

    fn view(&self, index: usize) -> Result<&'a [u8], ParseError> {
        let place = GltfPlace::BufferView(index);
        let view = get(&self.document.buffer_views, "buffer view", index, place)?;
        let declared = get(&self.document.buffers, "buffer", view.buffer, place)?;
        let bytes = self.buffers.get(view.buffer).unwrap_or_default();
        // Loading has checked that there are as many bytes as declared.
        let bytes = slice(bytes, 0, declared.byte_length).unwrap_or(bytes);
        slice(bytes, view.byte_offset, view.byte_length).ok_or_else(|| {
            let of = format!("buffer {}", view.buffer);
            out_of_bounds(place, (view.byte_offset, view.byte_length), &of, bytes.len())
        })
    }
}

fn slice(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    bytes.get(usize::try_from(offset).ok()?..end)
}

fn problem(message: String) -> GltfProblem {
    GltfProblem::Accessor { message }
}

fn out_of_bounds(place: GltfPlace, (offset, size): (u64, u64), of: &str, length: usize) -> ParseError {
    error(place, GltfProblem::OutOfBounds { end: offset.saturating_add(size), of: of.into(), length })
}

fn check_type(accessor: &Accessor, purpose: Purpose) -> Result<Component, String> {
    let (shape, what) = match purpose {
        Purpose::Positions => ("VEC3", "positions"),
        Purpose::Indices => ("SCALAR", "indices"),
    };
    if *accessor.shape != *shape {
        return Err(format!("its type is {:?}, but {what} are {shape:?}", excerpt(accessor.shape.as_bytes())));
    }
    let fits = |component: &Component| match purpose {
        Purpose::Positions => *component != Component::U32,
        Purpose::Indices => component.is_index(),
    };
    let component = Component::from_code(accessor.component_type).filter(fits);
    component.ok_or_else(|| wrong_component(accessor.component_type, what))
}

fn wrong_component(code: u32, what: &str) -> String {
    format!("its component type is {code}, which {what} cannot have")
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    fn is_index(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }

    /// What 1 is written as where integers stand for fractions.
    fn one(self) -> f64 {
        match self {
            Self::I8 => f64::from(i8::MAX),
            Self::U8 => f64::from(u8::MAX),
            Self::I16 => f64::from(i16::MAX),
            Self::U16 => f64::from(u16::MAX),
            Self::U32 | Self::F32 => 1.0,
        }
    }

    /// The number in the first bytes of at least as many as it needs.
    #[inline]
    fn read(self, bytes: &[u8]) -> f64 {
        match self {
            Self::I8 => f64::from(i8::from_le_bytes(first(bytes))),
            Self::U8 => f64::from(u8::from_le_bytes(first(bytes))),
            Self::I16 => f64::from(i16::from_le_bytes(first(bytes))),
            Self::U16 => f64::from(u16::from_le_bytes(first(bytes))),
            Self::U32 => f64::from(u32::from_le_bytes(first(bytes))),
            Self::F32 => f64::from(f32::from_le_bytes(first(bytes))),
        }
    }
}

#[inline]
fn first<const SIZE: usize>(bytes: &[u8]) -> [u8; SIZE] {
    std::array::from_fn(|place| bytes[place])
}

impl Elements<'_> {
    fn read<const WIDTH: usize>(&self, count: u64, normalized: bool) -> Vec<[f64; WIDTH]> {
        let size = self.component.size();
        let starts = (0..count as usize).map(|index| index * self.stride);
        let read = |start: usize| -> [f64; WIDTH] {
            std::array::from_fn(|place| self.component.read(&self.bytes[start + place * size..]))
        };
        let one = self.component.one();
        match normalized {
            false => starts.map(read).collect(),
            // The most negative integer stands for -1, as the one above it does.
            true => starts.map(|start| read(start).map(|number| (number / one).max(-1.0))).collect(),
        }
    }
}

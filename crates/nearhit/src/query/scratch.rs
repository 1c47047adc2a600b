//! Working memory of queries, owned by the caller.

use super::{Agendas, NearPair, TrianglePair};
use crate::hierarchy::Climbs;
use crate::traverse::Memo;
use std::any::{Any, TypeId};

/// Working memory for queries: make one per thread and hand it to every query. It grows to what the
/// largest query needs and stays there; it never influences an answer.
#[derive(Debug, Default)]
pub struct Scratch {
    /// What rooms above this one need, and one [`Memo`] for each type of placed volume met so far:
    /// by type.
    rooms: Vec<(TypeId, Box<dyn Any + Send>)>,
    agendas: Agendas,
    climbs: Climbs,
    packed: crate::packed::Room,
    pub(super) found: Vec<TrianglePair>,
    pub(super) near: Vec<NearPair>,
}

impl Scratch {
    /// Empty working memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What the default engine needs.
    pub(super) fn packed_parts(&mut self) -> (&mut Agendas, &mut crate::packed::Room) {
        (&mut self.agendas, &mut self.packed)
    }

    /// The memory for placed volumes of type `P`, the agendas, and where climbs ended.
    pub(super) fn parts<P: Send + 'static>(&mut self) -> (&mut Memo<P>, &mut Agendas, &mut Climbs) {
        let index = self.index_of::<Memo<P>>();
        (typed(&mut self.rooms[index].1), &mut self.agendas, &mut self.climbs)
    }

    /// The working memory of type `T`, made when it is first asked for.
    pub(crate) fn room<T: Default + Send + 'static>(&mut self) -> &mut T {
        let index = self.index_of::<T>();
        typed(&mut self.rooms[index].1)
    }

    /// Two of them, of different types.
    pub(crate) fn rooms<T: Default + Send + 'static, U: Default + Send + 'static>(&mut self) -> (&mut T, &mut U) {
        let indices = [self.index_of::<T>(), self.index_of::<U>()];
        let [one, other] = self.rooms.get_disjoint_mut(indices).expect("the types are different");
        (typed(&mut one.1), typed(&mut other.1))
    }

    fn index_of<T: Default + Send + 'static>(&mut self) -> usize {
        let id = TypeId::of::<T>();
        let known = self.rooms.iter().position(|(known, _)| *known == id);
        known.unwrap_or_else(|| {
            self.rooms.push((id, Box::<T>::default()));
            self.rooms.len() - 1
        })
    }
}

fn typed<T: 'static>(room: &mut Box<dyn Any + Send>) -> &mut T {
    room.downcast_mut().expect("found by its type")
}

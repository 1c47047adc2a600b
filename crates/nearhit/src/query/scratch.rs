//! Working memory of queries, owned by the caller.

use super::assess::Rooms;
use super::{Agendas, NearPair, TrianglePair};
use crate::traverse::Memo;
use std::any::{Any, TypeId};

/// Working memory for queries: make one per thread and hand it to every query. It grows to what the largest query needs and stays there;
/// it never influences an answer.
#[derive(Debug, Default)]
pub struct Scratch {
    /// One [`Memo`] for each type of placed volume met so far.
    memos: Vec<(TypeId, Box<dyn Any + Send>)>,
    agendas: Agendas,
    packed: crate::packed::Room,
    pub(super) found: Vec<TrianglePair>,
    pub(super) near: Vec<NearPair>,
    assess: Rooms,
    /// For average-case questions.
    pub(crate) adb: crate::critical::adb::Room,
    /// For points, rays and solids.
    pub(crate) solid: crate::solid::Room,
}

impl Scratch {
    /// Empty.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What the default engine needs.
    pub(super) fn packed_parts(&mut self) -> (&mut Agendas, &mut crate::packed::Room) {
        (&mut self.agendas, &mut self.packed)
    }

    /// The memory for placed volumes of type `P`, and the agendas.
    pub(super) fn parts<P: Send + 'static>(&mut self) -> (&mut Memo<P>, &mut Agendas) {
        let (memo, agendas, _) = self.all_parts();
        (memo, agendas)
    }

    /// The memory for placed volumes of type `P`, and that of assessments.
    pub(super) fn assess_parts<P: Send + 'static>(&mut self) -> (&mut Memo<P>, &mut Rooms) {
        let (memo, _, rooms) = self.all_parts();
        (memo, rooms)
    }

    /// The memory for placed volumes of type `P`, and that of average-case questions.
    pub(crate) fn adb_parts<P: Send + 'static>(&mut self) -> (&mut Memo<P>, &mut crate::critical::adb::Room) {
        let index = self.memo_index::<P>();
        (self.memos[index].1.downcast_mut().expect("found by its type"), &mut self.adb)
    }

    fn all_parts<P: Send + 'static>(&mut self) -> (&mut Memo<P>, &mut Agendas, &mut Rooms) {
        let index = self.memo_index::<P>();
        let memo = self.memos[index].1.downcast_mut().expect("found by its type");
        (memo, &mut self.agendas, &mut self.assess)
    }

    fn memo_index<P: Send + 'static>(&mut self) -> usize {
        let id = TypeId::of::<P>();
        let known = self.memos.iter().position(|(known, _)| *known == id);
        known.unwrap_or_else(|| {
            self.memos.push((id, Box::<Memo<P>>::default()));
            self.memos.len() - 1
        })
    }
}

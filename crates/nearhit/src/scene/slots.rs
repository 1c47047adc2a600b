//! Slots with generational ids: the id of what was removed is never valid again.

/// A body of a scene. Ids are never used twice, so one that was removed stays removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    index: u32,
    generation: u32,
}

impl BodyId {
    /// The slot in the scene: small numbers, used again after a removal.
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }
}

#[derive(Debug, Clone)]
pub(super) struct Slots<T> {
    slots: Vec<Slot<T>>,
    /// The last one freed is the next one used.
    free: Vec<u32>,
}

#[derive(Debug, Clone)]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

impl<T> Slots<T> {
    pub(super) fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    pub(super) fn insert(&mut self, value: T) -> BodyId {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.value = Some(value);
            return BodyId { index, generation: slot.generation };
        }
        let index = self.slots.len() as u32;
        self.slots.push(Slot { generation: 0, value: Some(value) });
        BodyId { index, generation: 0 }
    }

    pub(super) fn remove(&mut self, id: BodyId) -> Option<T> {
        let slot = self.slots.get_mut(id.index as usize).filter(|slot| slot.generation == id.generation)?;
        let value = slot.value.take()?;
        // A place whose generations are used up is left empty for ever.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(id.index);
        }
        Some(value)
    }

    pub(super) fn get(&self, id: BodyId) -> Option<&T> {
        let slot = self.slots.get(id.index as usize).filter(|slot| slot.generation == id.generation)?;
        slot.value.as_ref()
    }

    pub(super) fn get_mut(&mut self, id: BodyId) -> Option<&mut T> {
        let slot = self.slots.get_mut(id.index as usize).filter(|slot| slot.generation == id.generation)?;
        slot.value.as_mut()
    }

    /// In the order of their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = (BodyId, &T)> {
        let id = |index: usize, slot: &Slot<T>| BodyId { index: index as u32, generation: slot.generation };
        self.slots.iter().enumerate().filter_map(move |(index, slot)| Some((id(index, slot), slot.value.as_ref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_removed_stays_removed() {
        let mut slots = Slots::new();
        let first = slots.insert('a');
        assert_eq!(slots.remove(first), Some('a'));
        let second = slots.insert('b');
        assert_eq!((second.index(), second == first), (first.index(), false));
        assert_eq!((slots.get(first), slots.get(second)), (None, Some(&'b')));
        assert_eq!((slots.remove(first), slots.remove(second)), (None, Some('b')));
    }
}

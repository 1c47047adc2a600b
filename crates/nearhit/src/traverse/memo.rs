//! Volumes of a that this query has placed already.
//!
//! Placed volumes lie side by side in the order of first use; a table by node id finds them.
//! Entries of earlier queries are told apart by an epoch, so starting a query costs nothing and a
//! warm one allocates nothing.

#[derive(Debug)]
pub(crate) struct Memo<P> {
    slots: Vec<Slot>,
    placed: Vec<P>,
    /// Epochs in which a node's search was ended; empty unless a query restarts.
    closed: Vec<u32>,
    epoch: u32,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    epoch: u32,
    position: u32,
}

impl<P> Default for Memo<P> {
    fn default() -> Self {
        Self { slots: Vec::new(), placed: Vec::new(), closed: Vec::new(), epoch: 0 }
    }
}

impl<P> Memo<P> {
    /// Starts a query on a tree with `nodes` nodes.
    pub(crate) fn start(&mut self, nodes: usize) {
        const NEVER: Slot = Slot { epoch: 0, position: 0 };
        self.placed.clear();
        if self.slots.len() < nodes {
            self.slots.resize(nodes, NEVER);
        }
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.slots.fill(NEVER);
            self.closed.fill(0);
            self.epoch = 1;
        }
    }

    /// Ends a node's search for the rest of the query.
    pub(crate) fn close(&mut self, node: u32) {
        if self.closed.len() < self.slots.len() {
            self.closed.resize(self.slots.len(), 0);
        }
        self.closed[node as usize] = self.epoch;
    }

    /// Was the node's search ended in this query?
    pub(crate) fn is_closed(&self, node: u32) -> bool {
        self.closed.get(node as usize) == Some(&self.epoch)
    }

    /// The placed volume of a node, and whether it had to be made.
    #[inline]
    pub(crate) fn get_or_place(&mut self, node: u32, place: impl FnOnce() -> P) -> (&P, bool) {
        let slot = &mut self.slots[node as usize];
        let missing = slot.epoch != self.epoch;
        if missing {
            *slot = Slot { epoch: self.epoch, position: self.placed.len() as u32 };
            self.placed.push(place());
        }
        (&self.placed[slot.position as usize], missing)
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;

    #[test]
    fn places_once_a_query_and_forgets_between() {
        let mut memo = Memo::default();
        for query in 0..3 {
            memo.start(4);
            assert_eq!(memo.get_or_place(2, || query * 10), (&(query * 10), true));
            assert_eq!(memo.get_or_place(2, || 99), (&(query * 10), false));
            assert_eq!(memo.get_or_place(0, || 7), (&7, true));
            assert!(!memo.is_closed(3));
            memo.close(3);
            assert!(memo.is_closed(3) && !memo.is_closed(2));
        }
        memo.epoch = u32::MAX;
        memo.start(4);
        assert_eq!(memo.get_or_place(2, || 5), (&5, true), "the epoch wrapped");
        assert!(!memo.is_closed(3));
    }
}

//! Dirty list of the broad phase: parts inserted, removed or moved since its last update.

/// Keys of parts that came, went or moved, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    keys: Vec<u32>,
    /// By key: is it among them?
    is_noted: Vec<bool>,
}

impl Changes {
    pub(super) fn note(&mut self, key: u32) {
        let place = key as usize;
        if self.is_noted.len() <= place {
            self.is_noted.resize(place + 1, false);
        }
        if !std::mem::replace(&mut self.is_noted[place], true) {
            self.keys.push(key);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// At most so many of them, in ascending order, which are noted no more.
    pub(super) fn take(&mut self, most: usize) -> Vec<u32> {
        let mut taken = self.keys.split_off(self.keys.len().saturating_sub(most));
        taken.iter().for_each(|&key| self.is_noted[key as usize] = false);
        taken.sort_unstable();
        taken
    }
}

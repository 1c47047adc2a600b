//! Which ships likely meet, as far as there is time: an average-case search after Klein and
//! Zachmann (2003) in a simulation, interrupted by its frames. By our rule of crossings, not by
//! theirs, which believes in a collision of ships that pass closely (ADR 16).
//!
//! Ships whose balls meet are searched one after the other, each with its share of the time that is
//! left. An interrupted search says how likely a contact is: the likelier answer counts.

use super::{Flight, FrameRecord, Hit};
use nearhit::research::PairExt;
use nearhit::research::adb::Quality;
use nearhit::scene::PartId;
use nearhit::{Budget, Clock, Interval, Pair, Scratch, Settings};
use std::time::Duration;

impl Flight {
    /// Contacts, certain and likely.
    pub(super) fn guess(&mut self, time: Duration, record: &mut FrameRecord) -> anyhow::Result<Vec<Hit>> {
        let (end, near) = (self.clock.now() + time, self.near());
        record.near += near.len();
        self.unseen.clear();
        let (mut hits, mut scratch) = (Vec::new(), Scratch::new());
        for (place, &(a, b)) in near.iter().enumerate() {
            let now = self.clock.now();
            let share = end.saturating_sub(now) / (near.len() - place) as u32;
            let settings = Settings::new().budget(Budget::until(&self.clock, now + share));
            hits.extend(self.likely(a, b, &settings, &mut scratch)?);
        }
        Ok(hits)
    }

    /// Ships whose balls meet, those that come first before the others.
    fn near(&self) -> Vec<(usize, usize)> {
        let all = (0..self.ships.len()).flat_map(|a| (a + 1..self.ships.len()).map(move |b| (a, b)));
        all.filter(|&(a, b)| self.between(a, b) <= self.reaches(a, b)).collect()
    }

    fn between(&self, a: usize, b: usize) -> f64 {
        self.ships[a].position.distance(self.ships[b].position)
    }

    fn reaches(&self, a: usize, b: usize) -> f64 {
        self.hangar.reach(a) + self.hangar.reach(b)
    }

    fn likely(
        &self,
        a: usize,
        b: usize,
        settings: &Settings<'_>,
        scratch: &mut Scratch,
    ) -> anyhow::Result<Option<Hit>> {
        let (Some((model_a, table_a)), Some((model_b, table_b))) = (self.hangar.averaged(a), self.hangar.averaged(b))
        else {
            return Ok(None);
        };
        let pair = Pair::new(model_a, &self.ships[a].pose()?, model_b, &self.ships[b].pose()?)?;
        let averaged = pair.averaged(table_a, table_b)?;
        let estimate = averaged.collide(&Quality::default(), settings, scratch);
        if !estimate.collides().unwrap_or_else(|| estimate.probability() >= 0.5) {
            return Ok(None);
        }
        let certain = estimate.is_complete && estimate.evidence.is_proof();
        // No point of one is farther from any of the other.
        let upper = if certain { 0.0 } else { self.between(a, b) + self.reaches(a, b) };
        let part = |ship: usize| PartId { body: self.ids[ship], part: 0 };
        let separation = Interval { lower: 0.0, upper };
        Ok(Some(Hit { a, b, parts: (part(a), part(b)), level: 0, certain, separation, gap: 0.0 }))
    }
}

//! Where to go on, and what was counted: a small text file.

use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

const FILE: &str = "state.txt";

/// Of one seed.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) seed: u64,
    /// The next setup.
    pub(crate) next: u64,
    pub(crate) minutes: f64,
    /// Setups, questions and failures by check and family.
    counts: BTreeMap<(String, String), [u64; 3]>,
}

impl State {
    /// What the folder has, unless it is of another seed than the one asked for.
    pub(crate) fn load(folder: &Path, seed: Option<u64>) -> Result<Self> {
        let file = folder.join(FILE);
        let Ok(text) = std::fs::read_to_string(&file) else {
            return Ok(Self { seed: seed.unwrap_or(1), ..Self::default() });
        };
        let known = Self::parse(&text).with_context(|| format!("{}: not a state of a soak", file.display()))?;
        Ok(match seed {
            Some(seed) if seed != known.seed => Self { seed, ..Self::default() },
            _ => known,
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let mut state = Self::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["seed", seed] => state.seed = seed.parse().ok()?,
                ["next", next] => state.next = next.parse().ok()?,
                ["minutes", minutes] => state.minutes = minutes.parse().ok()?,
                ["count", check, family, setups, questions, failures] => {
                    let numbers = [setups.parse().ok()?, questions.parse().ok()?, failures.parse().ok()?];
                    state.counts.insert((check.to_owned(), family.to_owned()), numbers);
                }
                _ => return None,
            }
        }
        Some(state)
    }

    pub(crate) fn save(&self, folder: &Path) -> Result<()> {
        let mut text = format!("seed {}\nnext {}\nminutes {}\n", self.seed, self.next, self.minutes);
        for ((check, family), [setups, questions, failures]) in &self.counts {
            let _ = writeln!(text, "count {check} {family} {setups} {questions} {failures}");
        }
        // Never half a file.
        let (file, new) = (folder.join(FILE), folder.join("state.new"));
        std::fs::write(&new, text)
            .and_then(|()| std::fs::rename(&new, &file))
            .with_context(|| file.display().to_string())
    }

    pub(crate) fn count(&mut self, check: &str, family: &str, questions: u64, failures: u64) {
        let numbers = self.counts.entry((check.to_owned(), family.to_owned())).or_default();
        numbers[0] += 1;
        numbers[1] += questions;
        numbers[2] += failures;
    }

    pub(crate) fn failures(&self) -> u64 {
        self.counts.values().map(|numbers| numbers[2]).sum()
    }

    /// Questions by check, and setups by family.
    pub(crate) fn table(&self) -> String {
        let mut text = format!(
            "seed {}: {} setups in {:.1} minutes, {} failures\n",
            self.seed,
            self.next,
            self.minutes,
            self.failures()
        );
        for by_check in [true, false] {
            let _ = writeln!(
                text,
                "{:<12} {:>10} {:>12} {:>9}",
                if by_check { "check" } else { "family" },
                "setups",
                "questions",
                "failures"
            );
            let mut sums: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
            for ((check, family), numbers) in &self.counts {
                let sum = sums.entry(if by_check { check } else { family }).or_default();
                (0..3).for_each(|index| sum[index] += numbers[index]);
            }
            for (name, [setups, questions, failures]) in sums {
                let _ = writeln!(text, "{name:<12} {setups:>10} {questions:>12} {failures:>9}");
            }
        }
        text
    }
}

//! A matrix as SRDF, with what is proven said in it.

use super::link_pair::PairVerdict;
use super::search::MatrixSearch;
use crate::check::Allowed;
use std::fmt::Write;

impl MatrixSearch<'_> {
    /// An SRDF with the pairs that need no check: those proven to touch never or always, and
    /// neighbours. Pairs that an SRDF of the robot disabled stay so, unless its reason was "Never"
    /// and that is not proven.
    #[must_use]
    pub fn srdf(&self) -> String {
        let robot = self.checker.robot();
        let name = |link: usize| escaped(&robot.links()[link].name);
        let mut text = format!("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", escaped(robot.name()));
        text += STATEMENT;
        for entry in self.entries() {
            let [a, b] = entry.links;
            let before = self.checker.allowed().reason(a, b);
            let reason = match (&entry.verdict, before) {
                (PairVerdict::Never, _) => "Never",
                (PairVerdict::Always, _) => "Always",
                (_, Some(Allowed::Adjacent)) => "Adjacent",
                (_, Some(Allowed::Srdf(reason))) if reason != "Never" => reason,
                _ => continue,
            };
            let (a, b, reason) = (name(a), name(b), escaped(reason));
            let _ = writeln!(text, "  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/>");
        }
        text + "</robot>\n"
    }
}

const STATEMENT: &str =
    "  <!-- By nearhit. \"Never\" and \"Always\" are proven, not sampled: for every configuration within the
       limits of the joints (all the way round for continuous ones), by bounds on how far any point of a link can
       move, for real arithmetic and for computed poses. Pairs for which nothing is proven are not listed. -->\n";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

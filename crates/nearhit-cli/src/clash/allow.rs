//! Which pairs may be in contact?

use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rules of the form `A:B`: patterns or groups of them.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    text: String,
    sides: [Vec<String>; 2],
    /// Did any finding come under it?
    used: AtomicBool,
}

impl Allowed {
    /// What was typed and what is in a file, understood. Groups may be used before they are told.
    pub(super) fn new(allow: &[String], groups: &[String], file: Option<&Path>) -> Result<Self> {
        let mut lines = Lines::default();
        if let Some(path) = file {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            for (index, line) in text.lines().enumerate() {
                lines.line(line, &format!("{}:{}: ", path.display(), index + 1))?;
            }
        }
        for group in groups {
            lines.group(group, "--group ")?;
        }
        for rule in allow {
            lines.rules.push((rule.clone(), "--allow ".to_owned()));
        }
        lines.understood()
    }

    /// May these two be in contact?
    pub(super) fn allows(&self, a: &str, b: &str) -> bool {
        let mut allowed = false;
        for Rule { sides: [left, right], used, .. } in &self.rules {
            let meets = |side: &[String], name: &str| side.iter().any(|pattern| matches(pattern, name));
            if meets(left, a) && meets(right, b) || meets(left, b) && meets(right, a) {
                used.store(true, Ordering::Relaxed);
                allowed = true;
            }
        }
        allowed
    }

    /// Rules that nothing came under: they may be mistyped.
    pub(super) fn unused(&self) -> Vec<&str> {
        self.rules.iter().filter(|rule| !rule.used.load(Ordering::Relaxed)).map(|rule| rule.text.as_str()).collect()
    }
}

/// What was read, not understood yet.
#[derive(Default)]
struct Lines {
    groups: HashMap<String, Vec<String>>,
    /// With where they come from.
    rules: Vec<(String, String)>,
}

impl Lines {
    fn line(&mut self, line: &str, place: &str) -> Result<()> {
        let line = line.split_once('#').map_or(line, |(before, _)| before).trim();
        match line.strip_prefix("group ") {
            _ if line.is_empty() => Ok(()),
            Some(group) => self.group(group, place),
            None => {
                self.rules.push((line.to_owned(), place.to_owned()));
                Ok(())
            }
        }
    }

    fn group(&mut self, text: &str, place: &str) -> Result<()> {
        let Some((name, patterns)) = text.split_once('=') else {
            bail!("{place}{text}: a group is NAME=PATTERN,PATTERN,…, as in bolts=bolt_*,screw_*");
        };
        let patterns: Vec<String> = patterns.split(',').map(|pattern| pattern.trim().to_owned()).collect();
        if name.trim().is_empty() || patterns.iter().any(String::is_empty) {
            bail!("{place}{text}: the name of a group and its patterns must not be empty");
        }
        self.groups.entry(name.trim().to_owned()).or_default().extend(patterns);
        Ok(())
    }

    fn understood(self) -> Result<Allowed> {
        let mut rules = Vec::new();
        for (text, place) in &self.rules {
            let (left, right) = match text.split(':').map(str::trim).collect::<Vec<_>>()[..] {
                [left, right] if !left.is_empty() && !right.is_empty() => (left, right),
                _ => bail!("{place}{text}: a rule is A:B, two names, patterns with * and ?, or groups as @bolts"),
            };
            let side = |side: &str| match side.strip_prefix('@') {
                None => Ok(vec![side.to_owned()]),
                Some(group) => match self.groups.get(group) {
                    Some(patterns) => Ok(patterns.clone()),
                    None => {
                        bail!("{place}{text}: there is no group \"{group}\"; tell it with --group {group}=PATTERN,…")
                    }
                },
            };
            rules.push(Rule { text: text.clone(), sides: [side(left)?, side(right)?], used: AtomicBool::new(false) });
        }
        Ok(Allowed { rules })
    }
}

/// `*` stands for any text, `?` for one character.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            // The last star takes one character more.
            _ => match &mut star {
                Some((at, taken)) => {
                    *taken += 1;
                    (p, n) = (*at + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name) in
            [("bolt", "bolt"), ("bolt_*", "bolt_12"), ("*", ""), ("*a*b", "xaybab"), ("b?lt*", "belt")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("bolt", "bolts"), ("bolt_*", "bolt"), ("?", ""), ("*a*b", "xaybabc"), ("", "x")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn rules_hold_both_ways_and_groups_stand_for_patterns() {
        let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let groups = strings(&["fasteners=bolt_*, nut_*", "fasteners=washer"]);
        let rules = Allowed::new(&strings(&["@fasteners:plate*", "pin:bush", "no:one"]), &groups, None).expect("rules");
        assert!(rules.allows("bolt_1", "plate") && rules.allows("plate_2", "washer") && rules.allows("bush", "pin"));
        assert!(!rules.allows("bolt_1", "bolt_2") && !rules.allows("pin", "plate"));
        assert_eq!(rules.unused(), ["no:one"]);
    }
}

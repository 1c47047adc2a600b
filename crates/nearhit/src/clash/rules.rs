//! Rules: which pairs of parts may be in contact. Also known as an allowed-collision matrix or
//! clash rules.

use super::error::ClashError;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs that may be in contact: rules of the form `A:B`, where each side is a name, a pattern with
/// `*` and `?`, or a group as `@bolts`. The order of the two sides does not matter.
///
/// ```
/// use nearhit::clash::Rules;
///
/// # fn main() -> Result<(), nearhit::clash::ClashError> {
/// let rules = Rules::new(&["@fasteners:plate*", "pin:bush"], &["fasteners=bolt_*,nut_*"])?;
/// assert!(rules.allows("plate_2", "bolt_7") && !rules.allows("pin", "plate_1"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    text: String,
    sides: [Vec<String>; 2],
    /// Did it allow any finding?
    used: AtomicBool,
}

impl Rules {
    /// Rules as `A:B`, groups as `NAME=PATTERN,PATTERN`. A group given several times has all its
    /// patterns.
    pub fn new<R: AsRef<str>, G: AsRef<str>>(rules: &[R], groups: &[G]) -> Result<Self, ClashError> {
        let mut known: HashMap<String, Vec<String>> = HashMap::new();
        for group in groups {
            let (name, patterns) = read_group(group.as_ref())?;
            known.entry(name).or_default().extend(patterns);
        }
        let rules = rules.iter().map(|rule| read_rule(rule.as_ref(), &known)).collect::<Result<_, _>>()?;
        Ok(Self { rules })
    }

    /// May these two be in contact? Remembers which rules said so.
    #[must_use]
    pub fn allows(&self, a: &str, b: &str) -> bool {
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

    /// Rules that allowed nothing so far, as written: their names may be mistyped.
    pub(super) fn unused(&self) -> Vec<String> {
        self.rules.iter().filter(|rule| !rule.used.load(Ordering::Relaxed)).map(|rule| rule.text.clone()).collect()
    }
}

fn read_group(text: &str) -> Result<(String, Vec<String>), ClashError> {
    let refused = || ClashError::Group { text: text.to_owned() };
    let (name, patterns) = text.split_once('=').ok_or_else(refused)?;
    let patterns: Vec<String> = patterns.split(',').map(|pattern| pattern.trim().to_owned()).collect();
    if name.trim().is_empty() || patterns.iter().any(String::is_empty) {
        return Err(refused());
    }
    Ok((name.trim().to_owned(), patterns))
}

fn read_rule(text: &str, groups: &HashMap<String, Vec<String>>) -> Result<Rule, ClashError> {
    let (left, right) = match text.split(':').map(str::trim).collect::<Vec<_>>()[..] {
        [left, right] if !left.is_empty() && !right.is_empty() => (left, right),
        _ => return Err(ClashError::Rule { text: text.to_owned() }),
    };
    let side = |side: &str| match side.strip_prefix('@') {
        None => Ok(vec![side.to_owned()]),
        Some(group) => groups
            .get(group)
            .cloned()
            .ok_or_else(|| ClashError::UnknownGroup { text: text.to_owned(), group: group.to_owned() }),
    };
    Ok(Rule { text: text.to_owned(), sides: [side(left)?, side(right)?], used: AtomicBool::new(false) })
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
        let groups = ["fasteners=bolt_*, nut_*", "fasteners=washer"];
        let rules = Rules::new(&["@fasteners:plate*", "pin:bush", "no:one"], &groups).expect("rules");
        assert!(rules.allows("bolt_1", "plate") && rules.allows("plate_2", "washer") && rules.allows("bush", "pin"));
        assert!(!rules.allows("bolt_1", "bolt_2") && !rules.allows("pin", "plate"));
        assert_eq!(rules.unused(), ["no:one"]);
    }
}

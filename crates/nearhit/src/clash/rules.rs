//! Rules: which pairs of parts may be in contact, which must be how far apart, and what is claimed
//! of pairs by name. Also known as an allowed collision matrix (ACM) or clash rules.

#[cfg(doc)]
use super::assembly::Assembly;
use super::assertion::{Assertion, Claim};
use super::error::ClashError;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs that may be in contact: rules of the form `A:B`, where each side is a name, a pattern with
/// `*` and `?`, or a group as `@bolts`. The order of the two sides does not matter. A backslash
/// takes the meaning from the character after it: `M8\:40` is a name with a colon, `a\*` one with a
/// star.
///
/// Names of parts may be paths, `gearbox/shaft`. A pattern without a slash is about the last name
/// of a path, or all of it: `shaft` is any shaft, `gearbox/*` whatever is in the gearbox. A rule
/// `only A:B` says that nothing but such pairs is looked at; of several each pair has to fit one.
///
/// ```
/// use nearhit::clash::Rules;
///
/// # fn main() -> Result<(), nearhit::clash::ClashError> {
/// let rules = Rules::new(&["@fasteners:plate*", r"pin:M8\:40"], &["fasteners=bolt_*,nut_*"])?;
/// assert!(rules.allows("plate_2", "bolt_7") && !rules.allows("pin", "plate_1"));
/// assert!(rules.allows("pin", "M8:40"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    /// The only pairs that are looked at, if there are any.
    only: Vec<Sides>,
    groups: HashMap<String, Vec<Pattern>>,
    /// Clearances of pairs; a later one overrides.
    clearances: Vec<(Sides, f64)>,
    assertions: Vec<Assertion>,
}

#[derive(Debug)]
struct Rule {
    text: String,
    sides: Sides,
    /// Did it allow any finding?
    used: AtomicBool,
}

/// What two parts may be called.
#[derive(Debug, Clone)]
pub(super) struct Sides([Vec<Pattern>; 2]);

impl Sides {
    /// Does a name fit one side?
    pub(super) fn meets(&self, side: usize, name: &str) -> bool {
        let last = name.rsplit('/').next().unwrap_or(name);
        let is_path = |pattern: &Pattern| pattern.contains(&Token::Letter('/'));
        self.0[side].iter().any(|pattern| matches(pattern, name) || !is_path(pattern) && matches(pattern, last))
    }

    /// Do two names fit, in whatever order?
    fn meet(&self, a: &str, b: &str) -> bool {
        self.meets(0, a) && self.meets(1, b) || self.meets(0, b) && self.meets(1, a)
    }
}

/// What a rule begins with that says which pairs are looked at.
const ONLY: &str = "only ";

/// A pattern that names are compared with.
type Pattern = Vec<Token>;

/// A character of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// `*`: any text.
    Any,
    /// `?`: one character.
    One,
    /// Itself.
    Letter(char),
}

/// A character of a rule or group as written, and whether a backslash is before it.
type Written = (char, bool);

impl Rules {
    /// Rules as `A:B` or `only A:B`, groups as `NAME=PATTERN,PATTERN`. A group given several times
    /// has all its patterns.
    pub fn new<R: AsRef<str>, G: AsRef<str>>(rules: &[R], groups: &[G]) -> Result<Self, ClashError> {
        let mut known: HashMap<String, Vec<Pattern>> = HashMap::new();
        for group in groups {
            let (name, patterns) = read_group(group.as_ref())?;
            known.entry(name).or_default().extend(patterns);
        }
        let (only, rules): (Vec<&str>, Vec<&str>) =
            rules.iter().map(AsRef::as_ref).partition(|rule| rule.starts_with(ONLY));
        let only = only.iter().map(|rule| read_sides(rule[ONLY.len()..].trim(), &known)).collect::<Result<_, _>>()?;
        let rules = rules.iter().map(|rule| read_rule(rule, &known)).collect::<Result<_, _>>()?;
        Ok(Self { rules, only, groups: known, ..Self::default() })
    }

    /// Sets the clearance of pairs `A:B`, in the place of that of the options. Of several that name
    /// a pair the last counts: so general ones come first, as rows of a matrix.
    ///
    /// ```
    /// use nearhit::clash::Rules;
    ///
    /// # fn main() -> Result<(), nearhit::clash::ClashError> {
    /// let mut rules = Rules::new(&[""; 0], &["hot=exhaust*,turbo"])?;
    /// rules.clearance("@hot:*", 20.0)?;
    /// rules.clearance("@hot:shield_*", 5.0)?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "clearance matrix")]
    pub fn clearance(&mut self, pair: &str, clearance: f64) -> Result<(), ClashError> {
        if !(clearance.is_finite() && clearance >= 0.0) {
            return Err(ClashError::Clearance { value: clearance });
        }
        self.clearances.push((read_sides(pair, &self.groups)?, clearance));
        Ok(())
    }

    /// Claims something of all pairs `A:B`, to be checked by [`Assembly::check`].
    pub fn assert(&mut self, name: impl Into<String>, pair: &str, claim: Claim) -> Result<(), ClashError> {
        if let Claim::Clears(distance) = claim
            && !(distance.is_finite() && distance >= 0.0)
        {
            return Err(ClashError::Clearance { value: distance });
        }
        let sides = read_sides(pair, &self.groups)?;
        self.assertions.push(Assertion { name: name.into(), sides, claim });
        Ok(())
    }

    pub(super) fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }

    /// The clearance of a pair, if one was set.
    pub(super) fn clearance_of(&self, a: &str, b: &str) -> Option<f64> {
        self.clearances.iter().rev().find(|(sides, _)| sides.meet(a, b)).map(|(_, clearance)| *clearance)
    }

    /// The largest clearance of any pair.
    pub(super) fn largest_clearance(&self) -> f64 {
        self.clearances.iter().map(|(_, clearance)| *clearance).fold(0.0, f64::max)
    }

    /// Are these two to be looked at?
    pub(super) fn asks_about(&self, a: &str, b: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|sides| sides.meet(a, b))
    }

    /// Whether these two may be in contact. Remembers which rules said so.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use nearhit::clash::Rules;
    ///
    /// let rules = Rules::new(&["@bolts:plate"], &["bolts=bolt_*"])?;
    /// assert!(rules.allows("bolt_3", "plate") && !rules.allows("bolt_3", "bolt_4"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn allows(&self, a: &str, b: &str) -> bool {
        let mut allowed = false;
        for Rule { sides, used, .. } in &self.rules {
            if sides.meet(a, b) {
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

fn read_group(text: &str) -> Result<(String, Vec<Pattern>), ClashError> {
    let refused = || ClashError::Group { text: text.to_owned() };
    let written = written(text).ok_or_else(refused)?;
    let equals = written.iter().position(|&letter| letter == ('=', false)).ok_or_else(refused)?;
    let (name, patterns) = (trimmed(&written[..equals]), &written[equals + 1..]);
    let patterns: Vec<Pattern> = parts(patterns, ',').map(pattern).collect();
    if name.is_empty() || patterns.iter().any(Vec::is_empty) {
        return Err(refused());
    }
    Ok((letters(name), patterns))
}

fn read_rule(text: &str, groups: &HashMap<String, Vec<Pattern>>) -> Result<Rule, ClashError> {
    Ok(Rule { text: text.to_owned(), sides: read_sides(text, groups)?, used: AtomicBool::new(false) })
}

fn read_sides(text: &str, groups: &HashMap<String, Vec<Pattern>>) -> Result<Sides, ClashError> {
    let refused = || ClashError::Rule { text: text.to_owned() };
    let written = written(text).ok_or_else(refused)?;
    let (left, right) = match parts(&written, ':').collect::<Vec<_>>()[..] {
        [left, right] if !left.is_empty() && !right.is_empty() => (left, right),
        _ => return Err(refused()),
    };
    let side = |side: &[Written]| match side {
        [('@', false), name @ ..] => {
            let group = letters(name);
            groups.get(&group).cloned().ok_or_else(|| ClashError::UnknownGroup { text: text.to_owned(), group })
        }
        side => Ok(vec![pattern(side)]),
    };
    Ok(Sides([side(left)?, side(right)?]))
}

/// Takes backslashes away and marks what they are before. None if the last is before nothing.
fn written(text: &str) -> Option<Vec<Written>> {
    let mut letters = text.chars();
    let mut found = Vec::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        found.push(if letter == '\\' { (letters.next()?, true) } else { (letter, false) });
    }
    Some(found)
}

/// What is between separators, trimmed.
fn parts(written: &[Written], separator: char) -> impl Iterator<Item = &[Written]> {
    written.split(move |&letter| letter == (separator, false)).map(trimmed)
}

fn trimmed(mut written: &[Written]) -> &[Written] {
    let is_space = |&(letter, is_plain): &Written| letter.is_whitespace() && !is_plain;
    while let [first, rest @ ..] = written
        && is_space(first)
    {
        written = rest;
    }
    while let [rest @ .., last] = written
        && is_space(last)
    {
        written = rest;
    }
    written
}

fn letters(written: &[Written]) -> String {
    written.iter().map(|&(letter, _)| letter).collect()
}

fn pattern(written: &[Written]) -> Pattern {
    let token = |&letter: &Written| match letter {
        ('*', false) => Token::Any,
        ('?', false) => Token::One,
        (letter, _) => Token::Letter(letter),
    };
    written.iter().map(token).collect()
}

/// Does the pattern fit the whole name?
fn matches(pattern: &[Token], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(Token::Any) => {
                star = Some((p, n));
                p += 1;
            }
            Some(&token) if token == Token::One || token == Token::Letter(name[n]) => {
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
    pattern[p..].iter().all(|&token| token == Token::Any)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(text: &str, name: &str) -> bool {
        matches(&pattern(&written(text).expect("a pattern")), name)
    }

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name) in
            [("bolt", "bolt"), ("bolt_*", "bolt_12"), ("*", ""), ("*a*b", "xaybab"), ("b?lt*", "belt")]
        {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("bolt", "bolts"), ("bolt_*", "bolt"), ("?", ""), ("*a*b", "xaybabc"), ("", "x")] {
            assert!(!fits(pattern, name), "{pattern} {name}");
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

    /// `shaft` is the shaft of any assembly; with a slash the whole path counts.
    #[test]
    fn patterns_without_a_slash_are_about_the_last_name() {
        let allows = |rule: &str, a: &str| Rules::new(&[rule], &[""; 0]).expect("a rule").allows(a, "other");
        for (rule, name, is_meant) in [
            ("shaft:*", "left/gearbox/shaft", true),
            ("sh*t:*", "left/gearbox/shaft", true),
            ("left*:*", "left/gearbox/shaft", true),
            ("gearbox:*", "left/gearbox/shaft", false),
            ("*/gearbox/*:*", "left/gearbox/shaft", true),
            ("gearbox/shaft:*", "left/gearbox/shaft", false),
            ("left/*:*", "right/gearbox/shaft", false),
        ] {
            assert_eq!(allows(rule, name), is_meant, "{rule} {name}");
        }
    }

    #[test]
    fn only_says_which_pairs_are_looked_at() {
        let rules = Rules::new(&["only @pipes:wall*", "only duct:*", "duct:wall"], &["pipes=pipe_*"]).expect("rules");
        assert!(rules.asks_about("wall_2", "pipe_1") && rules.asks_about("duct", "duct"));
        assert!(!rules.asks_about("pipe_1", "pipe_2") && !rules.asks_about("wall", "wall"));
        assert!(rules.allows("wall", "duct") && !rules.allows("wall", "pipe_1"), "nothing is allowed by it");
        assert!(Rules::new(&["a:b"], &[""; 0]).expect("a rule").asks_about("c", "d"));
        // A side that fits nothing is no reason to look at all pairs.
        assert!(!Rules::new(&["only a:none"], &[""; 0]).expect("a rule").asks_about("a", "b"));
        assert!(Rules::new(&["only a"], &[""; 0]).is_err() && Rules::new(&["only @x:b"], &[""; 0]).is_err());
    }

    /// Every name can be written, whatever is in it: also what rules give a meaning to.
    #[test]
    fn a_backslash_takes_the_meaning_away() {
        let special = [":", ",", "=", "@", "*", "?", "\\", " ", "#"];
        for first in special {
            for second in special {
                let names = [format!("{first}a{second}"), format!("{second}{first}")];
                let [a, b] = names.each_ref().map(|name| escaped(name));
                let rules = Rules::new(&[format!("{a}:{b}")], &[""; 0]).expect("a rule");
                assert!(rules.allows(&names[0], &names[1]), "{names:?}");
                assert!(!rules.allows("a", &names[1]) && !rules.allows(&names[0], "xax"), "{names:?}");
                let rules = Rules::new(&[format!("@{a}:z")], &[format!("{a}={b},y")]).expect("a rule");
                assert!(rules.allows("z", &names[1]) && rules.allows("y", "z") && !rules.allows("z", "z"), "{names:?}");
            }
        }
        assert!(Rules::new(&["a:b\\"], &[""; 0]).is_err() && Rules::new(&["a\\:b"], &[""; 0]).is_err());
        assert!(Rules::new(&["a:b"], &["g=a\\"]).is_err() && Rules::new(&["a:b"], &["g\\=a"]).is_err());
    }

    fn escaped(name: &str) -> String {
        name.chars().flat_map(|letter| ['\\', letter]).collect()
    }
}

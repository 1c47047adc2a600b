//! A line of G-code as words: letters with numbers. Comments are taken out, parameters and
//! expressions are worked out.

use super::expression::{Parameters, evaluate};
use crate::error::Problem;

/// A letter and its number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    /// In capitals.
    pub(super) letter: char,
    pub(super) value: f64,
    /// As the file has it.
    pub(super) text: String,
}

/// A word that is wrong, and why.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wrong {
    pub(super) word: String,
    pub(super) problem: Problem,
}

/// The longest piece of a line that an error repeats.
const SHOWN: usize = 24;

pub(super) fn wrong(word: &str, problem: Problem) -> Wrong {
    let mut shown: String = word.trim().chars().filter(|c| !c.is_control()).take(SHOWN).collect();
    if shown.is_empty() {
        shown = "this line".into();
    }
    Wrong { word: shown, problem }
}

/// The words of a line. Assignments (`#5 = 2`) are done, and count after the block.
pub(super) fn words(line: &str, parameters: &mut Parameters, found: &mut Vec<Word>) -> Result<(), Wrong> {
    found.clear();
    let line = line.trim();
    if line.is_empty() || line.starts_with('%') {
        return Ok(());
    }
    let mut rest = line.strip_prefix('/').unwrap_or(line);
    let mut assignments = Vec::new();
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        match first {
            ';' | '*' => break,
            '(' => {
                let end = rest.find(')').ok_or_else(|| wrong(rest, Problem::Needs("a ) that ends the comment")))?;
                rest = &rest[end + 1..];
            }
            '#' => {
                let (target, after) = parameters.target(&rest[1..]).map_err(|problem| wrong(rest, problem))?;
                let after = after.trim_start().strip_prefix('=');
                let after = after.ok_or_else(|| wrong(rest, Problem::NotAWord))?;
                let (value, after) = evaluate(after, parameters).map_err(|problem| wrong(rest, problem))?;
                assignments.push((target, value));
                rest = after;
            }
            letter if letter.is_ascii_alphabetic() => {
                let (word, after) = word(rest, letter, parameters)?;
                found.push(word);
                rest = after;
            }
            _ => return Err(wrong(rest, Problem::NotAWord)),
        }
    }
    for (target, value) in assignments {
        parameters.set(target, value);
    }
    Ok(())
}

fn word<'l>(rest: &'l str, letter: char, parameters: &Parameters) -> Result<(Word, &'l str), Wrong> {
    let letter = letter.to_ascii_uppercase();
    if letter == 'O' {
        return Err(wrong(rest, Problem::Unsupported("an O word inside of a line; it begins its line")));
    }
    let after_letter = rest[1..].trim_start();
    let (value, after) = evaluate(after_letter, parameters).map_err(|problem| wrong(rest, problem))?;
    let text: String = rest[..rest.len() - after.len()].split_whitespace().collect();
    let word = Word { letter, value, text };
    if !value.is_finite() || value.abs() > 1e12 {
        return Err(wrong(&word.text, Problem::TooLarge));
    }
    Ok((word, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(line: &str) -> Result<Vec<(char, f64)>, Wrong> {
        let mut found = Vec::new();
        words(line, &mut Parameters::default(), &mut found)?;
        Ok(found.iter().map(|word| (word.letter, word.value)).collect())
    }

    #[test]
    fn words_need_no_blanks() {
        let expected = vec![('N', 10.0), ('G', 1.0), ('X', 1.5), ('Y', -0.25), ('F', 600.0)];
        assert_eq!(all("N10G01X1.5Y-.25F600").expect("legal"), expected);
        assert_eq!(all("  /n10 g1 x 1.5 (to the (right) y-.25 F600 ; done").expect("legal"), expected);
        assert_eq!(all("X+1 Y1. Z-.5").expect("legal"), [('X', 1.0), ('Y', 1.0), ('Z', -0.5)]);
        assert_eq!(all("%").expect("legal"), []);
        assert_eq!(all("").expect("legal"), []);
    }

    #[test]
    fn what_is_no_word_is_named() {
        for (line, word) in [
            ("G1 X", "X"),
            ("G1 X1 =5", "=5"),
            ("G1 X1..2", "."),
            ("(open", "(open"),
            ("G1 Xa", "Xa"),
            ("o100 call", "o100 call"),
        ] {
            let found = all(line).expect_err("illegal");
            assert!(found.word.starts_with(word), "{line}: {found:?}");
        }
        assert_eq!(all("X1e4").expect("legal"), [('X', 1.0), ('E', 4.0)], "there are no exponents");
        assert_eq!(all("X9999999999999999").map_err(|wrong| wrong.problem), Err(Problem::TooLarge));
    }
}

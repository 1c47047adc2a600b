//! Numbers, parameters (`#5`, `#<depth>`) and expressions (`[1 + sin[30]]`) as LinuxCNC has them.

use crate::error::{Problem, shown};
use std::collections::BTreeMap;

/// Values of parameters. One that was never set is an error where it is used. `#1` to `#30`, and
/// names without `_` at their beginning, belong to the subroutine that is called.
#[derive(Debug, Clone, Default)]
pub(super) struct Parameters {
    values: BTreeMap<String, f64>,
    /// Of the main program and of all calls but the last.
    outer: Vec<BTreeMap<String, f64>>,
    /// Of the last call.
    locals: BTreeMap<String, f64>,
}

/// How many numbered parameters belong to a call.
const LOCALS: u32 = 30;

fn is_local(name: &str) -> bool {
    name.parse::<u32>().map_or(!name.starts_with('_'), |number| (1..=LOCALS).contains(&number))
}

impl Parameters {
    /// The name behind a `#`, and what follows it.
    pub(super) fn target<'l>(&self, text: &'l str) -> Result<(String, &'l str), Problem> {
        let mut reader = Reader { rest: text, parameters: self, depth: 0 };
        let name = reader.target()?;
        Ok((name, reader.rest))
    }

    pub(super) fn set(&mut self, name: String, value: f64) {
        let values = if is_local(&name) { &mut self.locals } else { &mut self.values };
        values.insert(name, value);
    }

    /// A call: `#1` and on are its arguments, the others up to `#30` are 0.
    pub(super) fn enter(&mut self, arguments: &[f64]) {
        let locals = arguments.iter().enumerate().map(|(index, &value)| ((index + 1).to_string(), value)).collect();
        self.outer.push(std::mem::replace(&mut self.locals, locals));
    }

    /// The end of a call, and the value that it returns.
    pub(super) fn leave(&mut self, value: Option<f64>) {
        self.locals = self.outer.pop().unwrap_or_default();
        for (name, value) in
            [("_value_returned", f64::from(u8::from(value.is_some()))), ("_value", value.unwrap_or(0.0))]
        {
            match self.values.get_mut(name) {
                Some(slot) => *slot = value,
                None => _ = self.values.insert(name.to_owned(), value),
            }
        }
    }

    fn get(&self, name: &str) -> Result<f64, Problem> {
        let is_of_call = is_local(name);
        let values = if is_of_call { &self.locals } else { &self.values };
        let is_argument = || is_of_call && !self.outer.is_empty() && name.parse::<u32>().is_ok();
        let value = values.get(name).copied().or_else(|| is_argument().then_some(0.0));
        value.ok_or_else(|| Problem::Expression(format!("parameter #{} has no value here", shown(name, 40))))
    }
}

/// Brackets deeper than this are refused.
const DEEPEST: usize = 64;

/// A number, parameter, function or bracket, and what follows it.
pub(super) fn evaluate<'l>(text: &'l str, parameters: &Parameters) -> Result<(f64, &'l str), Problem> {
    Reader { rest: text, parameters, depth: 0 }.whole()
}

struct Reader<'l, 'p> {
    rest: &'l str,
    parameters: &'p Parameters,
    depth: usize,
}

impl<'l> Reader<'l, '_> {
    fn whole(mut self) -> Result<(f64, &'l str), Problem> {
        let value = self.value()?;
        if !value.is_finite() {
            return Err(Problem::Expression("has no value that is a number".into()));
        }
        Ok((value, self.rest))
    }

    fn skip(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn value(&mut self) -> Result<f64, Problem> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Problem::Expression(format!("brackets are nested deeper than {DEEPEST}")));
        }
        let value = match self.skip() {
            Some('[') => {
                self.rest = &self.rest[1..];
                self.bracket()
            }
            Some('#') => {
                self.rest = &self.rest[1..];
                let name = self.target()?;
                self.parameters.get(&name)
            }
            Some('-' | '+') if self.is_signed_value() => {
                let negative = self.rest.starts_with('-');
                self.rest = &self.rest[1..];
                self.value().map(|value| if negative { -value } else { value })
            }
            Some(letter) if letter.is_ascii_alphabetic() => self.function(),
            _ => self.number(),
        };
        self.depth -= 1;
        value
    }

    /// The name behind a `#`.
    fn target(&mut self) -> Result<String, Problem> {
        if self.skip() == Some('<') {
            let inner = &self.rest[1..];
            let end = inner.find('>').ok_or(Problem::Needs("a > that ends the name"))?;
            let name: String = inner[..end].split_whitespace().collect();
            self.rest = &inner[end + 1..];
            return Ok(name.to_ascii_lowercase());
        }
        let number = self.value()?;
        if !(0.0..=1e6).contains(&number) || number.fract() != 0.0 {
            return Err(Problem::Expression(format!("parameter {number} is not a whole number up to 1,000,000")));
        }
        Ok(format!("{number}"))
    }

    /// A sign before a bracket or parameter.
    fn is_signed_value(&self) -> bool {
        matches!(self.rest[1..].trim_start().chars().next(), Some('[' | '#'))
    }

    fn number(&mut self) -> Result<f64, Problem> {
        let bytes = self.rest.as_bytes();
        let mut end = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
        // Old controls write blanks between sign and number.
        while bytes.get(end) == Some(&b' ') {
            end += 1;
        }
        let start = end;
        let mut points = 0;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'0'..=b'9' => {}
                b'.' if points == 0 => points = 1,
                _ => break,
            }
            end += 1;
        }
        let negative = bytes.first() == Some(&b'-');
        let value: f64 = self.rest[start..end].parse().map_err(|_| Problem::NotANumber)?;
        self.rest = &self.rest[end..];
        Ok(if negative { -value } else { value })
    }

    /// Up to the closing bracket: comparisons, put together by and, or, xor.
    fn bracket(&mut self) -> Result<f64, Problem> {
        let mut total = self.comparison()?;
        loop {
            if self.skip() == Some(']') {
                self.rest = &self.rest[1..];
                return Ok(total);
            }
            let Some(word) = self.keyword(&["and", "or", "xor"]) else {
                return Err(Problem::Expression("a ] is missing, or an operator is not known".into()));
            };
            let (one, other) = (total != 0.0, self.comparison()? != 0.0);
            let holds = match word {
                "and" => one && other,
                "or" => one || other,
                _ => one != other,
            };
            total = f64::from(u8::from(holds));
        }
    }

    fn comparison(&mut self) -> Result<f64, Problem> {
        let mut total = self.sum()?;
        while let Some(word) = self.keyword(&["eq", "ne", "gt", "ge", "lt", "le"]) {
            let next = self.sum()?;
            // As LinuxCNC: numbers are equal to a millionth.
            let is_equal = (total - next).abs() < 1e-6;
            let holds = match word {
                "eq" => is_equal,
                "ne" => !is_equal,
                "gt" => total > next,
                "ge" => total >= next,
                "lt" => total < next,
                _ => total <= next,
            };
            total = f64::from(u8::from(holds));
        }
        Ok(total)
    }

    /// One of these operators.
    fn keyword(&mut self, known: &[&'static str]) -> Option<&'static str> {
        self.skip();
        let starts =
            |word: &&&'static str| self.rest.get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
        let found = known.iter().find(starts).copied()?;
        self.rest = &self.rest[found.len()..];
        Some(found)
    }

    fn sum(&mut self) -> Result<f64, Problem> {
        let mut total = self.product()?;
        while let Some(sign @ ('+' | '-')) = self.skip() {
            self.rest = &self.rest[1..];
            let next = self.product()?;
            total = if sign == '+' { total + next } else { total - next };
        }
        Ok(total)
    }

    fn product(&mut self) -> Result<f64, Problem> {
        let mut total = self.power()?;
        loop {
            self.skip();
            if self.rest.starts_with("**") {
                return Ok(total);
            }
            if let Some(rest) = self.rest.strip_prefix('*') {
                self.rest = rest;
                total *= self.power()?;
            } else if let Some(rest) = self.rest.strip_prefix('/') {
                self.rest = rest;
                let divisor = self.power()?;
                if divisor == 0.0 {
                    return Err(Problem::Expression("divides by 0".into()));
                }
                total /= divisor;
            } else if self.rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("mod")) {
                self.rest = &self.rest[3..];
                total = total.rem_euclid(self.power()?);
            } else {
                return Ok(total);
            }
        }
    }

    fn power(&mut self) -> Result<f64, Problem> {
        let mut total = self.value()?;
        loop {
            self.skip();
            let Some(rest) = self.rest.strip_prefix("**") else { return Ok(total) };
            self.rest = rest;
            total = total.powf(self.value()?);
        }
    }

    fn function(&mut self) -> Result<f64, Problem> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let name = self.rest[..end].to_ascii_lowercase();
        let known = ["sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "abs", "exp", "ln", "round", "fix", "fup"];
        if !known.contains(&name.as_str()) {
            return Err(Problem::NotANumber);
        }
        self.rest = &self.rest[end..];
        if self.skip() != Some('[') {
            return Err(Problem::Expression(format!("{name} needs a [")));
        }
        let value = self.value()?;
        Ok(match name.as_str() {
            "sin" => value.to_radians().sin(),
            "cos" => value.to_radians().cos(),
            "tan" => value.to_radians().tan(),
            "asin" => value.asin().to_degrees(),
            "acos" => value.acos().to_degrees(),
            "atan" => {
                // atan[y]/[x]
                if self.skip() != Some('/') {
                    return Err(Problem::Expression("atan needs two brackets: atan[y]/[x]".into()));
                }
                self.rest = &self.rest[1..];
                value.atan2(self.value()?).to_degrees()
            }
            "sqrt" => value.sqrt(),
            "abs" => value.abs(),
            "exp" => value.exp(),
            "ln" => value.ln(),
            "round" => value.round(),
            "fix" => value.floor(),
            _ => value.ceil(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_worked_out() {
        let mut parameters = Parameters::default();
        parameters.set("depth".into(), 2.0);
        parameters.set("5".into(), 7.0);
        for (text, expected) in [
            ("1.5", 1.5),
            ("-.5", -0.5),
            ("#5", 7.0),
            ("#<Depth>", 2.0),
            ("-#<depth>", -2.0),
            ("[1 + 2 * 3]", 7.0),
            ("[[1 + 2] * 3 - 4 / 2]", 7.0),
            ("[2 ** 3 * 2]", 16.0),
            ("[7 mod 4]", 3.0),
            ("sin[30]", 0.5),
            ("sqrt[#5 + #<depth>]", 3.0),
            ("atan[1]/[1]", 45.0),
            ("[-[2]]", -2.0),
            ("[1 + 1 EQ 2]", 1.0),
            ("[#5 lt 7]", 0.0),
            ("[#5 LE 7 and 2 gt 1]", 1.0),
            ("[1 ne 1 or 3 GE 4 xor 1]", 1.0),
            ("[2 * [3 gt 2] + 1]", 3.0),
            ("##<depth>", 7.0),
        ] {
            if text == "##<depth>" {
                parameters.set("depth".into(), 5.0);
            }
            let (value, rest) = evaluate(text, &parameters).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert!((value - expected).abs() < 1e-12 && rest.is_empty(), "{text}: {value} {rest}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let parameters = Parameters::default();
        let deep = "[".repeat(100_000);
        let hashes = "#".repeat(100_000);
        let nested = "#[".repeat(100_000);
        for text in
            ["[1 + ", "[1 2]", "#7", &nested, "#<x", "foo[1]", "", "-", ".", "atan[1]", "#-1", "#1.5", &deep, &hashes]
        {
            assert!(evaluate(text, &parameters).is_err(), "{}", &text[..text.len().min(10)]);
        }
    }
}

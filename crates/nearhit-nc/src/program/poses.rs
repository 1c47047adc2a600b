//! Tool poses as CSV: a header with `x,y,z` and, if given, `i,j,k` (axis of the tool), `tool` and
//! `rapid` (0 or 1). A line a pose; millimetres.

use super::apt::{Place, add, place};
use super::{MoveKind, Program};
use crate::error::{NcError, Problem, shown};

pub(super) fn read(text: &str, name: &str) -> Result<Program, NcError> {
    let wrong = |line: usize, word: &str, problem: Problem| NcError::Program {
        file: name.to_owned(),
        line,
        word: word.chars().take(24).collect(),
        problem,
    };
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let Some((_, header)) = lines.next() else { return Ok(Program::default()) };
    let columns = Columns::new(header).map_err(|problem| wrong(1, header, problem))?;
    let mut program = Program::default();
    let mut from: Option<Place> = None;
    for (index, line) in lines {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let done = columns.pose(&cells).and_then(|(to, tool, kind)| {
            add(&mut program, index + 1, tool, kind, from, to)?;
            Ok(to)
        });
        from = Some(done.map_err(|problem| wrong(index + 1, line, problem))?);
    }
    Ok(program)
}

struct Columns {
    count: usize,
    /// x, y, z and perhaps i, j, k.
    numbers: Vec<usize>,
    tool: Option<usize>,
    rapid: Option<usize>,
}

impl Columns {
    fn new(header: &str) -> Result<Self, Problem> {
        let names: Vec<String> = header.split(',').map(|name| name.trim().to_ascii_lowercase()).collect();
        let known = ["x", "y", "z", "i", "j", "k", "tool", "rapid"];
        if let Some(other) = names.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(Problem::Record(format!("the column {:?} is none of {}", shown(other, 40), known.join(", "))));
        }
        let find = |name: &str| names.iter().position(|known| known == name);
        let all = |wanted: [&str; 3]| wanted.into_iter().map(find).collect::<Option<Vec<usize>>>();
        let mut numbers = all(["x", "y", "z"]).ok_or(Problem::Needs("columns x, y and z in its first line"))?;
        if let Some(axis) = all(["i", "j", "k"]) {
            numbers.extend(axis);
        }
        Ok(Self { count: names.len(), numbers, tool: find("tool"), rapid: find("rapid") })
    }

    fn pose(&self, cells: &[&str]) -> Result<(Place, Option<u32>, MoveKind), Problem> {
        if cells.len() != self.count {
            return Err(Problem::Record(format!("{} cells, but the header has {}", cells.len(), self.count)));
        }
        let number = |index: &usize| {
            let value = cells[*index].parse::<f64>().ok().filter(|value| value.abs() <= 1e7);
            value.ok_or_else(|| Problem::Record(format!("{:?} is not a number up to 1e7", shown(cells[*index], 40))))
        };
        let numbers: Vec<f64> = self.numbers.iter().map(number).collect::<Result<_, _>>()?;
        let tool = match self.tool.map(|index| cells[index]) {
            None | Some("") => None,
            Some(text) => {
                Some(text.parse().map_err(|_| Problem::Record(format!("{:?} is not a tool number", shown(text, 40))))?)
            }
        };
        let kind = match self.rapid.map(|index| cells[index]) {
            None | Some("" | "0") => MoveKind::Feed,
            Some("1") => MoveKind::Rapid,
            Some(other) => return Err(Problem::Record(format!("rapid is {:?}; 0 or 1 are known", shown(other, 40)))),
        };
        Ok((place(&numbers, 1.0)?, tool, kind))
    }
}

//! APT and CL (cutter location) files: `GOTO/x,y,z` and `GOTO/x,y,z,i,j,k`.

use super::{MOST_MOVES, Move, MoveKind, Note, Program, ToolPath, note};
use crate::error::{NcError, Problem, shown};
use glam::DVec3;

/// The tip, and the direction from it to the spindle.
pub(super) type Place = (DVec3, DVec3);

pub(super) fn read(text: &str, name: &str) -> Result<Program, NcError> {
    let mut reader = Reader { program: Program::default(), place: None, tool: None, rapid: false, unit: 1.0 };
    let mut statement = String::new();
    let mut first = 1;
    for (index, line) in text.lines().enumerate() {
        let line = line.split("$$").next().unwrap_or("").trim();
        if statement.is_empty() {
            first = index + 1;
        }
        // A $ at the end goes on in the next line.
        if let Some(part) = line.strip_suffix('$') {
            statement.push_str(part);
            if statement.len() < 1 << 16 {
                continue;
            }
        }
        statement.push_str(line);
        let done = reader.statement(&statement, first);
        done.map_err(|problem| {
            let word = statement.split(['/', ' ', ',']).next().unwrap_or("").chars().take(24).collect();
            NcError::Program { file: name.to_owned(), line: first, word, problem }
        })?;
        statement.clear();
    }
    Ok(reader.program)
}

struct Reader {
    program: Program,
    place: Option<Place>,
    tool: Option<u32>,
    rapid: bool,
    unit: f64,
}

impl Reader {
    fn statement(&mut self, text: &str, line: usize) -> Result<(), Problem> {
        let (word, values) = text.split_once('/').unwrap_or((text, ""));
        match word.trim().to_ascii_uppercase().as_str() {
            "" | "N" => Ok(()),
            "GOTO" | "FROM" => {
                let is_start = word.trim().eq_ignore_ascii_case("FROM");
                let to = place(&numbers(values)?, self.unit)?;
                self.go(to, is_start, line)
            }
            "RAPID" => {
                self.rapid = true;
                Ok(())
            }
            "UNITS" => {
                self.unit = match values.trim().to_ascii_uppercase().as_str() {
                    "MM" | "MILLIMETERS" => 1.0,
                    "INCHES" | "INCH" | "IN" => 25.4,
                    _ => return Err(Problem::Record(format!("the unit {:?} is not known", shown(values.trim(), 40)))),
                };
                Ok(())
            }
            "LOADTL" => {
                let tool = values.split(',').next().unwrap_or("").trim().parse();
                self.tool = Some(tool.map_err(|_| Problem::Record("a tool number is needed".into()))?);
                Ok(())
            }
            "FINI" | "END" | "PARTNO" | "PPRINT" | "SPINDL" | "COOLNT" | "FEDRAT" | "CUTTER" | "TOLER" | "INTOL"
            | "OUTTOL" | "MACHIN" | "LEADER" | "DELAY" | "STOP" | "OPSTOP" | "REWIND" | "TPRINT" | "TOOLNO"
            | "PAINT" => {
                note(&mut self.program.ignored, line, &format!("{}: without meaning for the way", word.trim()));
                Ok(())
            }
            "MULTAX" => Ok(()),
            "GODLTA" | "CYCLE" | "CIRCLE" | "MOVARC" | "CUTCOM" | "ORIGIN" | "TRANS" | "ROTABL" | "ROTHED" => {
                Err(Problem::Unsupported("in APT files; only GOTO moves the tool here"))
            }
            _ => Err(Problem::Unknown),
        }
    }

    fn go(&mut self, to: Place, is_start: bool, line: usize) -> Result<(), Problem> {
        let kind = if std::mem::take(&mut self.rapid) { MoveKind::Rapid } else { MoveKind::Feed };
        let from = self.place.replace(to);
        if is_start {
            return Ok(());
        }
        add(&mut self.program, line, self.tool, kind, from, to)
    }
}

/// Adds a move from one place to another, or the arrival from a place that is not known.
pub(super) fn add(
    program: &mut Program,
    line: usize,
    tool: Option<u32>,
    kind: MoveKind,
    from: Option<Place>,
    to: Place,
) -> Result<(), Problem> {
    if program.moves.len() >= MOST_MOVES {
        return Err(Problem::TooMany(MOST_MOVES));
    }
    let is_arrival = from.is_none();
    if is_arrival {
        let text = "comes from a place that is not known: only its end is checked".to_owned();
        program.unchecked.push(Note { line, count: 1, text });
    }
    let (from, from_axis) = from.unwrap_or(to);
    let (to, to_axis) = to;
    if from_axis.dot(to_axis) < -0.999_999 {
        return Err(Problem::Record("the axis turns round in one move: which way is not known".into()));
    }
    let path = if from_axis == to_axis && to_axis == DVec3::Z {
        ToolPath::Line { from, to }
    } else {
        ToolPath::Tilt { from, to, from_axis, to_axis }
    };
    program.moves.push(Move { line, tool, kind, path, is_arrival });
    Ok(())
}

fn numbers(values: &str) -> Result<Vec<f64>, Problem> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.abs() <= 1e7);
    let wrong = |text: &str| Problem::Record(format!("{:?} is not a number up to 1e7", shown(text.trim(), 40)));
    values.split(',').map(|text| number(text).ok_or_else(|| wrong(text))).collect()
}

/// Three numbers, or six with the axis.
pub(super) fn place(numbers: &[f64], unit: f64) -> Result<Place, Problem> {
    match *numbers {
        [x, y, z] => Ok((DVec3::new(x, y, z) * unit, DVec3::Z)),
        [x, y, z, i, j, k] => {
            let axis = DVec3::new(i, j, k);
            let length = axis.length();
            if !(length > 1e-3) {
                return Err(Problem::Record("the axis of the tool has no direction".into()));
            }
            Ok((DVec3::new(x, y, z) * unit, axis / length))
        }
        _ => Err(Problem::Record(format!("{} numbers; three, or six with the axis, are needed", numbers.len()))),
    }
}

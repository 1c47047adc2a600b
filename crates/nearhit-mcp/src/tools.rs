//! Tools: which there are, what they take, and how that is said to the command. Descriptions and
//! choices are those of the command's own options.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

/// A question to the command.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The command that answers.
    command: &'static str,
    /// What is always said to it.
    fixed: &'static [&'static str],
    /// Names of arguments that must be there.
    required: &'static [&'static str],
    takes: &'static [(&'static str, Kind)],
}

/// What an argument is in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A text in the place of a file or after an option.
    Text,
    /// Texts: files, or an option that can be repeated.
    Texts,
    Number,
    Whole,
    /// Numbers in a row, or as one text.
    Numbers,
    Flag,
    /// Of the tool itself, not of the command: how many findings are listed.
    Most,
}

use Kind::{Flag, Most, Number, Numbers, Text, Texts, Whole};

/// Poses and settings of two bodies.
macro_rules! of_a_pair {
    ($($own:expr),* $(,)?) => {
        &[
            ("a", Text),
            ("b", Text),
            ("a_matrix", Numbers),
            ("a_quaternion", Numbers),
            ("a_euler", Numbers),
            ("a_translate", Numbers),
            ("b_matrix", Numbers),
            ("b_quaternion", Numbers),
            ("b_euler", Numbers),
            ("b_translate", Numbers),
            ("work", Whole),
            $($own),*
        ]
    };
}

/// The argument that says how many findings are listed, and how many if it is left out.
pub(crate) const MOST_FINDINGS: (&str, usize) = ("most_findings", 100);

pub(crate) const TOOLS: [Tool; 5] = [
    Tool {
        name: "info",
        about: "What is in a mesh file: triangles, box, holes, duplicates, self-intersections.",
        command: "info",
        fixed: &["--json"],
        required: &["file"],
        takes: &[("file", Text)],
    },
    Tool {
        name: "distance",
        about: "The distance of two meshes or shapes and their closest points. As solids the distance is signed: \
                below zero it is the penetration depth.",
        command: "distance",
        fixed: &["--json"],
        required: &["a", "b"],
        takes: of_a_pair![("solid", Flag), ("rel_error", Number), ("abs_error", Number)],
    },
    Tool {
        name: "overlap",
        about: "What two solids have in common: volume, surface area, centre and box as certified intervals, the \
                penetration depth, a translation that separates them, and whether one is inside the other.",
        command: "check",
        fixed: &["--json", "--solid"],
        required: &["a", "b"],
        takes: of_a_pair![],
    },
    Tool {
        name: "clash",
        about: "Find clashes between the parts of an assembly: hard clashes with depth and volume, parts inside each \
                other, duplicates, parts that touch or are too close. `counts` tells how many there are of each \
                class; `findings` lists the worst.",
        command: "clash",
        fixed: &["--json"],
        required: &["files"],
        takes: &[
            ("files", Texts),
            ("table", Text),
            ("weld", Number),
            ("clearance", Number),
            ("tolerance", Number),
            ("min_volume", Number),
            ("allow", Texts),
            ("only", Texts),
            ("group", Texts),
            ("rules", Text),
            ("assert", Texts),
            ("ignore", Texts),
            ("pair_work", Whole),
            ("baseline", Text),
            ("group_by", Text),
            ("max_memory", Text),
            (MOST_FINDINGS.0, Most),
        ],
    },
    Tool {
        name: "assertions",
        about: "Check named assertions about the parts of an assembly, as `room for a spanner = bolt_12:cover clears \
                30` or `gasket sits = gasket:flange touches`: each holds, is violated, or is stale because no two \
                parts have such names. Clashes are not sought.",
        command: "clash",
        fixed: &["--json", "--ignore=hard,inside,duplicate,undecided,touching,close"],
        required: &["files"],
        takes: &[
            ("files", Texts),
            ("table", Text),
            ("assert", Texts),
            ("rules", Text),
            ("group", Texts),
            ("tolerance", Number),
            ("weld", Number),
            ("max_memory", Text),
        ],
    },
];

/// The tool of a name.
pub(crate) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl Tool {
    /// What it takes, as a JSON schema.
    pub(crate) fn schema(&self, line: &clap::Command) -> Map<String, Value> {
        let mut properties = Map::new();
        for &(name, kind) in self.takes {
            let (about, choices) = self.described(name, line);
            let mut shape = kind.schema(&choices);
            shape.insert("description".to_owned(), about.into());
            properties.insert(name.to_owned(), shape.into());
        }
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": self.required,
            "additionalProperties": false,
        });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// What the command says about an argument, and what may be chosen.
    fn described(&self, name: &str, line: &clap::Command) -> (String, Vec<String>) {
        if name == MOST_FINDINGS.0 {
            return (format!("How many findings are listed [default: {}]", MOST_FINDINGS.1), Vec::new());
        }
        let argument = line
            .find_subcommand(self.command)
            .and_then(|command| command.get_arguments().find(|argument| argument.get_id() == id_of(name)));
        let Some(argument) = argument else { return (String::new(), Vec::new()) };
        let about = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let choices = argument.get_possible_values();
        (about, choices.iter().map(|choice| choice.get_name().to_owned()).collect())
    }

    /// A call as the command's arguments. Nothing that is given can become an option of its own.
    pub(crate) fn arguments(&self, given: &Map<String, Value>) -> Result<Vec<String>> {
        if let Some(missing) = self.required.iter().find(|name| !given.contains_key(**name)) {
            bail!("{} needs \"{missing}\"", self.name);
        }
        let mut arguments = vec![self.command.to_owned()];
        arguments.extend(self.fixed.iter().map(|&text| text.to_owned()));
        let mut files = Vec::new();
        for (name, value) in given {
            let kind = self.takes.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
            let Some(kind) = kind else {
                let known: Vec<&str> = self.takes.iter().map(|(name, _)| *name).collect();
                bail!("{} has no argument \"{name}\"; it has {}", self.name, known.join(", "));
            };
            let texts = kind.texts(value).with_context(|| format!("\"{name}\""))?;
            match name.as_str() {
                // In the command's order, which is that of the alphabet.
                "a" | "b" | "file" | "files" => files.extend(texts),
                _ if kind == Most => {}
                _ if kind == Flag => arguments.extend(texts.iter().map(|_| format!("--{}", option(name)))),
                _ => arguments.extend(texts.iter().map(|text| format!("--{}={text}", option(name)))),
            }
        }
        arguments.push("--".to_owned());
        arguments.extend(files);
        Ok(arguments)
    }
}

/// What the command calls an argument. A call inspects one file, so that its answer is one report.
fn id_of(name: &str) -> &str {
    if name == "file" { "files" } else { name }
}

fn option(name: &str) -> String {
    name.replace('_', "-")
}

impl Kind {
    fn schema(self, choices: &[String]) -> Map<String, Value> {
        let text = if choices.is_empty() || self == Flag {
            json!({ "type": "string" })
        } else {
            json!({ "type": "string", "enum": choices })
        };
        let schema = match self {
            Text => text,
            Texts => json!({ "type": "array", "items": text }),
            Number => json!({ "type": "number" }),
            Whole | Most => json!({ "type": "integer", "minimum": 0 }),
            Numbers => json!({ "type": "array", "items": { "type": "number" } }),
            Flag => json!({ "type": "boolean" }),
        };
        schema.as_object().cloned().unwrap_or_default()
    }

    /// What is said to the command: one text for each time.
    fn texts(self, value: &Value) -> Result<Vec<String>> {
        let one = |text: String| Ok(vec![text]);
        match (self, value) {
            (Text, Value::String(text)) => one(text.clone()),
            (Texts, Value::Array(values)) => values.iter().map(text_of).collect(),
            (Number, Value::Number(number)) => one(number.to_string()),
            (Whole | Most, Value::Number(number)) if number.is_u64() => one(number.to_string()),
            (Numbers, Value::Array(values)) => {
                let numbers: Result<Vec<String>> = values.iter().map(number_of).collect();
                one(numbers?.join(" "))
            }
            (Flag, Value::Bool(is_set)) => Ok(if *is_set { vec![String::new()] } else { Vec::new() }),
            (_, other) => bail!("must be {}, not {}", self.name(), shown(other)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Text => "a text",
            Texts => "an array of texts",
            Number => "a number",
            Whole | Most => "a whole number, at least 0",
            Numbers => "an array of numbers",
            Flag => "true or false",
        }
    }
}

fn text_of(value: &Value) -> Result<String> {
    value.as_str().map(str::to_owned).with_context(|| format!("must be an array of texts: one is {}", shown(value)))
}

fn number_of(value: &Value) -> Result<String> {
    let number = value.as_number().map(ToString::to_string);
    number.with_context(|| format!("must be an array of numbers: one is {}", shown(value)))
}

/// A value as an error tells it: not longer than people read.
fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MOST { text } else { text.chars().take(MOST).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the command has and no tool takes: it would write files, print for people, or is for
    /// research.
    const LEFT_OUT: [&str; 11] =
        ["json", "html", "csv", "bcf", "bcf_version", "unit", "volume", "preset", "budget_us", "contacts", "solid"];

    #[test]
    fn arguments_are_those_of_the_command() {
        let line = nearhit_cli::command_line();
        for tool in &TOOLS {
            let command = line.find_subcommand(tool.command).expect("a command");
            let known: Vec<String> = command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
            for (name, _) in tool.takes.iter().filter(|(_, kind)| *kind != Most) {
                assert!(known.iter().any(|known| known == id_of(name)), "{}: {name}", tool.name);
            }
            assert!(tool.required.iter().all(|name| tool.takes.iter().any(|(known, _)| known == name)));
            for (name, described) in tool.schema(&line)["properties"].as_object().expect("an object") {
                assert_ne!(described["description"], "", "{}: {name}", tool.name);
            }
            // Of a new option someone has to decide whether agents have it.
            let is_offered = |name: &String| tool.takes.iter().any(|(known, _)| id_of(known) == name);
            let forgotten = known.iter().filter(|name| !is_offered(name) && !LEFT_OUT.contains(&name.as_str()));
            if tool.name != "assertions" {
                assert_eq!(forgotten.collect::<Vec<_>>(), Vec::<&String>::new(), "{}", tool.name);
            }
        }
    }

    #[test]
    fn what_is_given_stays_a_value() {
        let given = json!({ "b": "--html=x", "a": "-", "a_translate": [-1, 2.5, 1e300], "solid": false, "work": 7 });
        let arguments = find("distance").expect("a tool").arguments(given.as_object().expect("an object"));
        assert_eq!(
            arguments.expect("legal"),
            ["distance", "--json", "--a-translate=-1 2.5 1e+300", "--work=7", "--", "-", "--html=x"]
        );
        let given = json!({ "files": ["--bcf=x"], "allow": ["--html", "a:b"], "most_findings": 3 });
        let arguments = find("clash").expect("a tool").arguments(given.as_object().expect("an object"));
        assert_eq!(arguments.expect("legal"), ["clash", "--json", "--allow=--html", "--allow=a:b", "--", "--bcf=x"]);
    }

    #[test]
    fn refusals_name_what_is_wrong() {
        let refusal = |tool: &str, given: Value| {
            let tool = find(tool).expect("a tool");
            format!("{:#}", tool.arguments(given.as_object().expect("an object")).expect_err("refused"))
        };
        assert_eq!(refusal("distance", json!({ "a": "x" })), "distance needs \"b\"");
        assert_eq!(refusal("info", json!({ "file": 3 })), "\"file\": must be a text, not 3");
        assert_eq!(
            refusal("clash", json!({ "files": ["x", null] })),
            "\"files\": must be an array of texts: one is null"
        );
        assert_eq!(
            refusal("clash", json!({ "files": ["x"], "pair_work": -1 })),
            "\"pair_work\": must be a whole number, at least 0, not -1"
        );
        assert!(refusal("info", json!({ "file": "x", "html": "y" })).starts_with("info has no argument \"html\""));
        assert!(refusal("info", json!({ "file": "x", "y": 1 })).contains("it has file"));
        let long = refusal("overlap", json!({ "a": "x", "b": "y", "a_euler": "z".repeat(10_000) }));
        assert!(long.starts_with("\"a_euler\": must be an array of numbers, not \"zzz") && long.len() < 200, "{long}");
    }
}

//! What the command prints as JSON is what `docs/schema` describes: no field missing, none more,
//! each of its type.

use crate::support::{Folder, says};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/nearhit.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON")
}

/// A validator for the keywords that the schema uses; another keyword is an error, so that none is
/// ignored.
struct Validator {
    root: Value,
    /// Definitions that were used.
    used: BTreeSet<String>,
}

impl Validator {
    fn new() -> Self {
        Self { root: schema(), used: BTreeSet::new() }
    }

    /// The first thing that is wrong with a value, and where.
    fn check(&mut self, definition: &str, value: &Value) -> Result<(), String> {
        self.used.insert(definition.to_owned());
        let schema = self.root["$defs"][definition].clone();
        assert!(schema.is_object(), "there is no definition {definition}");
        self.visit(&schema, value, definition)
    }

    fn visit(&mut self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let schema = schema.as_object().expect("a schema is an object");
        for (keyword, rule) in schema {
            let holds = match keyword.as_str() {
                "description" | "properties" => true,
                "$ref" => {
                    let name = rule.as_str().and_then(|name| name.strip_prefix("#/$defs/")).expect("a definition");
                    self.check(name, value).map_err(|error| format!("{at}: {error}"))?;
                    true
                }
                "anyOf" => rule.as_array().expect("a list").iter().any(|schema| self.visit(schema, value, at).is_ok()),
                "type" => has_type(rule, value),
                "enum" => rule.as_array().expect("a list").contains(value),
                "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a number")),
                "minItems" => {
                    value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().expect("a count"))
                }
                "maxItems" => {
                    value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().expect("a count"))
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.visit(rule, item, &format!("{at}[{index}]"))?;
                    }
                    true
                }
                "required" => value.as_object().is_none_or(|object| {
                    rule.as_array()
                        .expect("names")
                        .iter()
                        .all(|name| object.contains_key(name.as_str().expect("a name")))
                }),
                "additionalProperties" => self.fields(schema, value, at)?,
                other => panic!("the validator does not know the keyword {other}"),
            };
            if !holds {
                return Err(format!("{at}: {keyword} {rule} does not hold of {value}"));
            }
        }
        Ok(())
    }

    /// Every field is described, and as described.
    fn fields(&mut self, schema: &Map<String, Value>, value: &Value, at: &str) -> Result<bool, String> {
        assert_eq!(schema["additionalProperties"], false);
        for (name, field) in value.as_object().into_iter().flatten() {
            let Some(rule) = schema["properties"].get(name) else {
                return Err(format!("{at}: the field {name} is not described"));
            };
            self.visit(rule, field, &format!("{at}.{name}"))?;
        }
        Ok(true)
    }
}

fn has_type(rule: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    };
    match rule {
        Value::String(name) => is(name),
        names => names.as_array().expect("names").iter().any(|name| is(name.as_str().expect("a name"))),
    }
}

const SMALL: &str = "v 0 0 0\nv 0.5 0 0\nv 0 0.5 0\nv 0 0 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const OPEN: &str = "v -2 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 2 3\nf 1 2 4\n";

/// What is printed, by definition: arguments, exit code.
const PRINTED: &[(&str, &[&str], i32)] = &[
    ("check", &["check", "a.obj", "b.obj", "--b-translate", "1.5 0.25 0.125", "--contacts"], 1),
    ("check", &["check", "a.obj", "b.obj", "--b-translate", "5 0 0", "--solid"], 0),
    ("check", &["check", "a.obj", "b.obj", "--b-translate", "1.5 0.25 0.125", "--solid"], 1),
    ("check", &["check", "box:2,2,2", "ball:0.5", "--b-translate", "1 0 0"], 1),
    ("check", &["check", "a.obj", "ball:0.5", "--b-translate", "1 0 0"], 1),
    ("check", &["check", "half-space:0,0,1,0", "half-space:0,0,1,0"], 1),
    ("distance", &["distance", "cone:1,2", "a.obj", "--b-translate", "5 0 0"], 0),
    ("within", &["within", "9", "cone:1,2", "ball:1", "--b-translate", "5 0 0"], 1),
    ("within", &["within", "1", "cone:1,2", "a.obj", "--b-translate", "5 0 0"], 0),
    ("check", &["check", "a.obj", "small.obj"], 0),
    ("check", &["check", "a.obj", "small.obj", "--solid"], 1),
    ("check", &["check", "a.obj", "open.obj", "--solid"], 1),
    ("check", &["check", "a.obj", "b.obj", "--b-translate", "1.5 0.25 0.125", "--volume", "kdop18", "--work", "1"], 3),
    ("distance", &["distance", "a.obj", "b.obj", "--b-translate", "5 0 0"], 0),
    ("distance", &["distance", "a.obj", "b.obj", "--b-translate", "5 0 0", "--volume", "obb", "--work", "1"], 3),
    ("distance", &["distance", "a.obj", "small.obj"], 0),
    ("distance", &["distance", "a.obj", "small.obj", "--solid"], 0),
    ("within", &["within", "0.5", "a.obj", "b.obj", "--b-translate", "2.25 0 0"], 1),
    ("within", &["within", "0.5", "a.obj", "b.obj", "--b-translate", "5 0 0"], 0),
    ("within", &["within", "0.1", "a.obj", "small.obj"], 0),
    ("within", &["within", "0.1", "a.obj", "small.obj", "--solid"], 1),
    ("within", &["within", "0.1", "a.obj", "b.obj", "--b-translate", "5 0 0", "--solid"], 0),
    ("path", &["path", "a.obj", "b.obj", "--poses", "poses.txt"], 1),
    ("path", &["path", "a.obj", "small.obj", "--from", "5 0 0", "--to", "3 0 0"], 0),
    ("path", &["path", "a.obj", "small.obj", "--from", "5 0 0", "--to", "0 0 0", "--solid", "--work", "1"], 3),
    ("clash", &["clash", "a.obj", "b.obj", "small.obj", "open.obj", "--allow", "a:open", "--allow", "x:y"], 1),
    ("clash", &["clash", "a.obj", "small.obj", "--ignore", "inside"], 0),
    ("nc", &["nc", "--demo", "--measure", "100"], 1),
    ("nc", &["nc", "--demo", "--moves", "moves.csv"], 1),
    ("robot_info", &["robot", "info", "arm.urdf", "--srdf", "arm.srdf"], 0),
    ("robot_check", &["robot", "check", "arm.urdf", "--q", "0 1.9 2.5 0 0.02", "--q", "0 0 0 0 0"], 1),
    ("robot_check", &["robot", "check", "arm.urdf", "--random", "50"], 1),
    ("robot_path", &["robot", "path", "arm.urdf", "--from", "0 0 0 0 0", "--to", "1 0.5 1 0 0"], 0),
    ("robot_path", &["robot", "path", "arm.urdf", "--from", "lift=0", "--to", "lift=1.9,elbow=2.5"], 1),
    ("robot_path", &["robot", "path", "arm.urdf", "--from", "lift=0", "--to", "lift=1.9", "--budget", "1"], 3),
    ("robot_matrix", &["robot", "matrix", "arm.urdf", "--srdf", "arm.srdf", "--tests", "200"], 3),
    ("robot_spheres", &["robot", "spheres", "arm.urdf", "--count", "20"], 0),
    ("info", &["info", "a.obj"], 0),
    ("info", &["info", "open.obj"], 0),
    ("build", &["build", "a.obj", "-o", "a.nhm"], 0),
    ("build", &["build", "a.obj", "-o", "a.nhm", "--volume", "kdop18"], 0),
    ("spheres", &["spheres", "a.obj", "--depth", "1", "--quick", "--measure"], 0),
    ("spheres", &["spheres", "a.obj", "--depth", "1", "--quick", "-o", "a.json"], 0),
    ("sphere_cover", &["spheres", "a.obj", "--count", "4", "-o", "a.urdf", "--format", "urdf"], 0),
    ("sphere_cover", &["spheres", "open.obj", "--sticks-out", "0.5"], 0),
    ("run", &["run", ".", "--query", "collide", "--per-pose", "collide.jsonl", "--witness"], 0),
    ("run", &["run", ".", "--query", "contacts", "--per-pose", "contacts.jsonl"], 0),
    ("run", &["run", ".", "--query", "distance", "--per-pose", "distance.jsonl", "--witness"], 0),
    ("run", &["run", ".", "--query", "within=0.5", "--work", "1", "--per-pose", "within.jsonl", "--witness"], 0),
    ("run", &["run", ".", "--query", "refine", "--work", "0", "--per-pose", "refine.jsonl"], 0),
    ("run", &["run", ".", "--query", "adb", "--per-pose", "adb.jsonl"], 0),
];

#[test]
fn what_is_printed_is_what_the_schema_describes() {
    let folder = Folder::with_case();
    folder.write("small.obj", SMALL);
    folder.write("open.obj", OPEN);
    says(&folder, &["robot", "example", "-o", "arm.urdf"], 0);
    let mut validator = Validator::new();
    for (definition, arguments, code) in PRINTED {
        let text = says(&folder, &[arguments, &["--json"][..]].concat(), *code);
        let value = serde_json::from_str(&text).expect("JSON");
        if let Err(error) = validator.check(definition, &value) {
            panic!("{arguments:?}: {error}");
        }
    }
    for query in ["collide", "contacts", "distance", "within", "refine", "adb"] {
        for line in folder.read(&format!("{query}.jsonl")).lines() {
            validator.check("pose", &serde_json::from_str(line).expect("JSON")).expect(query);
        }
    }
    validator.check("sphere_file", &serde_json::from_str(&folder.read("a.json")).expect("JSON")).expect("a.json");
    let schema = schema();
    let all: BTreeSet<String> = schema["$defs"].as_object().expect("definitions").keys().cloned().collect();
    assert_eq!(validator.used, all, "every definition was seen");
}

/// A validator that accepts everything would pass the test above.
#[test]
fn the_validator_refuses() {
    let folder = Folder::with_case();
    let text = says(&folder, &["distance", "a.obj", "b.obj", "--b-translate", "5 0 0", "--json"], 0);
    let good: Value = serde_json::from_str(&text).expect("JSON");
    let mut validator = Validator::new();
    validator.check("distance", &good).expect("good");
    let with = |name: &str, value: Value| {
        let mut bad = good.clone();
        bad[name] = value;
        bad
    };
    for (bad, expected) in [
        (with("gap", json!(1)), "distance: the field gap is not described"),
        (with("lower", json!(null)), "distance.lower: type"),
        (with("complete", json!("yes")), "distance.complete: type"),
        (with("triangles", json!([1])), "distance.triangles: minItems"),
        (with("triangles", json!([1, 2, 3])), "distance.triangles: maxItems"),
        (with("triangles", json!([1, -2])), "distance.triangles[1]: minimum"),
        (with("triangles", json!([1, 2.5])), "distance.triangles[1]: type"),
        (with("points", json!([[0, 0, 0], [0, 0]])), "distance.points[1]: vector: minItems"),
        (with("inside", json!("c_in_d")), "distance.inside: enum"),
    ] {
        let error = validator.check("distance", &bad).expect_err(expected);
        assert!(error.starts_with(expected), "{error}\ndoes not begin with\n{expected}");
    }
    let mut short = good;
    short.as_object_mut().expect("an object").remove("n_v");
    assert!(validator.check("distance", &short).expect_err("a field is missing").starts_with("distance: required"));
    assert!(validator.check("solid", &json!({ "depth": 3 })).is_err());
}

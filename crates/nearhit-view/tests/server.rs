//! Who may ask, and what is answered.

mod client;

use client::Address;
use nearhit::research::adb::{Averages, Options, Quality};
use nearhit::research::build::BuildOptions;
use nearhit::research::sphere_tree::{SphereMethod, SphereOptions};
use nearhit::research::{ModelExt, PairExt, RefinementExt, SphereTreeExt, VolumeKind};
use nearhit::{
    Budget, Mesh, Model, Pair, Pose, Refinement, Scratch, Settings, SpherePair, SphereTree, Tolerance, Verdict,
};
use nearhit_testkit::Soup;
use nearhit_testkit::shapes::{torus, uv_sphere};
use nearhit_view::{Body, Scene};
use serde_json::{Value, json};

fn model(soup: &Soup) -> Model {
    Model::new(Mesh::new(&soup.vertices, &soup.triangles).expect("a mesh"))
}

fn at(x: f64) -> Pose {
    Pose::from_translation([x, 0.0, 0.0]).expect("a pose")
}

fn scene() -> Scene {
    let body =
        |name: &str, soup: &Soup, pose| Body { name: name.to_owned(), model: model(soup), world_from_body: pose };
    let poses = (0..5).map(|step| [Pose::IDENTITY, at(3.0 - 0.5 * f64::from(step))]).collect();
    Scene::new(
        [body("ball", &uv_sphere(8, 12), Pose::IDENTITY), body("ring", &torus(16, 8, 1.0, 0.25), at(3.0))],
        poses,
    )
}

/// The host and the path under the token of a server that runs for the rest of the test.
fn serve() -> (String, String) {
    let Address { host, base } = client::serve(scene(), client::patient());
    (host, base)
}

/// Status and body.
fn request(host: &str, method: &str, path: &str, headers: &[String], body: &str) -> (u16, Vec<u8>) {
    let mut client = Address { host: host.to_owned(), base: String::new() }.connect();
    let length = body.len();
    client.send(format!(
        "{method} {path} HTTP/1.0\r\n{}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}",
        headers.join("\r\n")
    ));
    let answer = client.answer();
    (answer.status, answer.body)
}

fn own(host: &str) -> Vec<String> {
    vec![format!("Host: {host}")]
}

fn ask(host: &str, path: &str, question: &Value) -> Value {
    let (status, body) = request(host, "POST", path, &own(host), &question.to_string());
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).expect("JSON")
}

fn places(x: f64) -> Value {
    let place = |x: f64| json!({ "rotation": [0, 0, 0, 1], "translation": [x, 0, 0] });
    json!({ "places": [place(0.0), place(x)] })
}

#[test]
fn only_its_own_page_is_answered() {
    let (host, base) = serve();
    assert!(host.starts_with("127.0.0.1:") && base.len() == 34, "{host}{base}");
    let status = |path: &str, headers: &[String]| request(&host, "GET", path, headers, "").0;
    assert_eq!(status(&base, &own(&host)), 200);
    for path in ["/", "/scene", "/00000000000000000000000000000000/scene", "//scene"] {
        assert_eq!(status(path, &own(&host)), 404, "{path}");
    }
    for foreign in ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost"] {
        assert_eq!(status(&base, &[format!("Host: {foreign}")]), 403, "{foreign}");
    }
    assert_eq!(status(&base, &[]), 403);
    assert_eq!(status(&base, &[own(&host), vec!["Origin: http://evil.example".to_owned()]].concat()), 403);
    assert_eq!(status(&base, &[own(&host), vec![format!("Origin: http://{host}")]].concat()), 200);
}

#[test]
fn no_path_is_a_file() {
    let (host, base) = serve();
    let files = [
        "Cargo.toml",
        "../Cargo.toml",
        "..%2f..%2fetc/passwd",
        "mesh/2",
        "mesh/../scene",
        "/etc/passwd",
        "page.html",
        "fly.html",
        "fly.js",
        "scene?x",
    ];
    for file in files {
        assert_eq!(request(&host, "GET", &format!("{base}{file}"), &own(&host), "").0, 404, "{file}");
    }
    assert_eq!(request(&host, "GET", &format!("{base}ask"), &own(&host), "").0, 404, "a question is posted");
}

#[test]
fn the_distance_is_the_librarys() {
    let (host, base) = serve();
    let scene = ask_scene(&host, &base);
    assert_eq!((&scene["names"], &scene["poses"]), (&json!(["ball", "ring"]), &json!(5)));
    let (ball, ring) = (model(&uv_sphere(8, 12)), model(&torus(16, 8, 1.0, 0.25)));
    for x in [3.0, 2.5, 2.125, 1.5] {
        let told = ask(&host, &format!("{base}ask"), &places(x));
        let pair = Pair::new(&ball, &Pose::IDENTITY, &ring, &at(x)).expect("in range");
        let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
        assert_eq!(told["distance"].as_f64(), Some(found.upper), "{x}");
        assert_eq!(told["touching"], found.upper == 0.0);
        let contacts = pair.contacts(&Settings::default(), &mut Scratch::new()).pairs.len();
        assert_eq!(told["contacts"], contacts);
    }
    let rows = ask(&host, &format!("{base}compare"), &places(2.5));
    let rows = rows.as_array().expect("rows");
    assert_eq!(rows.len(), VolumeKind::ALL.len());
    assert!(rows.iter().all(|row| row["distance"] == rows[0]["distance"] && row["n_v"].as_u64() > Some(0)));
    let (_, bytes) = request(&host, "GET", &format!("{base}flight"), &own(&host), "");
    let flight: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(flight.as_array().map(Vec::len), Some(5));
    assert_eq!(flight[1]["distance"], ask(&host, &format!("{base}ask"), &places(2.5))["distance"]);
}

fn ask_scene(host: &str, base: &str) -> Value {
    let (_, body) = request(host, "GET", &format!("{base}scene"), &own(host), "");
    serde_json::from_slice(&body).expect("JSON")
}

fn refine(host: &str, base: &str, x: f64, rest: &Value) -> Value {
    let mut question = places(x);
    question.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
    loop {
        let told = ask(host, &format!("{base}refine"), &question);
        if !told["known"].is_null() {
            return told["known"].clone();
        }
        let share = told["building"].as_f64().expect("a share");
        assert!((0.0..=1.0).contains(&share));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// At every budget what the page is told is what the library says, and the more is spent the
/// narrower it gets.
#[test]
fn a_refinement_is_the_librarys() {
    let (host, base) = serve();
    let (ball, ring) = (model(&uv_sphere(8, 12)), model(&torus(16, 8, 1.0, 0.25)));
    let options = SphereOptions::new().method(SphereMethod::Octree);
    let trees = [&ball, &ring].map(|model| SphereTree::build(model, &options));
    let (mut verdicts, mut drawn) = ([0; 3], 0);
    for x in [2.4, 2.26, 2.251, 2.2] {
        let pair = Pair::new(&ball, &Pose::IDENTITY, &ring, &at(x)).expect("in range");
        let pair = SpherePair::new(pair, &trees[0], &trees[1]);
        let mut widest = f64::INFINITY;
        for work in [0, 1, 30, 300, 3_000, 1_000_000] {
            let told =
                refine(&host, &base, x, &json!({ "method": "octree", "budget": { "work": work }, "whole": true }));
            let mut refinement = Refinement::default();
            let known = refinement.run(&pair, &Budget::work(work));
            assert_eq!(told["lower"].as_f64(), Some(known.separation.lower), "{x} {work}");
            assert_eq!(told["upper"].as_f64().unwrap_or(f64::INFINITY), known.separation.upper, "{x} {work}");
            let index = match known.verdict {
                Verdict::Yes => 0,
                Verdict::No => 1,
                Verdict::Maybe => 2,
            };
            verdicts[index] += 1;
            let expected = (&json!(known.verdict.known()), &json!(known.level));
            assert_eq!((&told["collides"], &told["level"]), expected);
            assert_eq!(told["pairs"], refinement.colliding().len());
            let width = known.separation.upper - known.separation.lower;
            assert!(width <= widest, "{x} {work}: {width} after {widest}");
            widest = width;
            // Who meets and who does not are the level.
            for (body, tree) in trees.iter().enumerate() {
                let count = |list: &Value| list[body].as_array().map_or(0, Vec::len);
                let level = (known.level as usize).min(tree.levels().len() - 1);
                assert_eq!(count(&told["meeting"]) + count(&told["others"]), tree.level(level).len());
                drawn += count(&told["meeting"]);
            }
        }
        assert!(refine(&host, &base, x, &json!({ "method": "octree", "budget": { "us": 1e9 } }))["complete"] == true);
    }
    assert!(verdicts.iter().all(|&count| count > 1) && drawn > 50, "{verdicts:?} {drawn}");
}

/// Every volume can be drawn, and what is drawn of the root reaches as far as the body.
#[test]
fn every_volume_is_drawn() {
    let (host, base) = serve();
    for volume in VolumeKind::ALL {
        for level in [0, 2] {
            let told =
                ask(&host, &format!("{base}volumes"), &json!({ "body": 1, "volume": volume.name(), "level": level }));
            let hulls = told["hulls"].as_array().expect("hulls");
            assert_eq!(told["nodes"], hulls.len(), "{volume}");
            assert!(told["levels"].as_u64() > Some(3) && hulls.len() == 1 << level, "{volume}: {}", hulls.len());
        }
        let told = ask(&host, &format!("{base}volumes"), &json!({ "body": 1, "volume": volume.name(), "level": 0 }));
        let numbers: Vec<f64> = told["hulls"][0].as_array().expect("points").iter().filter_map(Value::as_f64).collect();
        let most = |axis: usize| numbers.iter().skip(axis).step_by(3).fold(f64::NEG_INFINITY, |most, &x| most.max(x));
        // A round volume is drawn with some hundred directions: a hair is missing.
        assert!(most(0) >= 1.2 && most(1) >= 1.2 && most(2) >= 0.2, "{volume}: {} {} {}", most(0), most(1), most(2));
    }
}

/// The likely pairs are the library's, each with a volume of either body that the library finds
/// meeting; far apart there is none.
#[test]
fn likely_pairs_are_the_librarys() {
    let (host, base) = serve();
    let with_boxes = |soup: &Soup| Model::with(model(soup).mesh().clone(), VolumeKind::Obb, &BuildOptions::default());
    let models = [with_boxes(&uv_sphere(8, 12)), with_boxes(&torus(16, 8, 1.0, 0.25))];
    let tables = models.each_ref().map(|model| Averages::new(model, &Options::default()));
    let mut found = 0;
    for x in [1.9, 2.1, 6.0] {
        let told = ask(&host, &format!("{base}likely"), &places(x));
        let pair = Pair::new(&models[0], &Pose::IDENTITY, &models[1], &at(x)).expect("in range");
        let mut scratch = Scratch::new();
        let settings = Settings::new().budget(Budget::work(2_000));
        let averaged = pair.averaged(&tables[0], &tables[1]).expect("their own");
        let estimate = averaged.collide(&Quality::tuned(), &settings, &mut scratch);
        assert_eq!(told["probability"].as_f64(), Some(estimate.probability()), "{x}");
        let probabilities: Vec<f64> = estimate.likely.iter().map(|pair| pair.probability).collect();
        assert_eq!(told["pairs"], json!(probabilities), "{x}");
        for body in 0..2 {
            let hulls = told["hulls"][body].as_array().expect("hulls");
            assert_eq!(hulls.len(), probabilities.len());
            // The corners of a box.
            assert!(hulls.iter().all(|hull| (4..=8 * 3).contains(&hull.as_array().map_or(0, Vec::len))), "{hulls:?}");
        }
        // Where they are drawn they meet: some point of the one is as near as both are large.
        for (a, b) in
            told["hulls"][0].as_array().into_iter().flatten().zip(told["hulls"][1].as_array().into_iter().flatten())
        {
            let middle = |hull: &Value| {
                let numbers: Vec<f64> = hull.as_array().expect("points").iter().filter_map(Value::as_f64).collect();
                let count = numbers.len() as f64 / 3.0;
                let mean = |axis: usize| numbers.iter().skip(axis).step_by(3).sum::<f64>() / count;
                let middle = [mean(0), mean(1), mean(2)];
                let far = |point: &[f64]| (0..3).map(|axis| (point[axis] - middle[axis]).powi(2)).sum::<f64>().sqrt();
                (middle, numbers.chunks(3).map(far).fold(0.0, f64::max))
            };
            let (([p, q, r], own), ([s, t, u], other)) = (middle(a), middle(b));
            let apart = ((s + x - p).powi(2) + (t - q).powi(2) + (u - r).powi(2)).sqrt();
            assert!(apart <= own + other + 1e-5, "{x}: {apart} {own} {other}");
        }
        found += probabilities.len();
        assert!(x < 6.0 || probabilities.is_empty());
    }
    assert!(found >= 10, "{found}");
}

#[test]
fn bad_questions_are_refused() {
    let (host, base) = serve();
    let refused = |path: &str, body: &str| {
        let (status, told) = request(&host, "POST", &format!("{base}{path}"), &own(&host), body);
        assert_eq!(status, 400, "{body}");
        String::from_utf8(told).expect("text")
    };
    refused("ask", "");
    refused("ask", "{\"places\":[]}");
    refused("ask", &" ".repeat(5000));
    let place = json!({ "rotation": [0, 0, 0, 0], "translation": [0, 0, 0] });
    refused("ask", &json!({ "places": [place, place] }).to_string());
    let far = json!({ "rotation": [0, 0, 0, 1], "translation": [1e305, 0, 0] });
    let near = json!({ "rotation": [0, 0, 0, 1], "translation": [0, 0, 0] });
    refused("ask", &json!({ "places": [far, near] }).to_string());
    assert!(
        refused("volumes", &json!({ "body": 0, "volume": "cube", "level": 0 }).to_string())
            .contains("unknown volume 'cube'")
    );
    let refine = |budget: Value, method: &str| {
        let mut question = places(3.0);
        question["budget"] = budget;
        question["method"] = json!(method);
        refused("refine", &question.to_string())
    };
    assert!(refine(json!({ "us": -1.0 }), "medial").contains("-1: the budget must be"));
    assert!(refine(json!({ "us": 1e300 }), "medial").contains("the budget must be"));
    refine(json!({ "work": -1 }), "medial");
    refine(json!({ "time": 1 }), "medial");
    assert!(refine(json!({ "work": 1 }), "cubes").contains("unknown variant `cubes`"));
    refused("refine", &places(3.0).to_string());
    refused("volumes", &json!({ "body": 2, "volume": "obb", "level": 0 }).to_string());
}

/// Requests whose bodies are said to be huge, or never come, keep nobody waiting, and end nothing.
#[test]
fn bodies_that_do_not_come_are_not_waited_for() {
    let (host, base) = serve();
    let address = Address { host: host.clone(), base: base.clone() };
    let begin = |path: &str, name: &str, length: u64| {
        let mut client = address.connect();
        client.send(format!("POST {path} HTTP/1.1\r\nHost: {name}\r\nContent-Length: {length}\r\n\r\n"));
        client
    };
    let mut foreign = [u64::MAX, 100_000_000_000, 5000].map(|length| begin("/x", "evil", length));
    let begun = begin(&base, &host, 100);
    assert_eq!(request(&host, "GET", &base, &own(&host), "").0, 200);
    assert_eq!(request(&host, "POST", "/x", &["Host: evil".to_owned()], "a body").0, 403);
    for client in &mut foreign {
        assert!((400..500).contains(&client.answer().status));
    }
    drop(begun);
}

//! `nearhit demo` writes a page that needs nothing else.

use crate::support::{Folder, complains, nearhit, stderr, stdout};

#[test]
fn the_demo_writes_one_self_contained_page() {
    let folder = Folder::new();
    let file = folder.file("page.html");
    let output = nearhit(&["demo", "--no-open", "--out", file.to_str().expect("a plain name")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("All volumes agree at every pose.") && text.contains("obb"), "{text}");
    // Users first: what is asked of two bodies, and the other jobs, before the volumes.
    let (first, research) = text.split_once("Research:").expect("a part for researchers");
    for word in ["do they touch?", "how far apart?", "closer than 0.05?", "how deep, as solids?"] {
        assert!(first.contains(word), "{word}: {text}");
    }
    for job in ["nearhit clash", "nearhit robot", "nearhit nc"] {
        assert!(first.contains(job), "{job}: {text}");
    }
    assert!(first.contains("at 144 of 360 poses") && first.contains("7 findings"), "{text}");
    assert!(!first.contains("obb") && research.contains("obb"), "{text}");
    assert!(!text.contains('\x1b'), "no colours in a pipe");
    let page = folder.read("page.html");
    for outside in ["http://", "https://", "src=", "href=", "@import", "url(", "{{", "}}\n"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let begin = page.find("application/json\">").expect("the data") + "application/json\">".len();
    let end = begin + page[begin..].find("</script>").expect("its end");
    let data: serde_json::Value = serde_json::from_str(&page[begin..end]).expect("JSON");
    let flight = data["flight"].as_array().expect("a flight");
    let touching = flight.iter().filter(|moment| moment["contacts"] != 0).count();
    assert!(touching * 5 > flight.len() && touching * 2 < flight.len(), "{touching} of {} touch", flight.len());
    assert!(flight.iter().all(|moment| (moment["contacts"] == 0) == moment["a"].as_array().expect("ids").is_empty()));
    // What budgets prove: intervals that narrow, to a certain end.
    assert_eq!((page.matches("<polygon class=\"band\"").count(), page.matches("<figure>").count()), (1, 4));
    assert!(
        page.matches("<circle class=\"ring meets\"").count() > 30
            && page.matches("<circle class=\"wire\"").count() > 300
    );
    let (_, short) = text.split_once("When time is short").expect("the refinement");
    let intervals: Vec<Vec<f64>> = short
        .lines()
        .filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0))
        .map(|ends| ends.split(", ").map(|end| end.parse().expect("a number")).collect())
        .collect();
    assert!(intervals.len() >= 4, "{short}");
    assert!(intervals.windows(2).all(|pair| pair[0][0] <= pair[1][0] && pair[0][1] >= pair[1][1]), "{short}");
    assert!(intervals[0][1] > 10.0 * intervals[intervals.len() - 1][1] && short.contains("certainly apart"), "{short}");
    assert_eq!(
        page.matches("<polyline").count(),
        nearhit::research::VolumeKind::ALL.len() + 1,
        "the default engine and every volume"
    );
}

/// And before anything is told: not after the work.
#[test]
fn a_page_that_cannot_be_written_is_refused() {
    let folder = Folder::new();
    for out in ["no/such/page.html", "."] {
        let message = complains(&folder, &["demo", "--no-open", "--out", out]);
        assert!(message.contains(&format!("{out}: cannot be written; choose another file with --out")), "{message}");
    }
}

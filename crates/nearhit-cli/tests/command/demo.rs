//! `nearhit demo` writes a page that needs nothing else.

use crate::support::{Folder, nearhit, stderr, stdout};

#[test]
fn the_demo_writes_one_self_contained_page() {
    let folder = Folder::new();
    let file = folder.file("page.html");
    let output = nearhit(&["demo", "--no-open", "--out", file.to_str().expect("a plain name")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("All volumes agree at every pose.") && text.contains("obb"), "{text}");
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
    assert_eq!(
        page.matches("<polyline").count(),
        nearhit::VolumeKind::ALL.len() + 1,
        "the default engine and every volume"
    );
}

//! Any text as a shape (`box:1,2,3+0.1`).

#![no_main]

use nearhit::shape::{Shape, ShapePair};
use nearhit::{Pose, Scratch, Settings, Tolerance};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(shape) = text.parse::<Shape>() else { return };
    let Ok(pair) = ShapePair::new(&shape, &Pose::IDENTITY, &shape, &Pose::IDENTITY) else { return };
    // In the same place: they touch.
    let found = pair.distance(Tolerance::EXACT, &Settings::default(), &mut Scratch::new());
    assert_eq!(found.lower, 0.0, "{text}");
});

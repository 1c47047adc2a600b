//! Parts that the Python module makes when they are first asked for: asked for while they are made,
//! by a task that the maker's thread takes up, they come all the same.

#[path = "../../../crates/nearhit-py/src/once.rs"]
mod once;

use once::Once;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Only what hangs takes so long.
const HANGS: Duration = Duration::from_secs(300);

#[test]
fn a_part_that_is_being_made_can_be_asked_for() {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let part = Once::new();
        let outer = *part.get_or_make(|| *part.get_or_make(|| 5));
        let _ = send.send((outer, *part.get_or_make(|| 7)));
    });
    assert_eq!(receive.recv_timeout(HANGS), Ok((5, 5)), "it waits for itself");
}

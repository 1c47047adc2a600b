//! A flood of posts from a page that does not know the token. One test alone in its process, whose
//! descriptors and threads it counts.

mod client;

use client::{Address, patient, serve};
use nearhit_view::{Limits, Question, Reply, Site};
use std::fs;

struct Page;

impl Site for Page {
    fn answer(&self, question: &Question) -> Option<Reply> {
        (question.path == "/").then(|| Reply::asset("page", "text/plain"))
    }
}

/// Of this process, where the system tells.
fn descriptors() -> Option<usize> {
    Some(fs::read_dir("/proc/self/fd").ok()?.count())
}

fn threads() -> Option<usize> {
    Some(fs::read_dir("/proc/self/task").ok()?.count())
}

/// 500 posts whose bodies never come; the last 40 connections are still held.
fn flood(address: &Address, worker: usize) -> Vec<client::Client> {
    let mut held = Vec::new();
    for number in 0..500 {
        let mut client = address.connect();
        let host = ["evil.example", &address.host][number % 2];
        let length = ["Content-Length: 100", "Transfer-Encoding: chunked", "Content-Length: 5000000000"][number % 3];
        // Some are ended by others of this flood before they have spoken.
        let _ = client.try_send(format!("POST /{worker} HTTP/1.1\r\nHost: {host}\r\n{length}\r\n\r\n"));
        held.push(client);
        if held.len() > 40 {
            held.remove(0);
        }
    }
    held
}

#[test]
fn a_flood_leaves_nothing_behind() {
    // No wait ends by itself: what bounds the flood is the number of connections.
    let limits = Limits { connections: 64, linger_time: client::NEVER, ..patient() };
    let address = serve(Page, limits);
    assert_eq!(address.get("").status, 200);
    let before = (descriptors(), threads());
    let held: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..8).map(|worker| (worker, &address)).collect();
        let workers: Vec<_> = workers.into_iter().map(|(n, address)| scope.spawn(move || flood(address, n))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a flood")).collect()
    });
    let connected = held.len();
    assert_eq!(connected, 8 * 40);
    assert_eq!(address.get("").status, 200, "while all are held");
    let during = (descriptors(), threads());
    if let ((Some(descriptors), Some(threads)), (Some(more), Some(others))) = (before, during) {
        let own = more - connected;
        assert!(own <= descriptors + limits.connections + 1, "{own} descriptors, {descriptors} before");
        assert!(others <= threads, "{others} threads, {threads} before");
    }
    drop(held);
    assert_eq!(address.get("").status, 200, "after all");
}

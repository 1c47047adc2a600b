//! Slow, broken and hostile clients: each is refused or ended, and the page is answered.

mod client;

use client::{Address, patient, serve};
use nearhit_view::{Limits, Question, Reply, Server, Site};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

/// A time that is reached on purpose.
const SOON: Duration = Duration::from_millis(50);

/// Counts what is posted to it, and has a large page.
#[derive(Default)]
struct Counter(Arc<AtomicU64>);

const LARGE: usize = 32 << 20;
/// Made once, so that asking for it costs nothing.
static LARGE_PAGE: LazyLock<String> = LazyLock::new(|| "x".repeat(LARGE));

impl Site for Counter {
    fn answer(&self, question: &Question) -> Option<Reply> {
        match (question.path.as_str(), &question.posted) {
            ("/", None) => Some(Reply::asset("page", "text/plain")),
            ("/large", None) => Some(Reply::asset(&LARGE_PAGE, "text/plain")),
            ("/count", Some(_)) => Some(Reply::json(Ok(self.0.fetch_add(1, Ordering::Relaxed)))),
            _ => None,
        }
    }
}

fn page_is_answered(address: &Address) {
    let answer = address.get("");
    assert_eq!((answer.status, answer.body.as_slice()), (200, b"page".as_slice()));
}

/// Strangers are answered although nothing of what they promise to post was sent.
#[test]
fn admission_is_judged_before_the_body() {
    let address = serve(Counter::default(), patient());
    let Address { host, base } = &address;
    for length in ["Content-Length: 100", "Content-Length: 100000000000", "Transfer-Encoding: chunked"] {
        let foreign = [
            (403, format!("POST {base}count HTTP/1.1\r\nHost: evil.example\r\n")),
            (403, format!("POST {base}count HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n")),
            (403, format!("POST {base}count HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n")),
            (403, format!("POST {base}count HTTP/1.1\r\nHost: {host}\r\nOrigin: null\r\n")),
            (
                403,
                format!("POST {base}count HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nOrigin: http://x\r\n"),
            ),
            (404, format!("POST /x HTTP/1.1\r\nHost: {host}\r\n")),
            (404, format!("POST http://{host}{base}count HTTP/1.1\r\nHost: {host}\r\n")),
            (404, format!("PUT {base}count HTTP/1.1\r\nHost: {host}\r\n")),
            (404, format!("GET {base} HTTP/1.1\r\nHost: {host}\r\n")),
        ];
        for (status, head) in foreign {
            let mut client = address.connect();
            client.send(format!("{head}{length}\r\n\r\n"));
            assert_eq!(client.answer().status, status, "{head}{length}");
        }
    }
    page_is_answered(&address);
}

/// Refusals do not wait for the answer that is being made, and neither does reading.
#[test]
fn a_long_answer_keeps_no_refusal_waiting() {
    struct Slow(Mutex<(Sender<()>, Receiver<()>)>);
    impl Site for Slow {
        fn answer(&self, _: &Question) -> Option<Reply> {
            let (begun, go_on) = &*self.0.lock().expect("one thread");
            begun.send(()).expect("a test");
            go_on.recv().expect("a test");
            Some(Reply::asset("page", "text/plain"))
        }
    }
    let (begun, has_begun) = channel();
    let (let_go, go_on) = channel();
    let address = serve(Slow(Mutex::new((begun, go_on))), patient());
    let mut client = address.connect();
    client.send(format!("{}\r\n", address.head("GET", "")));
    has_begun.recv().expect("a question");
    assert_eq!(address.status_of("GET / HTTP/1.1\r\nHost: evil\r\n\r\n"), 403);
    let long = format!("{}Content-Length: 5000\r\n\r\n", address.head("POST", ""));
    assert_eq!(address.status_of(long), 400);
    let_go.send(()).expect("a server");
    assert_eq!(client.answer().status, 200);
}

#[test]
fn lengths_that_are_none_are_refused() {
    let address = serve(Counter::default(), patient());
    let lengths =
        ["18446744073709551615", "18446744073709551616", "9223372036854775808", "-1", "+4", "abc", "", "4, 5"];
    let mut bad: Vec<String> = lengths.map(|length| format!("Content-Length: {length}\r\n")).to_vec();
    bad.push("Content-Length: 4\r\nContent-Length: 5\r\n".to_owned());
    bad.push("Transfer-Encoding: gzip\r\n".to_owned());
    bad.push("Content-Length: 4097\r\n".to_owned());
    for lines in bad {
        let status = address.status_of(format!("{}{lines}\r\nbody", address.head("POST", "count")));
        assert!((400..500).contains(&status), "{lines}: {status}");
    }
    page_is_answered(&address);
}

/// The longest question is answered, whole or in pieces; a longer one is not.
#[test]
fn questions_are_short() {
    let address = serve(Counter::default(), patient());
    let whole = |length: usize| {
        let body = " ".repeat(length);
        address.status_of(format!("{}Content-Length: {length}\r\n\r\n{body}", address.head("POST", "count")))
    };
    let pieces = |length: usize| {
        let body = "1\r\n \r\n".repeat(length);
        address.status_of(format!("{}Transfer-Encoding: chunked\r\n\r\n{body}0\r\n\r\n", address.head("POST", "count")))
    };
    assert_eq!((whole(4096), pieces(4096)), (200, 200));
    assert_eq!((whole(4097), pieces(4097)), (400, 400));
}

/// What is refused is told so even when it had more to say: the rest is read after the answer.
#[test]
fn a_refusal_is_not_lost() {
    let address = serve(Counter::default(), Limits { linger_time: client::NEVER, ..patient() });
    for _ in 0..20 {
        let body = "x".repeat(100_000);
        let mut client = address.connect();
        client.send(format!("POST /x HTTP/1.1\r\nHost: evil\r\nContent-Length: 100000\r\n\r\n{body}"));
        assert_eq!(client.answer().status, 403);
    }
}

/// With few connections, and no time limit that could help: strangers make room.
#[test]
fn strangers_keep_no_page_waiting() {
    let limits = Limits { connections: 8, linger_time: client::NEVER, ..patient() };
    let address = serve(Counter::default(), limits);
    let begun = [
        String::new(),
        "G".to_owned(),
        address.head("POST", "count"),
        "POST /x HTTP/1.1\r\nHost: evil\r\nContent-Length: 100\r\n\r\n".to_owned(),
        "POST /x HTTP/1.1\r\nHost: evil\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n".to_owned(),
    ];
    let mut strangers = Vec::new();
    for round in 0..20 {
        for text in &begun {
            let mut client = address.connect();
            let _ = client.try_send(text);
            strangers.push(client);
        }
        // The page's own connection is a stranger, too, until it has spoken; so it comes last.
        let answer = address.get("");
        assert_eq!(answer.status, 200, "round {round}");
    }
}

/// Nobody loses the connection on which an answer is awaited: with all of them taken by the page,
/// others wait.
#[test]
fn whoever_knows_the_token_keeps_the_connection() {
    let address = serve(Counter::default(), Limits { connections: 4, ..patient() });
    let ask = format!("{}\r\n", address.head("GET", ""));
    let mut own: Vec<_> = (0..3).map(|_| address.connect()).collect();
    for client in &mut own {
        client.send(&ask);
        assert_eq!(client.answer().status, 200);
    }
    for _ in 0..50 {
        let mut stranger = address.connect();
        let _ = stranger.try_send("POST /x HTTP/1.1\r\n");
        std::mem::forget(stranger);
    }
    for client in &mut own {
        client.send(&ask);
        assert_eq!(client.answer().status, 200);
    }
}

/// One connection at a time: the next is answered only when the first one's time is over.
#[test]
fn every_wait_has_an_end() {
    type Begin = fn(&Address) -> String;
    let alone = Limits { connections: 1, linger_time: SOON, ..patient() };
    let cases: [(&str, Limits, Begin); 5] = [
        ("idle", Limits { head_time: SOON, ..alone }, |address| format!("{}\r\n", address.head("GET", ""))),
        ("half a head", Limits { head_time: SOON, ..alone }, |address| {
            format!("{}\r\n{}", address.head("GET", ""), address.head("GET", ""))
        }),
        ("no body", Limits { body_time: SOON, ..alone }, |address| {
            format!("{}Content-Length: 9\r\n\r\n", address.head("POST", "count"))
        }),
        ("half a chunk", Limits { body_time: SOON, ..alone }, |address| {
            format!("{}Transfer-Encoding: chunked\r\n\r\n9\r\nhalf", address.head("POST", "count"))
        }),
        ("never reads", Limits { write_time: SOON, ..alone }, |address| {
            format!("{}\r\n", address.head("GET", "large"))
        }),
    ];
    for (name, limits, begin) in cases {
        let address = serve(Counter::default(), limits);
        let mut client = address.connect();
        // A stranger would make room for the next one: this client is known before it begins.
        client.send(format!("{}\r\n", address.head("GET", "")));
        assert_eq!(client.answer().status, 200, "{name}");
        client.send(begin(&address));
        if name == "idle" || name == "half a head" {
            assert_eq!(client.answer().status, 200, "{name}");
        }
        page_is_answered(&address);
        let rest = client.rest();
        assert!(rest.len() < LARGE, "{name}");
        assert_eq!(name.ends_with("body") || name.ends_with("chunk"), rest.starts_with(b"HTTP/1.1 408"), "{name}");
    }
}

/// Bytes that keep coming, one by one, do not put off the end.
#[test]
fn trickles_have_an_end() {
    let limits = Limits { head_time: SOON, body_time: SOON, linger_time: SOON, ..patient() };
    let address = serve(Counter::default(), limits);
    let head = address.head("GET", "");
    let body = format!("{}Transfer-Encoding: chunked\r\n\r\n", address.head("POST", "count"));
    for (begin, piece) in [(head, "A: b\r\n"), (body, "1\r\n \r\n")] {
        let mut client = address.connect();
        client.send(begin);
        // Ended by time or, if the machine is so quick, by length: it ends.
        let ended = (0..100_000).any(|_| client.try_send(piece).is_err());
        assert!(ended, "{piece:?}");
    }
    page_is_answered(&address);
}

#[test]
fn heads_are_short() {
    let address = serve(Counter::default(), patient());
    let head = address.head("GET", "");
    let refused = |lines: &str| {
        let mut client = address.connect();
        let _ = client.try_send(format!("{head}{lines}\r\n"));
        let rest = client.rest();
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 431"), "{}", String::from_utf8_lossy(&rest));
    };
    refused(&"A: b\r\n".repeat(100));
    refused(&format!("A: {}\r\n", "b".repeat(40_000)));
    refused(&format!("A: {}\r\n", "b".repeat(20_000_000)));
    refused(&format!("{}: b\r\n", "a".repeat(1_000_000)));
    refused(&"A: b\r\n".repeat(1_000_000));
    let long = format!("GET {}{} HTTP/1.1\r\n", address.base, "x".repeat(100_000));
    let mut client = address.connect();
    let _ = client.try_send(long);
    assert!(!client.rest().starts_with(b"HTTP/1.1 200"));
    // As long as a browser's with its cookies.
    let usual = format!("{head}Cookie: {}\r\n{}\r\n", "c".repeat(16_000), "A: b\r\n".repeat(40));
    assert_eq!(address.status_of(usual), 200);
}

/// Requests sent ahead are answered in their order; after a refusal nothing is.
#[test]
fn pipelined_requests_keep_their_order() {
    let address = serve(Counter::default(), patient());
    let post = format!("{}Content-Length: 2\r\n\r\n[]", address.head("POST", "count"));
    let mut client = address.connect();
    client.send(post.repeat(50));
    for number in 0..50 {
        assert_eq!(client.answer().body, number.to_string().into_bytes());
    }
    client.send(format!("GET /x HTTP/1.1\r\nHost: evil\r\n\r\n{post}"));
    assert_eq!(client.answer().status, 403);
    assert!(client.rest().is_empty());
    assert_eq!(address.status_of(&post), 200);
    let mut client = address.connect();
    client.send(&post);
    assert_eq!(client.answer().body, b"51", "what came after the refusal was not asked");
}

#[test]
fn old_requests_are_answered() {
    let address = serve(Counter::default(), patient());
    let Address { host, base } = &address;
    let mut client = address.connect();
    client.send(format!("GET {base} HTTP/1.0\r\nHost: {host}\r\n\r\n"));
    assert_eq!(client.answer().status, 200);
    assert!(client.rest().is_empty(), "closed after an answer");
    assert_eq!(address.status_of(format!("GET {base} HTTP/1.0\r\n\r\n")), 403);
    let answer = address.get("");
    for line in ["content-security-policy: default-src 'self';", "cache-control: no-store", "nosniff", "no-referrer"] {
        assert!(answer.head.to_ascii_lowercase().contains(line), "{}", answer.head);
    }
}

#[test]
fn garbage_ends_nothing() {
    let address = serve(Counter::default(), patient());
    let mut seed = 1_u64;
    let mut byte = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 56) as u8
    };
    let mut blobs: Vec<Vec<u8>> = (0..200).map(|length| (0..length * 20).map(|_| byte()).collect()).collect();
    blobs.push(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec());
    blobs.push(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec());
    blobs.push(b"\r\n".repeat(100_000));
    blobs.push(vec![0; 1_000_000]);
    for blob in blobs {
        let mut client = address.connect();
        let _ = client.try_send(blob);
        let _ = client.stream.shutdown(std::net::Shutdown::Write);
        let rest = client.rest();
        assert!(!rest.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(&rest));
    }
    page_is_answered(&address);
}

/// Whoever has said all is answered; whoever has not is not.
#[test]
fn half_closed_connections_are_answered() {
    let address = serve(Counter::default(), patient());
    let post = format!("{}Content-Length: 2\r\n\r\n[]", address.head("POST", "count"));
    for number in 0..20 {
        let mut client = address.connect();
        client.send(&post);
        client.half_close();
        assert_eq!(client.answer().body, number.to_string().into_bytes());
        assert!(client.rest().is_empty());
    }
    for length in 0..post.len() {
        let mut client = address.connect();
        client.send(&post[..length]);
        client.half_close();
        assert!(!client.rest().starts_with(b"HTTP/1.1 200"), "{length} bytes");
    }
    let mut client = address.connect();
    client.send(&post);
    assert_eq!(client.answer().body, b"20", "nothing unfinished was asked");
}

#[test]
fn early_disconnects_end_nothing() {
    let address = serve(Counter::default(), patient());
    let post = format!("{}Content-Length: 2\r\n\r\n[]", address.head("POST", "count"));
    for length in 0..=post.len() {
        let mut client = address.connect();
        client.send(&post[..length]);
        drop(client);
        let mut client = address.connect();
        client.send(format!("{}\r\n", address.head("GET", "large")));
        drop(client);
    }
    page_is_answered(&address);
}

/// A server that ends has sent what it answered.
#[test]
fn the_last_answer_is_sent() {
    let limits = Limits { linger_time: client::NEVER, ..patient() };
    let server = Server::with_limits(Counter::default(), 0, limits).expect("a free port");
    let address = Address::of(&server.url());
    let asking = std::thread::spawn(move || {
        let mut client = address.connect();
        let post = format!("{}Content-Length: 0\r\n\r\n", address.head("POST", "count"));
        client.send(format!("{}\r\n{post}", address.head("GET", "large")));
        (client.answer().body.len(), client.answer().body)
    });
    server.run_until(|site| site.0.load(Ordering::Relaxed) > 0);
    let site = server.into_site();
    assert_eq!(site.0.load(Ordering::Relaxed), 1);
    assert_eq!(asking.join().expect("answers"), (LARGE, b"0".to_vec()));
}

//! HTTP server on the loopback address: a site, and the thread that reads and writes its
//! connections.
//!
//! | module | question |
//! |---|---|
//! | `admission` | who may ask |
//! | `limits` | how much, and for how long |
//! | `connections` | who is connected, and who makes room |
//! | `conversation` | one connection: judged, read, asked, answered |
//! | `wire` | its bytes, and answers that nobody takes |
//!
//! One thread does all reading and writing; it never computes. The thread that calls
//! [`Server::run_until`] does all answering, one question after the other in the order in which
//! they were read to their ends: the frames of a flight depend on it, and a question has all cores.
//! So a long answer delays other answers, but no refusal and no reading. No part of a path is ever
//! the name of a file.

use crate::admission::Admission;
use crate::connections;
use crate::conversation::{Asked, House};
use crate::limits::Limits;
use crate::site::{Reply, Site};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::watch;

/// How long it may take to notice that nobody wants to be answered any more.
const PATIENCE: Duration = Duration::from_millis(100);

/// A site behind a loopback port.
pub struct Server<S> {
    address: SocketAddr,
    admission: Arc<Admission>,
    site: S,
    /// Dropped before the door is closed, so that nobody waits for an answer that will not come.
    questions: mpsc::Receiver<Asked>,
    _door: Door,
}

impl<S> std::fmt::Debug for Server<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl<S: Site> Server<S> {
    /// Listens on a port of the loopback address; port 0 stands for any that is free.
    pub fn start(site: S, port: u16) -> io::Result<Self> {
        Self::with_limits(site, port, Limits::default())
    }

    /// The same with other limits.
    pub fn with_limits(site: S, port: u16, limits: Limits) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let admission = Arc::new(Admission::new(address));
        let (send, questions) = mpsc::channel();
        let house = House { admission: Arc::clone(&admission), limits, questions: send };
        let door = Door::open(listener, house)?;
        Ok(Self { address, admission, site, questions, _door: door })
    }

    /// What to open in a browser.
    #[must_use]
    pub fn url(&self) -> String {
        self.admission.url()
    }

    /// Answers until the process ends.
    pub fn run(&self) {
        self.run_until(|_| false);
    }

    /// Answers, one question after the other, until `is_over` says so. What was answered last is on
    /// its way when this returns, and was sent when the server is dropped or gives back its site.
    pub fn run_until(&self, is_over: impl Fn(&S) -> bool) {
        while !is_over(&self.site) {
            let Ok(Asked { question, reply }) = self.questions.recv_timeout(PATIENCE) else { continue };
            // Whoever hung up does not need the answer.
            if !reply.is_closed() {
                let _ = reply.send(self.site.answer(&question).unwrap_or_else(Reply::nothing_here));
            }
        }
    }

    /// The site, when all is over.
    #[must_use]
    pub fn into_site(self) -> S {
        self.site
    }
}

/// The thread that talks to whoever connects. It ends when this is dropped, after the last answers.
struct Door {
    over: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Door {
    fn open(listener: std::net::TcpListener, house: House) -> io::Result<Self> {
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let listener = {
            let _inside = runtime.enter();
            TcpListener::from_std(listener)?
        };
        let (over, told) = watch::channel(false);
        let talk = move || runtime.block_on(connections::serve(listener, Arc::new(house), told));
        let thread = thread::Builder::new().name("viewer".to_owned()).spawn(talk)?;
        Ok(Self { over, thread: Some(thread) })
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        let _ = self.over.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

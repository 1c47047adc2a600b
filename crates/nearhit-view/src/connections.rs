//! Connections: at most so many at one time; one without the token makes room for those that have
//! it.
//!
//! A flood of connections that ask nothing, or the wrong thing, therefore keeps no page waiting,
//! and takes no more descriptors than the limit and one.

use crate::conversation::{Badge, House, Standing, converse};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet, yield_now};
use tokio::time::{sleep, timeout};

/// Wait before another attempt when the process has no more descriptors.
const LATER: Duration = Duration::from_millis(50);

/// Accepts until `over` changes; then answers that are under way are still given, for as long as a
/// refused connection is read from.
pub(crate) async fn serve(listener: TcpListener, house: Arc<House>, mut over: watch::Receiver<bool>) {
    let linger_time = house.limits.linger_time;
    let mut guests = Guests::default();
    let watched = over.clone();
    until(guests.accept(&listener, &house, &watched), over.changed()).await;
    drop(listener);
    let _ = timeout(linger_time, guests.leave()).await;
    guests.tasks.shutdown().await;
}

/// Works until the signal comes.
async fn until(work: impl Future<Output = ()>, signal: impl Future) {
    let (mut work, mut signal) = (pin!(work), pin!(signal));
    poll_fn(|context| {
        let signalled = signal.as_mut().poll(context).map(|_| ());
        if signalled.is_ready() { signalled } else { work.as_mut().poll(context) }
    })
    .await;
}

/// The connections of a moment, the oldest first.
#[derive(Default)]
struct Guests {
    tasks: JoinSet<()>,
    list: Vec<Guest>,
}

struct Guest {
    task: AbortHandle,
    badge: Arc<Badge>,
}

impl Guests {
    async fn accept(&mut self, listener: &TcpListener, house: &Arc<House>, over: &watch::Receiver<bool>) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    self.make_room(house.limits.connections).await;
                    self.admit(stream, house, over);
                    // Those who are here are heard before the next comes in.
                    yield_now().await;
                }
                Err(_) => sleep(LATER).await,
            }
        }
    }

    fn admit(&mut self, stream: TcpStream, house: &Arc<House>, over: &watch::Receiver<bool>) {
        let badge = Arc::new(Badge::new());
        let conversation = converse(stream, Arc::clone(house), Arc::clone(&badge), over.clone());
        self.list.push(Guest { task: self.tasks.spawn(conversation), badge });
    }

    /// Waits until there are fewer than the limit, which is at once if one of them is not known to
    /// be the page.
    async fn make_room(&mut self, limit: usize) {
        while self.tasks.try_join_next().is_some() {}
        while self.tasks.len() >= limit.max(1) {
            self.list.retain(|guest| !guest.task.is_finished());
            let oldest = |standing| self.list.iter().position(|guest| guest.badge.has(standing));
            if let Some(place) = oldest(Standing::Refused).or_else(|| oldest(Standing::Stranger)) {
                self.list.remove(place).task.abort();
            }
            // The task is gone, with its descriptor, when it is joined.
            self.tasks.join_next().await;
        }
        self.list.retain(|guest| !guest.task.is_finished());
    }

    /// Until all answers under way are given; strangers are not waited for.
    async fn leave(&mut self) {
        for guest in self.list.iter().filter(|guest| guest.badge.has(Standing::Stranger)) {
            guest.task.abort();
        }
        while self.tasks.join_next().await.is_some() {}
    }
}

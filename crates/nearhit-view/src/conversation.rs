//! One connection: its requests are judged, read, put to the site, and answered, one after the
//! other.
//!
//! Nothing here computes: what is asked goes to the thread that answers, and the connection waits
//! without keeping others waiting. Whatever is refused is refused before its body is read, and its
//! connection ends.

use crate::admission::Admission;
use crate::limits::Limits;
use crate::site::{Question, Reply};
use crate::wire::Wire;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::borrow::Cow;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, mpsc};
use tokio::net::TcpStream;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

/// The least that the HTTP library reads at once.
const LEAST_BUFFER: usize = 8192;

/// A question on its way to the site, and the way back.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) reply: oneshot::Sender<Reply>,
}

/// What all connections share.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) admission: Arc<Admission>,
    pub(crate) limits: Limits,
    /// No more questions wait here than there are connections.
    pub(crate) questions: mpsc::Sender<Asked>,
}

/// What is known of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Standing {
    /// Was answered that it is not wanted.
    Refused,
    /// Has asked nothing yet.
    Stranger,
    /// Knows the token.
    Own,
}

/// The standing of a connection, seen by those who must end one.
#[derive(Debug)]
pub(crate) struct Badge(AtomicU8);

impl Badge {
    pub(crate) fn new() -> Self {
        Self(AtomicU8::new(Standing::Stranger as u8))
    }

    pub(crate) fn has(&self, standing: Standing) -> bool {
        self.0.load(Ordering::Relaxed) == standing as u8
    }

    fn set(&self, standing: Standing) {
        self.0.store(standing as u8, Ordering::Relaxed);
    }
}

/// Answers what comes on this connection, until it ends or `over` changes.
pub(crate) async fn converse(stream: TcpStream, house: Arc<House>, badge: Arc<Badge>, mut over: watch::Receiver<bool>) {
    let Limits { head_bytes, headers, head_time, write_time, linger_time, .. } = house.limits;
    // Answers are small, and waited for.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| answered(request, Arc::clone(&house), Arc::clone(&badge)));
    let mut connection = Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_time)
        .max_header_size(head_bytes)
        .max_buf_size(head_bytes.max(LEAST_BUFFER))
        .max_headers(headers)
        // Whoever has asked all may say so and is answered nevertheless.
        .half_close(true)
        .serve_connection(TokioIo::new(Wire::new(stream, write_time)), service);
    let mut over = pin!(over.changed());
    let mut leaving = false;
    let ended = poll_fn(|context| {
        if !leaving && over.as_mut().poll(context).is_ready() {
            leaving = true;
            Pin::new(&mut connection).graceful_shutdown();
        }
        connection.poll_without_shutdown(context)
    });
    // What went wrong was the other side's fault, and it was told so if it can be told.
    let _ = ended.await;
    connection.into_parts().io.into_inner().linger(linger_time).await;
}

type Answer = Result<Response<Full<Bytes>>, Infallible>;

/// Boxed, because a connection that is to be taken apart must be movable.
fn answered(
    request: Request<Incoming>,
    house: Arc<House>,
    badge: Arc<Badge>,
) -> Pin<Box<dyn Future<Output = Answer> + Send>> {
    Box::pin(async move {
        Ok(match ask(request, &house, &badge).await {
            Ok(reply) => response(reply),
            Err(reply) => {
                badge.set(Standing::Refused);
                let mut response = response(reply);
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                response
            }
        })
    })
}

/// The site's answer, or why it is not asked.
async fn ask(request: Request<Incoming>, house: &House, badge: &Badge) -> Result<Reply, Reply> {
    let (head, body) = request.into_parts();
    let path = house.admission.judge(&head)?;
    badge.set(Standing::Own);
    let posted = match head.method {
        Method::GET if body.is_end_stream() => None,
        Method::POST => Some(read(body, &house.limits).await?),
        _ => return Err(Reply::nothing_here()),
    };
    let (reply, answer) = oneshot::channel();
    let over = || Reply::text(503, "This is over.");
    house.questions.send(Asked { question: Question { path, posted }, reply }).map_err(|_| over())?;
    answer.await.map_err(|_| over())
}

/// What was posted, if it is short and comes soon.
async fn read(mut body: Incoming, limits: &Limits) -> Result<Vec<u8>, Reply> {
    let too_long = || Reply::text(400, format!("the question is too long: more than {} bytes", limits.body_bytes));
    if body.size_hint().lower() > limits.body_bytes as u64 {
        return Err(too_long());
    }
    let whole = async {
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| Reply::text(400, error.to_string()))?;
            bytes.extend_from_slice(frame.data_ref().map_or(&[], |data| data));
            if bytes.len() > limits.body_bytes {
                return Err(too_long());
            }
        }
        Ok(bytes)
    };
    timeout(limits.body_time, whole).await.unwrap_or_else(|_| Err(Reply::text(408, "the question did not come")))
}

/// Nothing is kept, nothing from elsewhere is run, and no other page may frame this one.
fn response(Reply { status, kind, bytes }: Reply) -> Response<Full<Bytes>> {
    let headers = [
        ("content-type", kind),
        ("cache-control", "no-store"),
        ("content-security-policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
    ];
    let mut response = Response::new(Full::new(match bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    }));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

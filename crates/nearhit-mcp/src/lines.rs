//! Messages that no one would answer. The protocol's library drops a line that its JSON reader
//! refuses, also where that is a request whose only fault is a number with too many digits or too
//! many brackets: its client would wait forever. Such a line becomes a call that is refused, under
//! its own identity.

use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

/// The tool that such a line calls. There is none of that name.
pub(crate) const REFUSED: &str = "refused message";

/// Of a longer line only pieces are held at once; the library drops it.
const MOST_BYTES: u64 = 16 << 20;

/// Hands lines on until the input ends.
pub(crate) async fn hand_on(input: impl AsyncRead + Unpin, mut output: impl AsyncWrite + Unpin) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let (mut line, mut is_begun) = (Vec::new(), false);
    loop {
        line.clear();
        if (&mut input).take(MOST_BYTES).read_until(b'\n', &mut line).await? == 0 {
            return output.shutdown().await;
        }
        let is_ended = line.ends_with(b"\n");
        let replaced = if is_ended && !is_begun { refused(&line) } else { None };
        is_begun = !is_ended;
        output.write_all(replaced.as_deref().unwrap_or(&line)).await?;
    }
}

/// What stands for a request that cannot be read; nothing for all other lines.
fn refused(line: &[u8]) -> Option<Vec<u8>> {
    /// All else in a message is passed over unread.
    #[derive(Deserialize)]
    struct Message {
        id: Value,
    }
    let why = serde_json::from_slice::<Value>(line).err()?;
    let Message { id } = serde_json::from_slice(line).ok()?;
    let is_identity = id.is_string() || id.is_i64();
    let call = json!({
        "jsonrpc": "2.0",
        "id": id,
        "method": "tools/call",
        "params": { "name": REFUSED, "arguments": { "why": why.to_string() } },
    });
    is_identity.then(|| (call.to_string() + "\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::refused;
    use serde_json::Value;

    #[test]
    fn only_requests_that_cannot_be_read_are_replaced() {
        let huge = format!(r#"{{"id":"q","params":{{"x":{}}},"method":"tools/call"}}"#, "9".repeat(400));
        let nested = format!(r#"{{"id":7,"params":{}{}}}"#, "[".repeat(500), "]".repeat(500));
        for (line, id, why) in [(huge, "\"q\"", "out of range"), (nested, "7", "recursion limit")] {
            let call: Value = serde_json::from_slice(&refused(line.as_bytes()).expect("replaced")).expect("JSON");
            assert_eq!(call["id"].to_string(), id);
            assert!(call["params"]["arguments"]["why"].as_str().is_some_and(|told| told.contains(why)), "{call}");
        }
        for line in [
            r#"{"id":1,"params":{"x":1e308}}"#,
            r#"{"params":{"x":1e999}}"#,
            r#"{"id":null,"x":1e999}"#,
            r#"{"id":1e999}"#,
            "{\"id\":1,",
            "no JSON",
            "",
        ] {
            assert!(refused(line.as_bytes()).is_none(), "{line}");
        }
    }
}

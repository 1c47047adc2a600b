//! A call: the command in a process of its own, and its report as the answer.
//!
//! A process, so that whatever a file does to it (memory that is not there, a crash) ends that call
//! and not the session, and so that a call that is cancelled ends at once.

use crate::COMMAND;
use crate::tools::{MOST_FINDINGS, Tool};
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::process::Stdio;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};

/// A report has no more bytes than these; what is longer helps no agent.
const MOST_BYTES: u64 = 32 << 20;
/// Of complaints only the beginning is told.
const MOST_COMPLAINT: u64 = 4000;
/// Exit code of everything that went wrong.
const ERROR: i32 = 2;

/// The answer to a call: a report, as the command prints it.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) report: Value,
    /// What is told beside it.
    pub(crate) remark: Option<String>,
}

/// Asks the command.
pub(crate) async fn ask(tool: &Tool, given: &Map<String, Value>) -> Result<Answer> {
    let arguments = tool.arguments(given)?;
    let program = std::env::current_exe().context("cannot find this program")?;
    let child = Command::new(program)
        .arg(COMMAND)
        .args(&arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("cannot begin")?;
    let text = output(child).await?;
    let mut report: Value = serde_json::from_str(&text).context("the report is no JSON")?;
    let most = given.get(MOST_FINDINGS.0).and_then(Value::as_u64);
    let remark = cut(&mut report, most.map_or(MOST_FINDINGS.1, |most| usize::try_from(most).unwrap_or(usize::MAX)));
    Ok(Answer { report, remark })
}

/// What it prints, if it worked.
async fn output(mut child: Child) -> Result<String> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // Both at once: a pipe that no one reads would make it wait.
    let complaint = tokio::spawn(async move { beginning(stderr, MOST_COMPLAINT).await });
    let text = beginning(stdout, MOST_BYTES + 1).await?;
    if text.len() as u64 > MOST_BYTES {
        bail!("the report has more than {} MB: ignore classes, or ask about fewer parts", MOST_BYTES >> 20);
    }
    let status = child.wait().await.context("cannot wait for its end")?;
    let complaint = complaint.await.context("cannot read what it complains about")??;
    match status.code() {
        Some(0 | 1 | 3) => Ok(text),
        Some(ERROR) => bail!("{}", told(&complaint)),
        _ => bail!("it ended before there was an answer ({status}): {}", told(&complaint)),
    }
}

/// The beginning of a stream; the rest is read and dropped.
async fn beginning(stream: Option<impl AsyncRead + Unpin>, most: u64) -> Result<String> {
    let mut stream = stream.context("there is no stream")?;
    let mut bytes = Vec::new();
    (&mut stream).take(most).read_to_end(&mut bytes).await.context("cannot read its output")?;
    if bytes.len() as u64 == most && most <= MOST_COMPLAINT {
        tokio::io::copy(&mut stream, &mut tokio::io::sink()).await.context("cannot read its output")?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn told(complaint: &str) -> &str {
    let text = complaint.trim();
    text.strip_prefix("nearhit: ").or(text.strip_prefix("error: ")).unwrap_or(text)
}

/// Leaves out the findings past so many, and says so.
fn cut(report: &mut Value, most: usize) -> Option<String> {
    let findings = report.get_mut("findings")?.as_array_mut()?;
    let all = findings.len();
    if all <= most {
        return None;
    }
    findings.truncate(most);
    let groups = report.get_mut("groups").and_then(Value::as_array_mut);
    for listed in groups.into_iter().flatten().filter_map(|group| group.get_mut("findings")?.as_array_mut()) {
        listed.retain(|index| index.as_u64().is_some_and(|index| (index as usize) < most));
    }
    Some(format!("The {most} worst of {all} findings are listed: {} gives more.", MOST_FINDINGS.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_worst_findings_are_kept() {
        let whole = json!({ "findings": [0, 1, 2], "groups": [{ "findings": [0, 2] }], "counts": 3 });
        let mut report = whole.clone();
        assert!(cut(&mut report, 3).is_none());
        assert_eq!(report, whole);
        let remark = cut(&mut report, 2).expect("something is left out");
        assert!(remark.starts_with("The 2 worst of 3 findings"), "{remark}");
        assert_eq!(report, json!({ "findings": [0, 1], "groups": [{ "findings": [0] }], "counts": 3 }));
        assert!(cut(&mut json!({ "distance": 1 }), 0).is_none());
    }
}

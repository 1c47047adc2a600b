//! The protocol: tools are listed and called, one call at a time. Everything else is the library's.

use crate::answer::{Answer, ask};
use crate::lines::{REFUSED, hand_on};
use crate::tools::{TOOLS, find};
use anyhow::{Context, Result};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use tokio::sync::Semaphore;

const INSTRUCTIONS: &str = "\
Exact collision, distance, overlap and clash checks of triangle meshes (STL, OBJ, PLY, OFF, glTF, COLLADA, 3MF). \
Lengths are in the files' unit. Parts of an assembly are the nodes of one file, or several files. Answers are \
certified: an interval contains the true value; `complete` is false if a limit cut the answer short. Files are \
read, never written.";

/// Bytes between stdin and the library.
const PIPE: usize = 1 << 16;

/// Serves stdin and stdout until stdin ends.
pub(crate) fn serve() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot begin")?;
    let served = runtime.block_on(async {
        let (ours, theirs) = tokio::io::duplex(PIPE);
        tokio::spawn(hand_on(tokio::io::stdin(), ours));
        let server = Server { turn: Semaphore::new(1) };
        match server.serve((theirs, tokio::io::stdout())).await {
            Ok(running) => running.waiting().await.map(|_| ()).context("the session ended"),
            // A client that goes away before it has said anything.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error).context("no session came about"),
        }
    });
    // A read from stdin cannot be called off.
    runtime.shutdown_background();
    served
}

struct Server {
    /// A call has all cores: the next one waits.
    turn: Semaphore,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.server_info = Implementation::new("nearhit", env!("CARGO_PKG_VERSION"));
        config.with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let line = nearhit_cli::command_line();
        let annotations = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
        let listed = |tool: &crate::tools::Tool| {
            Tool::new(tool.name, tool.about, tool.schema(&line)).with_annotations(annotations.clone())
        };
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(listed).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let given = request.arguments.unwrap_or_default();
        let Some(tool) = find(&request.name) else {
            return Err(unknown(&request.name, given.get("why").and_then(|why| why.as_str())));
        };
        let work = async {
            let _turn = self.turn.acquire().await;
            ask(tool, &given).await
        };
        let answer = tokio::select! {
            answer = work => answer,
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("cancelled", None)),
        };
        Ok(result(answer).into())
    }
}

fn unknown(name: &str, why: Option<&str>) -> ErrorData {
    match why.filter(|_| name == REFUSED) {
        Some(why) => ErrorData::invalid_params(format!("the message cannot be read: {why}"), None),
        None => {
            let name: String = name.chars().take(60).collect();
            let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            ErrorData::invalid_params(format!("there is no tool \"{name}\"; there are {}", known.join(", ")), None)
        }
    }
}

/// A report as text and as data; what went wrong is for the agent to read.
fn result(answer: Result<Answer>) -> CallToolResult {
    match answer {
        Ok(Answer { report, remark }) => {
            let texts = [report.to_string()].into_iter().chain(remark);
            let mut result = CallToolResult::success(texts.map(ContentBlock::text).collect());
            result.structured_content = Some(report);
            result
        }
        Err(error) => CallToolResult::error(vec![ContentBlock::text(format!("{error:#}"))]),
    }
}

//! The binary `nearhit`; everything is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    nearhit_cli::main()
}

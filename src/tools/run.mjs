// `node src/tools/run.mjs [NODE-OPTION …] FILE.ts [ARGUMENT …]`: installs what is missing, then runs one of the project's programs under the
// project's Node, with this terminal's input, output and signals.

import { spawn } from "node:child_process";
import { environment, giveUp, prepare, root } from "./prepare.mjs";

const args = process.argv.slice(2);
if (!args.some((arg) => /\.[mc]?[jt]s$/.test(arg))) giveUp("run.mjs needs the file of a program.");
await prepare();
const child = spawn("node", args, { cwd: root, env: environment, stdio: "inherit" });
// The terminal sends Ctrl-C to both: this one waits for the program's own end.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("error", () => giveUp("node could not be started."));
child.on("close", (code, signal) => process.exit(signal === null ? (code ?? 1) : 128 + (signal === "SIGINT" ? 2 : 15)));

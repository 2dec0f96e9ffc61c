// `npm start [-- --port N]`: installs what is missing, builds the course, serves it on this machine, prints the address.

import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { environment, giveUp, prepare, root, run, say } from "./prepare.mjs";

const port = readPort(process.argv.slice(2));
await prepare();
say("building the course");
if ((await run("astro", ["build", "--silent"])) !== 0) giveUp("the build failed: see the message above.");
if (!(await isFree(port))) giveUp(`port ${port} is in use; choose another one: npm start -- --port ${port + 1}`);
const server = spawn("astro", ["preview", "--host", "127.0.0.1", "--port", String(port)], {
  cwd: root,
  env: environment,
  stdio: ["ignore", "ignore", "inherit"],
});
server.on("close", (code) => process.exit(code ?? 0));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
await waitUntilServed();
say(`the course is at http://127.0.0.1:${port}/ (stop it with Ctrl-C)`);

/** @param {readonly string[]} args */
function readPort(args) {
  if (args.length === 0) return 4321;
  const [name, value, ...rest] = args.flatMap((arg) => arg.split("="));
  const number = Number(value);
  if (name !== "--port" || rest.length > 0 || !Number.isInteger(number) || number < 1 || number > 65535) {
    giveUp("the only option is --port with a number from 1 to 65535.");
  }
  return number;
}

/** @param {number} candidate @returns {Promise<boolean>} */
function isFree(candidate) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(candidate, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

async function waitUntilServed() {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  giveUp("the course was built but its server did not answer within 20 seconds.");
}

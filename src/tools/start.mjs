// `npm start [-- --port N]`: installs what is missing, builds the course, serves it on this machine, prints the address.

import { resolve } from "node:path";
import { giveUp, prepare, root, run, say } from "./prepare.mjs";
import { serveSite } from "./serve.mjs";

const port = readPort(process.argv.slice(2));
await prepare();
say("building the course");
if ((await run("astro", ["build", "--silent"])) !== 0) giveUp("the build failed: see the message above.");
const folder = resolve(root, process.env["PILOTHOUSE_OUT"] ?? "dist");
const base = process.env["PILOTHOUSE_BASE"] ?? "/";
try {
  await serveSite({ folder, base, port });
} catch (error) {
  if (error?.code === "EADDRINUSE") giveUp(`port ${port} is in use; choose another one: npm start -- --port ${port + 1}`);
  giveUp(`the course was built but cannot be served: ${error?.message}`);
}
say(`the course is at http://127.0.0.1:${port}${base} (stop it with Ctrl-C)`);

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

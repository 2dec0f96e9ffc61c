// Brings a fresh clone to the point where the project's own programs can run. Runs under any Node since 20.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Node since this version runs TypeScript files directly, which the project's programs are. */
const neededNode = [22, 18];

/** Says one clear sentence and ends the program. @param {string} sentence @returns {never} */
export function giveUp(sentence) {
  console.error(`\npilothouse: ${sentence}`);
  process.exit(1);
}

/** @param {string} text */
export function say(text) {
  console.log(`pilothouse: ${text}`);
}

/** The environment of everything started here: the project's own tools come first. */
export const environment = {
  ...process.env,
  PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env["PATH"] ?? ""}`,
  ASTRO_TELEMETRY_DISABLED: "1",
  NO_UPDATE_NOTIFIER: "1",
};

/**
 * Runs a command to its end, with its output shown, or given piece by piece to whoever keeps it for later. @param {string} command
 * @param {readonly string[]} args @param {(text: string) => void} [keep] @returns {Promise<number>} its exit code
 */
export function run(command, args, keep) {
  const output = keep === undefined ? "inherit" : "pipe";
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env: environment, stdio: ["ignore", output, output] });
    if (keep !== undefined) for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", keep);
    child.on("error", () => resolve(127));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** Packages, Node and generated modules: everything but a browser. */
export async function prepare() {
  if (process.platform === "win32")
    giveUp("on Windows the project runs in WSL (Ubuntu, for example): clone it there and run this again.");
  if (!packagesAreCurrent()) {
    say("installing the packages of package-lock.json (once, about a minute)");
    const code = await run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    if (code !== 0) giveUp("npm ci failed: see its message above; it needs the npm registry and free disk space.");
  }
  const version = spawnSync("node", ["--version"], { env: environment, encoding: "utf8" }).stdout?.trim() ?? "";
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  if (major < neededNode[0] || (major === neededNode[0] && minor < neededNode[1])) {
    giveUp(
      `Node ${neededNode.join(".")} or newer is needed, this is ${version || "no Node at all"}, and the one that the project brings is for Linux on x64 only (here: ${process.platform} ${process.arch}); install a current Node and run this again.`,
    );
  }
  if (!generatedIsCurrent()) {
    say("generating the API types and schema");
    if ((await run("node", ["src/upstream/generate/main.ts"])) !== 0)
      giveUp("generating the API schema failed: see the message above.");
  }
}

/** npm writes node_modules/.package-lock.json last, with what it installed. */
function packagesAreCurrent() {
  const installed = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return false;
  const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const have = JSON.parse(readFileSync(installed, "utf8")).packages;
  return Object.entries(wanted).every(([path, entry]) => path === "" || entry.optional || have[path]?.version === entry.version);
}

/** Of what `npm run generate` writes, a module a room. */
const generated = [
  "cluster/api/generated/packages.ts",
  "cluster/api/protobuf/generated/field-numbers.ts",
  "kubectl/help/generated/texts.ts",
  "cluster/apiserver/authorization/bootstrap/generated/policy.ts",
];

function generatedIsCurrent() {
  const upstream = join(root, "src", "upstream");
  const sources = [upstream, join(upstream, "generate")].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const newest = Math.max(...[...sources, join(root, "node_modules", "@kubernetes", "client-node", "package.json")].map(modified));
  return generated.every((path) => modified(join(root, "src", path)) >= newest);
}

/** @param {string} path */
function modified(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

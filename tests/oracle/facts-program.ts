// The Go program in `facts/`: built from the modules of the pinned release, or in a folder of its own from those of another.

import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factFiles, factsDifference } from "./facts-difference.ts";
import { goModuleFor } from "./facts-module.ts";

const sources = join("tests", "oracle", "facts");
const facts = join("src", "upstream");
const kubernetes = "k8s.io/kubernetes";
/** As kubectl is built: most packages are compiled once for both. */
const build = ["build", "-trimpath"];

/** What the user is told instead of what Go says. */
export class FactsError extends Error {}

export function hasGo(): boolean {
  return spawnSync("go", ["version"], { stdio: "ignore" }).status === 0;
}

/** Path of the program for the pinned release. */
export function buildFactsProgram(): string {
  const cache = join(process.cwd(), "node_modules", ".cache", "pilothouse");
  mkdirSync(cache, { recursive: true });
  const program = join(cache, "facts");
  execFileSync("go", [...build, "-o", program, "."], { cwd: sources, stdio: ["ignore", "inherit", "inherit"] });
  return program;
}

/** Where the sources of the pinned release are: documents are published with them. */
export function releaseFolder(): string {
  const args = ["mod", "download", "-json", kubernetes];
  return (JSON.parse(execFileSync("go", args, { cwd: sources, encoding: "utf8" })) as { Dir: string }).Dir;
}

/** What a program writes other than `src/upstream` has it, in words; nothing where it is the same. */
export function changedFacts(program: string, release: string): readonly string[] {
  return inFolder((folder) => {
    execFileSync(program, ["write", release, folder], { stdio: ["ignore", "inherit", "inherit"] });
    return factFiles.flatMap((file) =>
      factsDifference(file, readFileSync(join(facts, file), "utf8"), readFileSync(join(folder, file), "utf8")),
    );
  });
}

/** What another release changes of the facts. `version` as `v1.36.1`. Throws FactsError. */
export function changesIn(version: string): readonly string[] {
  if (!hasGo()) throw new FactsError("this needs Go, which is not here");
  return inFolder((folder) => {
    const release = download(version, folder);
    for (const file of readdirSync(sources).filter((name) => name.endsWith(".go")))
      copyFileSync(join(sources, file), join(folder, file));
    const pinned = readFileSync(join(sources, "go.mod"), "utf8");
    writeFileSync(join(folder, "go.mod"), goModuleFor(version, pinned, readFileSync(release.GoMod, "utf8")));
    const program = join(folder, "program");
    const built = go([...build, "-mod=mod", "-o", program, "."], folder);
    if (built.status !== 0) throw new FactsError(`the program does not build with the modules of ${version}:\n${built.stderr}`);
    return changedFacts(program, release.Dir);
  });
}

interface Release {
  readonly Dir: string;
  readonly GoMod: string;
}

function download(version: string, folder: string): Release {
  const answer = go(["mod", "download", "-json", `${kubernetes}@${version}`], folder);
  if (answer.status === 0) return JSON.parse(answer.stdout) as Release;
  const reason = reasonIn(answer);
  if (/\b(403|404|410)\b|unknown revision|invalid version|no matching versions/.test(reason)) {
    throw new FactsError(`the module proxy has no ${kubernetes}@${version}; is there such a release?\n${reason}`);
  }
  throw new FactsError(`the modules of ${version} could not be fetched:\n${reason}`);
}

function reasonIn({ stdout, stderr }: SpawnSyncReturns<string>): string {
  const error = stdout.startsWith("{") ? (JSON.parse(stdout) as { readonly Error?: string }).Error : undefined;
  return (error ?? stderr).trim();
}

/** Of the proxies only: for a version that they do not have, Go would look for its sources elsewhere, which takes minutes. */
function go(args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const proxies = execFileSync("go", ["env", "GOPROXY"], { encoding: "utf8" }).trim();
  const only = proxies.split(/(?<=[,|])/).filter((proxy) => !proxy.startsWith("direct"));
  const GOPROXY = only.join("").replace(/[,|]$/, "") || proxies;
  return spawnSync("go", args, { cwd, encoding: "utf8", env: { ...process.env, GOPROXY, GOFLAGS: "" }, maxBuffer: 2 ** 26 });
}

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "pilothouse-facts-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

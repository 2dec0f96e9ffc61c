// The conformance suite's binary: built from the published module of the simulated release, kept beside the other programs of the oracle.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { hasGo } from "../facts-program.ts";
import { release, versionFlags } from "../release.ts";
import { readTestList } from "./suite-report.ts";

const moduleFolder = join("tests", "oracle", "conformance", "suite");
const cache = join("node_modules", ".cache", "pilothouse");
const suite = "k8s.io/kubernetes/test/e2e";

/** What the user is told when there is no binary and none can be built. */
export class SuiteError extends Error {}

/** Path of the binary if it was built already, or `PILOTHOUSE_CONFORMANCE` names one. */
export function builtSuite(): string | undefined {
  const chosen = process.env["PILOTHOUSE_CONFORMANCE"];
  if (chosen !== undefined && chosen !== "") return chosen;
  const built = join(process.cwd(), cache, `conformance-${release}`);
  return existsSync(built) ? built : undefined;
}

/** Path of the binary, which is built when it is missing. Throws SuiteError. */
export function findSuite(): string {
  const there = builtSuite();
  if (there !== undefined) return there;
  if (!hasGo()) {
    throw new SuiteError(
      "the suite is built with Go, which is not here; install it, or set PILOTHOUSE_CONFORMANCE to the path of an e2e.test of the release",
    );
  }
  console.log(`conformance: building the suite of ${release} from its published module (some ten minutes, once)`);
  const built = join(process.cwd(), cache, `conformance-${release}`);
  mkdirSync(join(process.cwd(), cache), { recursive: true });
  // Under another name until it is whole: a build that was broken off leaves nothing that looks finished.
  const unfinished = `${built}.${process.pid}`;
  const args = ["test", "-c", "-trimpath", "-ldflags", `-s -w ${versionFlags}`, "-o", unfinished, suite];
  const { status } = spawnSync("go", args, { cwd: moduleFolder, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new SuiteError("the suite does not build: see Go's words above");
  renameSync(unfinished, built);
  return built;
}

/** Full names of all tests. */
export function listTests(suite: string): string[] {
  const { stdout, status, stderr } = spawnSync(suite, ["--list-tests"], { encoding: "utf8", maxBuffer: 2 ** 28 });
  const names = readTestList(stdout ?? "");
  if (status !== 0 || names.length === 0) throw new SuiteError(`${suite} lists no tests: ${(stderr ?? "").trim()}`);
  return names;
}

// The programs of the control plane in one file, built from the published modules of the simulated release and kept beside the other
// programs of the oracle.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { hasGo } from "../facts-program.ts";
import { release, versionFlags } from "../release.ts";

const moduleFolder = join("tests", "oracle", "control-plane", "programs");
const cache = join(process.cwd(), "node_modules", ".cache", "pilothouse");
const built = join(cache, `control-plane-${release}`);

/** What the user is told when there are no programs and none can be built. */
export class ProgramsError extends Error {}

/** Path of the programs if they were built already. */
export function builtPrograms(): string | undefined {
  return existsSync(built) ? built : undefined;
}

/** Path of the programs, which are built when they are missing. Throws ProgramsError. */
export function findPrograms(): string {
  const there = builtPrograms();
  if (there !== undefined) return there;
  if (!hasGo()) throw new ProgramsError("the control plane is built with Go, which is not here");
  console.log(`control-plane: building the programs of ${release} from their published modules (some minutes, once)`);
  mkdirSync(cache, { recursive: true });
  // Under another name until it is whole: a build that was broken off leaves nothing that looks finished.
  const unfinished = `${built}.${process.pid}`;
  const args = ["build", "-trimpath", "-ldflags", `-s -w ${versionFlags}`, "-o", unfinished, "."];
  const { status } = spawnSync("go", args, { cwd: moduleFolder, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new ProgramsError("the programs do not build: see Go's words above");
  renameSync(unfinished, built);
  return built;
}

// The real kubectl: built from the published Go module, pinned to the simulated release; where there is no Go, one on the PATH.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { hasGo } from "./facts-program.ts";
import { versionFlags } from "./release.ts";

const moduleFolder = join("tests", "oracle", "kubectl");
const cache = join("node_modules", ".cache", "pilothouse");

function hasProgram(name: string, argument: string): boolean {
  return spawnSync(name, [argument], { stdio: "ignore" }).status === 0;
}

/** Path of the kubectl to use; undefined when there is none and none can be built. */
export function findKubectl(): string | undefined {
  const chosen = process.env["PILOTHOUSE_KUBECTL"];
  if (chosen !== undefined && chosen !== "") return chosen;
  if (hasGo()) {
    const built = join(process.cwd(), cache, "kubectl");
    mkdirSync(cache, { recursive: true });
    console.log("oracle: building kubectl from its published module (a few minutes the first time)");
    execFileSync("go", ["build", "-trimpath", "-ldflags", versionFlags, "-o", built, "."], {
      cwd: moduleFolder,
      stdio: ["ignore", "inherit", "inherit"],
    });
    return built;
  }
  return hasProgram("kubectl", "version") || hasProgram("kubectl", "--help") ? "kubectl" : undefined;
}

// kubectl version.

import type { JsonValue } from "#cluster/api/wire.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Command } from "../context.ts";
import { textAt, writeYaml } from "../documents.ts";
import { KubectlError } from "../errors.ts";

const kustomizeVersion = "v5.8.1";

/** Commit, tree and date as in a kubectl that was built without a release's stamps. */
const clientVersion = {
  major: "1",
  minor: "36",
  gitVersion: "v1.36.3",
  gitCommit: "$Format:%H$",
  gitTreeState: "",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "go1.26.8",
  compiler: "gc",
  platform: "linux/amd64",
};

/** Fields in the order in which Go prints the struct. */
function orderedJson(value: JsonValue, indent: string): string {
  return JSON.stringify(value, undefined, indent);
}

function skewWarning(server: string): string {
  const [, major = "1", minor = "36"] = /^v(\d+)\.(\d+)/.exec(server) ?? [];
  if (major === "1" && Math.abs(Number(minor) - 36) <= 1) return "";
  return `version difference between client (1.36) and server (${major}.${minor}) exceeds the supported minor version skew of +/-1`;
}

export const version: Command = {
  path: "version",
  *run(context) {
    const { flags, args } = context;
    const output = flags.text("output");
    if (!flags.bool("client") && args.length > 0) throw new KubectlError(`extra arguments: [${args.join(" ")}]`);
    if (output !== "" && output !== "yaml" && output !== "json") throw new KubectlError("--output must be 'yaml' or 'json'");
    let server: JsonValue | undefined;
    let failure: Error | undefined;
    if (!flags.bool("client")) {
      try {
        server = yield* context.client().json({ method: "GET", path: "/version", timeoutMs: 32_000 });
      } catch (error) {
        if (!isOwnError(error)) throw error;
        failure = error;
      }
    }
    const all = { clientVersion, kustomizeVersion, ...(server === undefined ? {} : { serverVersion: server }) };
    if (output === "yaml") yield* context.out(`${writeYaml(all)}\n`);
    else if (output === "json") yield* context.out(`${orderedJson(all, "  ")}\n`);
    else {
      yield* context.out(`Client Version: ${clientVersion.gitVersion}\nKustomize Version: ${kustomizeVersion}\n`);
      if (server !== undefined) yield* context.out(`Server Version: ${textAt(server, "gitVersion")}\n`);
    }
    const warning = server === undefined ? "" : skewWarning(textAt(server, "gitVersion"));
    if (warning !== "" && flags.bool("warnings-as-errors")) throw new KubectlError(warning);
    if (warning !== "") yield* context.err(`Warning: ${warning}\n`);
    if (failure !== undefined) throw failure;
  },
};

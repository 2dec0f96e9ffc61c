// The commands of this release, by path. What the catalog knows and this list lacks answers that it is not part of the release.

import type { Command } from "../context.ts";
import { apiResources, apiVersions } from "./api-resources.ts";
import { attach } from "./attach.ts";
import { authCommands } from "./auth/auth.ts";
import { clusterInfo } from "./cluster-info/cluster-info.ts";
import { configCommands } from "./config.ts";
import { deleteCommand } from "./delete.ts";
import { diff } from "./diff.ts";
import { cordon, uncordon } from "./drain/cordon.ts";
import { drain } from "./drain/drain.ts";
import { events } from "./events.ts";
import { exec } from "./exec.ts";
import { get } from "./get.ts";
import { annotate, label } from "./label-annotate.ts";
import { logs } from "./logs.ts";
import { patch } from "./patch.ts";
import { pluginList } from "./plugin.ts";
import { portForward } from "./port-forward.ts";
import { run } from "./run/run.ts";
import { scale } from "./scale.ts";
import { taint } from "./taint.ts";
import { topCommands } from "./top/top.ts";
import { version } from "./version.ts";
import { wait } from "./wait.ts";
import { writingCommands } from "./writing-commands.ts";

const commands: readonly Command[] = [
  annotate,
  apiResources,
  apiVersions,
  attach,
  ...authCommands,
  clusterInfo,
  ...configCommands,
  cordon,
  deleteCommand,
  diff,
  drain,
  events,
  exec,
  get,
  label,
  logs,
  patch,
  pluginList,
  portForward,
  run,
  scale,
  taint,
  ...topCommands,
  uncordon,
  version,
  wait,
  ...writingCommands,
];

const byPath: ReadonlyMap<string, Command> = new Map(commands.map((command) => [command.path, command]));

/** The implementation of a command, if this release has it. */
export function commandAtPath(path: string): Command | undefined {
  return byPath.get(path);
}

// The commands of this release, by path. What the catalog knows and this list lacks answers that it is not part of the release.

import type { Command } from "../context.ts";
import { get } from "./get.ts";

const commands: readonly Command[] = [get];

const byPath: ReadonlyMap<string, Command> = new Map(commands.map((command) => [command.path, command]));

/** The implementation of a command, if this release has it. */
export function commandAtPath(path: string): Command | undefined {
  return byPath.get(path);
}

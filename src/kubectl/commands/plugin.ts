// kubectl plugin list: executables named kubectl-… on the path.

import { SysError } from "#sim/errors.ts";
import type { Command, Context } from "../context.ts";
import { KubectlError } from "../errors.ts";

function pluginsIn(context: Context, directory: string): readonly string[] {
  try {
    const found = context.self.readdir(directory).filter((name) => name.startsWith("kubectl-"));
    return found.map((name) => (context.flags.bool("name-only") ? name : `${directory}/${name}`));
  } catch (error) {
    if (error instanceof SysError) return [];
    throw error;
  }
}

export const pluginList: Command = {
  path: "plugin list",
  *run(context) {
    const directories = [...new Set((context.self.env.get("PATH") ?? "").split(":").filter((entry) => entry !== ""))];
    const found = directories.flatMap((directory) => pluginsIn(context, directory));
    if (found.length === 0) throw new KubectlError("unable to find any kubectl plugins in your PATH");
    yield* context.out(`The following compatible plugins are available:\n\n${found.map((path) => `${path}\n`).join("")}`);
  },
};

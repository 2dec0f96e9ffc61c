// kubectl completion: the workstation's shell asks `kubectl __complete` by itself, so the scripts for other shells are not kept here.

import type { Command } from "../context.ts";
import { KubectlError } from "../errors.ts";

const shells = ["bash", "zsh", "fish", "powershell"];

export const completion: Command = {
  path: "completion",
  *run(context) {
    const [shell, ...rest] = context.args;
    if (shell === undefined) throw context.usageError("Shell not specified.");
    if (rest.length > 0) throw context.usageError("Too many arguments. Expected only the shell type.");
    if (!shells.includes(shell)) throw context.usageError(`Unsupported shell type ${JSON.stringify(shell)}.`);
    throw new KubectlError(`the completion script for ${shell} is not part of this release of the embedded kubectl`);
  },
};

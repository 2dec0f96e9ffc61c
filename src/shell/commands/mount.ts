import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const mount: CommandDefinition = {
  name: "mount",
  options: "t= o= a r w v n l",
  usage: "mount [OPTIONS] [-o OPT] DEVICE NODE",
  *run(tool) {
    if (tool.operands.length > 0)
      throw new ToolFailure(
        tool.gnu ? `${tool.operands.at(-1)}: must be superuser to use mount.` : "permission denied (are you root?)",
        tool.gnu ? 32 : 1,
      );
    const type = tool.value("t");
    for (const each of tool.self.mounts()) {
      if (type === undefined || type === each.type)
        yield* tool.print(`${each.source} on ${each.path} type ${each.type} (${each.options})\n`);
    }
    return 0;
  },
};

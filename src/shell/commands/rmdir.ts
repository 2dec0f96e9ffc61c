import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const rmdir: CommandDefinition = {
  name: "rmdir",
  options: "p,parents v,verbose ignore-fail-on-non-empty",
  usage: "rmdir [-p] DIRECTORY...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    yield* tool.eachOperand(
      tool.operands,
      function* (path) {
        tool.self.rmdir(path);
        for (let parent = path.replace(/\/[^/]*$/u, ""); tool.has("p") && parent !== path && parent !== ""; ) {
          tool.self.rmdir(parent);
          const next = parent.replace(/\/[^/]*$/u, "");
          if (next === parent) break;
          parent = next;
        }
      },
      (path, error) => (tool.gnu ? `failed to remove '${path}': ${error.message}` : `'${path}': ${error.message}`),
    );
    return 0;
  },
};

import { applyMode } from "../toolkit/file-modes.ts";
import { explainRefusal, walkTree } from "../toolkit/file-owners.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const chmod: CommandDefinition = {
  name: "chmod",
  options: "R,recursive v,verbose f,silent,quiet c,changes r w x X s t",
  usage: "chmod [-Rcvf] MODE[,MODE]... FILE...",
  *run(tool) {
    const letters = tool.given
      .filter(([name]) => "rwxXst".includes(name))
      .map(([name]) => name)
      .join("");
    const mode = letters === "" ? tool.operands[0] : `-${letters}`;
    const files = letters === "" ? tool.operands.slice(1) : tool.operands;
    if (mode === undefined) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    if (files.length === 0) throw new UsageFailure(tool.gnu ? `missing operand after '${mode}'` : "");
    const mask = tool.self.umask();
    yield* tool.eachOperand(
      files,
      (path) =>
        walkTree(tool, path, (each) => {
          const stat = tool.self.stat(each);
          tool.self.chmod(each, applyMode(mode, stat.permissions, stat.type === "directory", mask));
        }),
      explainRefusal(tool, "changing permissions of"),
    );
    return 0;
  },
};

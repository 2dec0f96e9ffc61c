import type { Sys } from "#sim/program.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";
import { Expression, type Found } from "./find/expression.ts";

export const find: CommandDefinition = {
  name: "find",
  *run(tool) {
    const words = [...tool.operands];
    let follow = false;
    while (words[0] === "-L" || words[0] === "-H" || words[0] === "-P") follow = words.shift() === "-L";
    const at = words.findIndex((word) => /^[-(!]/u.test(word));
    const paths = at < 0 ? words : words.slice(0, at);
    const expression = new Expression(tool, at < 0 ? [] : words.slice(at));
    const test = expression.parse();
    const visit = function* (path: string, depth: number): Sys<void> {
      const stat = follow ? tool.self.stat(path) : tool.self.lstat(path);
      const found: Found = { path, stat, depth, prune: false };
      const apply = function* (): Sys<void> {
        if (depth < expression.minDepth) return;
        if ((yield* test(found)) && !expression.acts) yield* tool.print(`${path}\n`);
      };
      if (!expression.depthFirst) yield* apply();
      if (stat.type === "directory" && depth < expression.maxDepth && depth < 128 && !found.prune) {
        yield* tool.eachOperand(
          [path],
          function* () {
            for (const name of tool.self.readdir(path))
              yield* visit(path.endsWith("/") ? path + name : `${path}/${name}`, depth + 1);
          },
          (each, error) => (tool.gnu ? `‘${each}’: ${error.message}` : `${each}: ${error.message}`),
        );
      }
      if (expression.depthFirst) yield* apply();
    };
    yield* tool.eachOperand(
      paths.length === 0 ? ["."] : paths,
      (path) => visit(path, 0),
      (path, error) => (tool.gnu ? `‘${path}’: ${error.message}` : `${path}: ${error.message}`),
    );
    for (const finish of expression.atEnd) yield* finish();
    return 0;
  },
};

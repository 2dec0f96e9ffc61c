import type { Sys } from "#sim/program.ts";
import { evaluateTest, plainNumber, TestError } from "../interpreter/test-operators.ts";
import { type CommandDefinition, type Tool, ToolFailure } from "../toolkit/tool.ts";

function* runTest(tool: Tool, args: readonly string[]): Sys<number> {
  const { self } = tool;
  try {
    const context = {
      self,
      isVariableSet: () => false,
      isOptionSet: () => false,
      number: plainNumber,
      descriptor: (fd: number) => fd,
    };
    return evaluateTest(context, args) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TestError)) throw error;
    yield* tool.warn(error.message, 2);
    return 2;
  }
}

export const test: CommandDefinition = {
  name: "test",
  *run(tool) {
    return yield* runTest(tool, tool.operands);
  },
};

export const bracket: CommandDefinition = {
  name: "[",
  *run(tool) {
    if (tool.operands.at(-1) !== "]") throw new ToolFailure(tool.gnu ? "missing ']'" : "missing ]", 2);
    return yield* runTest(tool, tool.operands.slice(0, -1));
  },
};

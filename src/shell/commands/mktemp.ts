import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const mktemp: CommandDefinition = {
  name: "mktemp",
  options: "d,directory q,quiet u,dry-run p,tmpdir=? t",
  usage: "mktemp [-dt] [-p DIR] [TEMPLATE]",
  *run(tool) {
    const { self } = tool;
    const template = tool.operands[0] ?? "tmp.XXXXXXXXXX";
    if (!/XXX+$/u.test(template)) throw new ToolFailure(tool.gnu ? `too few X's in template '${template}'` : `Invalid argument`);
    let base: string | undefined;
    if (tool.has("p")) base = tool.value("p") || "/tmp";
    else if (tool.operands.length === 0 || tool.has("t")) base = self.env.get("TMPDIR") ?? "/tmp";
    const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const name = template.replace(/X+$/u, (run) =>
      Array.from(run, () => letters[Math.floor(self.random.fraction() * letters.length)]).join(""),
    );
    const path = base === undefined ? name : `${base}/${name}`;
    if (tool.has("d")) self.mkdir(path, 0o700);
    else if (!tool.has("u")) self.writeFile(path, "", { permissions: 0o600 });
    yield* tool.print(`${path}\n`);
    return 0;
  },
};

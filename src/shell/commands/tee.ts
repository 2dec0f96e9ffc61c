import type { CommandDefinition } from "../toolkit/tool.ts";

export const tee: CommandDefinition = {
  name: "tee",
  options: "a,append i,ignore-interrupts p",
  usage: "tee [-ai] [FILE]...",
  *run(tool) {
    const fds: number[] = [];
    yield* tool.eachOperand(tool.operands, function* (path) {
      fds.push(
        tool.self.open(path, { write: true, create: true, ...(tool.has("a") ? { append: true } : { truncate: true }) }, 0o666),
      );
    });
    for (;;) {
      const bytes = yield* tool.self.read(0);
      if (bytes.length === 0) return 0;
      yield* tool.print(bytes);
      yield* tool.flush();
      for (const fd of fds) yield* tool.self.write(fd, bytes);
    }
  },
};

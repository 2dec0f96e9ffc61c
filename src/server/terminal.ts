// A shell on the workstation at this program's own terminal, or at the end of a pipe.

import type { ReadStream, WriteStream } from "node:tty";
import type { LiveCluster } from "./live-cluster.ts";

const id = "live";

/** Keys go to the shell as they are typed, lines of a pipe as if typed, its end as `exit`; `ended` when the shell has been left. */
export function openTerminal(
  { world, enter }: Pick<LiveCluster, "world" | "enter">,
  { stdin, stdout }: { readonly stdin: ReadStream; readonly stdout: WriteStream },
  ended: () => void,
): void {
  world.onTerminalOutput.add((terminal, bytes) => {
    if (terminal === id) stdout.write(bytes);
  });
  world.onTerminalClosed.add((terminal) => {
    if (terminal === id) ended();
  });
  const { columns = 120, rows = 40 } = stdout;
  enter(() => world.apply({ kind: "terminal-open", terminal: id, columns, rows }));
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  const type = (text: string): void => enter(() => world.apply({ kind: "terminal-input", terminal: id, text }));
  stdin.on("data", (text: string) => type(stdin.isTTY ? text : text.replaceAll("\n", "\r")));
  // Ctrl-D would be lost: what is typed ahead of a prompt is read as a line, and the end of input is none.
  stdin.on("end", () => type("exit\r"));
  stdout.on("resize", () => {
    enter(() => world.apply({ kind: "terminal-resize", terminal: id, columns: stdout.columns, rows: stdout.rows }));
  });
}

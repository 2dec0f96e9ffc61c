// A machine with the shell's programs, for tests.

import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { machine, type Ran, tree } from "#sim/kernel-fixture.ts";
import { commandFiles } from "./command-files.ts";
import { bash, sh } from "./programs.ts";
import type { Flavour } from "./toolkit/tool.ts";

const environment = new Map([
  ["PATH", "/usr/bin:/bin"],
  ["HOME", "/root"],
  ["LANG", "C.UTF-8"],
]);

export function shellMachine(flavour: Flavour = "gnu", files: Parameters<typeof tree>[0] = {}) {
  return machine(
    tree({
      "/tmp": { type: "directory", permissions: 0o1777 },
      "/root": { type: "directory" },
      "/etc/hostname": "test\n",
      "/etc/passwd": "root:x:0:0:root:/root:/bin/bash\n",
      ...Object.fromEntries(commandFiles(flavour)),
      ...files,
    }),
  );
}

/** Runs `bash -c script` (or busybox's `sh -c`) to its end. */
export function runShell(script: string, flavour: Flavour = "gnu", files: Parameters<typeof tree>[0] = {}): Ran {
  const name = flavour === "gnu" ? "bash" : "sh";
  return shellMachine(flavour, files).run(flavour === "gnu" ? bash : sh, { argv: [name, "-c", script], env: environment });
}

/** An interactive shell on a terminal. `type` sends keys and lets time pass; the screen's bytes since the last call come back. */
export function terminalShell(
  options: { readonly columns?: number; readonly files?: Parameters<typeof tree>[0]; readonly flavour?: Flavour } = {},
) {
  const host = shellMachine(options.flavour, options.files);
  const terminal = host.kernel.createTerminal({ columns: options.columns ?? 80, rows: 24 });
  let output = "";
  terminal.onOutput = (bytes) => {
    output += decodeUtf8(bytes);
  };
  const handle = host.start(options.flavour === "busybox" ? sh : bash, {
    argv: [options.flavour === "busybox" ? "sh" : "bash"],
    terminal,
    cwd: "/root",
    env: new Map([...environment, ["PS1", "$ "]]),
  });
  const take = () => {
    const taken = output;
    output = "";
    return taken;
  };
  const type = (keys: string, ms = 200): string => {
    terminal.input(encodeUtf8(keys));
    host.simulation.advance(ms);
    return take();
  };
  host.simulation.advance(10);
  return { ...host, terminal, handle, type, started: take() };
}

/** What a command line printed: the screen without the line editor's own drawing. */
export function printed(screen: string): string {
  const from = screen.indexOf("\x1b[?2004l");
  const to = screen.lastIndexOf("\x1b[?2004h");
  return screen.slice(from + 8, to < from ? undefined : to).replace(/\r\n/gu, "\n");
}

// stty: a terminal's modes, as far as terminals here have them; the other settings of the usual ones are shown and cannot be changed.

import { SysError } from "#sim/errors.ts";
import type { Terminal, TerminalModes } from "#sim/tty.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

const sane: TerminalModes = { canonical: true, echo: true, signals: true, outputCrLf: true };

const settable: { readonly [name: string]: keyof TerminalModes } = {
  icanon: "canonical",
  echo: "echo",
  isig: "signals",
  onlcr: "outputCrLf",
};

const raw: Partial<TerminalModes> = { canonical: false, signals: false, outputCrLf: false };
const cooked: Partial<TerminalModes> = { canonical: true, signals: true, outputCrLf: true };
const combinations: { readonly [name: string]: Partial<TerminalModes> } = {
  sane,
  raw,
  "-raw": cooked,
  cooked,
  "-cooked": raw,
  cbreak: { canonical: false },
  "-cbreak": { canonical: true },
};

const control = "-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts";
const input = "-ignbrk -brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr icrnl ixon -ixoff -iuclc -ixany -imaxbel -iutf8";
const output = "opost -olcuc -ocrnl onlcr -onocr -onlret -ofill -ofdel nl0 cr0 tab0 bs0 vt0 ff0";
const local = "isig icanon iexten echo echoe echok -echonl -noflsh -xcase -tostop -echoprt echoctl echoke -flusho -extproc";
const fixed = new Set([control, input, output, local].join(" ").split(" "));

export const stty: CommandDefinition = {
  name: "stty",
  *run(tool) {
    const { self, gnu } = tool;
    let terminal: Terminal;
    try {
      terminal = self.terminal(0);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ToolFailure(
        gnu ? "'standard input': Inappropriate ioctl for device" : "standard input: Inappropriate ioctl for device",
      );
    }
    const words = tool.operands;
    if (words.length === 0) {
      yield* tool.print(changed(terminal, gnu));
      return 0;
    }
    let modes = terminal.modes;
    for (const word of words) {
      const name = word.replace(/^-/u, "");
      const mode = Object.hasOwn(settable, name) ? settable[name] : undefined;
      if (word === "-a" || word === "--all") yield* tool.print(everything(terminal, gnu));
      else if (word === "size") yield* tool.print(`${terminal.rows} ${terminal.columns}\n`);
      else if (word === "speed") yield* tool.print("38400\n");
      else if (Object.hasOwn(combinations, word)) modes = { ...modes, ...combinations[word] };
      else if (mode !== undefined) modes = { ...modes, [mode]: word === name };
      else if (!fixed.has(word)) throw unknown(tool, word, name);
    }
    if (modes !== terminal.modes) terminal.setModes(modes);
    return 0;
  },
};

const withArgument =
  "rows cols columns ispeed ospeed min time intr quit erase kill eof eol eol2 swtch start stop susp rprnt werase lnext discard line -F -g";

function unknown({ gnu }: Tool, word: string, name: string): ToolFailure {
  const exists = fixed.has(name) || fixed.has(`-${name}`) || withArgument.split(" ").includes(word);
  if (exists) return new ToolFailure(`${word} is not supported here`);
  return gnu ? new UsageFailure(`invalid argument ‘${word}’`) : new ToolFailure(`invalid number '${word}'`);
}

/** What the modes make of the names. */
function present(names: string, modes: TerminalModes): readonly string[] {
  return names.split(" ").map((name) => {
    const mode = Object.hasOwn(settable, name) ? settable[name] : undefined;
    if (name === "opost") return modes.outputCrLf ? "opost" : "-opost";
    return mode === undefined || modes[mode] ? name : `-${name}`;
  });
}

/** Lines no longer than the terminal is wide. */
function wrapped(words: readonly string[], columns: number): string {
  let text = "";
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length >= columns) {
      text += `${line}\n`;
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return `${text}${line}\n`;
}

function everything({ rows, columns, modes }: Terminal, gnu: boolean): string {
  const keys = [
    "intr = ^C;",
    "quit = ^\\;",
    "erase = ^?;",
    "kill = ^U;",
    "eof = ^D;",
    "eol = <undef>;",
    "eol2 = <undef>;",
    "swtch = <undef>;",
    "start = ^Q;",
    "stop = ^S;",
    "susp = ^Z;",
    "rprnt = ^R;",
    "werase = ^W;",
    "lnext = ^V;",
    gnu ? "discard = ^O;" : "flush = ^O;",
    "min = 1;",
    "time = 0;",
  ];
  const groups = [control, input, output, local].map((names) => wrapped(present(names, modes), columns));
  return `speed 38400 baud; rows ${rows}; columns ${columns}; line = 0;\n${wrapped(keys, columns)}${groups.join("")}`;
}

/** Only what is not as `stty sane` makes it. */
function changed({ modes }: Terminal, _gnu: boolean): string {
  const differing = Object.entries(settable).filter(([, mode]) => !modes[mode]);
  const names = (...wanted: readonly string[]) => differing.map(([name]) => name).filter((name) => wanted.includes(name));
  const outputs = names("onlcr").map((name) => `-opost -${name}\n`);
  const locals = names("isig", "icanon", "echo").map((name) => `-${name}`);
  return `speed 38400 baud; line = 0;\n${modes.canonical ? "" : "min = 1; time = 0;\n"}-brkint -imaxbel\n${outputs.join("")}${locals.length === 0 ? "" : `${locals.join(" ")}\n`}`;
}

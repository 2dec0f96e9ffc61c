// Types commands into a terminal of a world, as a learner does, and reads what the screen showed.

import type { World } from "#world/world.ts";

const promptPattern = /(?:^|\n)\S*@\S+:[^\n]*\$ $/;
const continuationPattern = /\n> $/;

export interface TypedResult {
  readonly command: string;
  /** What was printed between the command and the next prompt, without escape sequences and carriage returns. */
  readonly output: string;
  /** `$?` afterwards. */
  readonly code: number;
}

export class Typist {
  readonly #world: World;
  readonly #terminal: string;
  #screen = "";

  constructor(world: World, terminal = "proof") {
    this.#world = world;
    this.#terminal = terminal;
    const decoder = new TextDecoder();
    world.onTerminalOutput.add((id, bytes) => {
      if (id === terminal) this.#screen += decoder.decode(bytes, { stream: true });
    });
    world.apply({ kind: "terminal-open", terminal, columns: 200, rows: 50 });
    this.#waitForPrompt(60_000, "the shell's first prompt");
  }

  /** Types one command (its lines one by one) and waits for the next prompt, at most `limitMs` of virtual time. */
  run(command: string, limitMs = 600_000): TypedResult {
    const output = this.#type(command, limitMs);
    const code = Number(this.#type("echo $?", 10_000).trim());
    return { command, output, code };
  }

  /** Types a script command by command; a command that spans lines (here-document, loop, backslash) is kept together. */
  runScript(script: string, limitMs?: number): readonly TypedResult[] {
    return splitCommands(script).map((command) => this.run(command, limitMs));
  }

  #type(command: string, limitMs: number): string {
    const lines = command.replace(/\n$/, "").split("\n");
    let output = "";
    for (const [index, line] of lines.entries()) {
      this.#screen = "";
      this.#world.apply({ kind: "terminal-input", terminal: this.#terminal, text: `${line}\r` });
      const last = index === lines.length - 1;
      this.#waitForPrompt(limitMs, `the prompt after: ${line}`, !last);
      output += plain(this.#screen);
    }
    const echoed = output.indexOf("\n");
    const printed = echoed < 0 ? "" : output.slice(echoed + 1);
    return printed.replace(/[^\n]*$/, "");
  }

  #waitForPrompt(limitMs: number, what: string, orContinuation = false): void {
    const { simulation } = this.#world;
    const isIdle = (): boolean => {
      const text = plain(this.#screen);
      return promptPattern.test(text) || (orContinuation && continuationPattern.test(text));
    };
    if (!simulation.runUntil(isIdle, { limitMs })) {
      throw new Error(`waited ${limitMs / 1000} s of virtual time for ${what}; the screen shows:\n${plain(this.#screen)}`);
    }
  }
}

/** Without escape sequences and carriage returns. */
function plain(text: string): string {
  return text
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "")
    .replace(/\u001b\][^\u0007]*\u0007/g, "")
    .replaceAll("\r", "");
}

/** One entry a command: lines that a backslash, a here-document or an open loop joins stay together. */
export function splitCommands(script: string): readonly string[] {
  const commands: string[] = [];
  let open: string[] = [];
  let delimiter: string | undefined;
  let depth = 0;
  for (const line of script.replace(/\n$/, "").split("\n")) {
    open.push(line);
    if (delimiter !== undefined) {
      if (line === delimiter) delimiter = undefined;
    } else {
      delimiter = /<<-?\s*(["']?)(\w+)\1/.exec(line)?.[2];
      depth += (line.match(/\b(do|then|case)\b/g) ?? []).length - (line.match(/\b(done|fi|esac)\b/g) ?? []).length;
    }
    if (delimiter === undefined && depth <= 0 && !line.endsWith("\\")) {
      const command = open.join("\n");
      if (command.trim() !== "" && !command.trim().startsWith("#")) commands.push(command);
      open = [];
      depth = 0;
    }
  }
  return commands;
}

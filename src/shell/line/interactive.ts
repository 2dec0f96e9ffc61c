// The prompt loop of an interactive shell.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { TerminalModes } from "#sim/tty.ts";
import { FunctionReturn, Interrupted, LoopJump } from "../interpreter/control.ts";
import { notifyJobs } from "../interpreter/ended-jobs.ts";
import type { SyntaxProblem } from "../interpreter/parse.ts";
import { expandPrompt, isPlainInQuotes } from "../interpreter/prompt.ts";
import { readLine } from "../interpreter/read-line.ts";
import type { Shell } from "../interpreter/shell.ts";
import { handleSignals, runTrap } from "../interpreter/signals.ts";
import { type EditResult, LineEditor } from "./editor.ts";
import { addHistory, expandHistory, loadHistory, saveHistory } from "./history.ts";
import { KeyReader } from "./keys.ts";

/** What was typed at a prompt, as a line of history, and how it ended. */
export interface TypedLine {
  readonly text: string;
  readonly code: number;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** Told of each line that has ended. */
export type OnLine = (line: TypedLine) => void;

function promptOf(shell: Shell): string {
  if (shell.asDash) return "\\$ ";
  return shell.bash ? "\\s-\\v\\$ " : "\\w \\$ ";
}

/** Reads and runs commands until the end of input or `exit`; the exit status. */
export function* runInteractive(shell: Shell, onLine?: OnLine): Sys<number> {
  const tty = shell.self.isTty(0);
  shell.options.add("histexpand").add("history").add("emacs");
  if (shell.bash) shell.options.add("expand_aliases");
  const variables = shell.variables;
  if (variables.get("PS1") === undefined) variables.set("PS1", promptOf(shell));
  if (variables.get("PS2") === undefined) variables.set("PS2", "> ");
  if (tty) {
    shell.terminal = shell.self.terminal(0);
    shell.options.add("monitor");
    if (shell.self.pgid !== shell.self.pid) shell.self.setProcessGroup(0, 0);
    shell.terminal.setForegroundGroup(shell.self.pgid);
  }
  for (const signal of ["INT", "QUIT", "TERM", "TSTP", "TTIN", "TTOU"] as const) shell.setSignalDisposition(signal);
  loadHistory(shell);
  const reader = new LineInput(shell, tty);
  try {
    for (;;) {
      const more = yield* runOne(shell, reader, onLine);
      if (!more) break;
    }
  } finally {
    saveHistory(shell);
  }
  return shell.status;
}

/** One command: prompt, reading, running. False at the end of input. */
function* runOne(shell: Shell, reader: LineInput, onLine: OnLine | undefined): Sys<boolean> {
  let typed: Pick<TypedLine, "text" | "startedMs"> | undefined;
  try {
    yield* notifyJobs(shell);
    const hook = shell.variables.get("PROMPT_COMMAND");
    if (shell.bash && hook !== undefined && hook !== "") {
      const status = shell.status;
      yield* shell.engine.runText(shell, hook, "");
      shell.status = status;
    }
    const text = yield* reader.command();
    if (text === undefined) {
      const stopped = shell.jobs.list.some((job) => job.state === "stopped");
      if (stopped && !reader.warned) {
        reader.warned = true;
        yield* shell.writeError("There are stopped jobs.\n");
        return true;
      }
      const farewell = shell.bash && !shell.asDash ? "exit\n" : "\n";
      yield* shell.writeError(shell.login ? "logout\n" : farewell);
      return false;
    }
    shell.linesRead += text.replace(/\n$/u, "").split("\n").length;
    if (text.trim() === "") return true;
    reader.warned = false;
    typed = { text: joinLines(text), startedMs: shell.self.nowMs };
    yield* shell.engine.runText(shell, text, "");
    yield* handleSignals(shell);
  } catch (error) {
    // A call may have been broken off by the signal before anybody looked for it.
    if (error instanceof SysError && error.code === "EINTR") yield* takeSignals(shell);
    else if (error instanceof Interrupted) shell.status = 130;
    else if (!(error instanceof LoopJump || error instanceof FunctionReturn)) throw error;
    shell.loopDepth = 0;
    shell.conditionDepth = 0;
  } finally {
    if (typed !== undefined) onLine?.({ ...typed, code: shell.status, endedMs: shell.self.nowMs });
  }
  return true;
}

/** The signals that broke a call off; whatever they ask for, the shell reads on. */
function* takeSignals(shell: Shell): Sys<void> {
  shell.status = 130;
  try {
    yield* handleSignals(shell);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

class LineInput {
  /** The user has been told of stopped jobs; another Ctrl-D ends the shell. */
  warned = false;
  readonly #shell: Shell;
  readonly #editor: LineEditor | undefined;

  constructor(shell: Shell, tty: boolean) {
    this.#shell = shell;
    this.#editor = tty ? new LineEditor(shell, new KeyReader(shell.self, 0)) : undefined;
  }

  /** A complete command, over as many lines as it takes; undefined at the end of input. */
  *command(): Sys<string | undefined> {
    const shell = this.#shell;
    let held = "";
    let literal: SyntaxProblem["literal"];
    for (;;) {
      const result = yield* this.#line(yield* this.#prompt(held === "" ? "PS1" : "PS2"));
      if (result.kind === "interrupt") {
        shell.status = 130;
        yield* this.#trapInterrupt();
        held = "";
        literal = undefined;
        continue;
      }
      if (result.kind === "end") {
        if (held === "") return undefined;
        return held;
      }
      const line = literal === "here-document" ? result.text : yield* this.#expand(result.text, literal === "single quotes");
      if (line === undefined) continue;
      held += `${line}\n`;
      const problem = shell.engine.problemOf(held);
      literal = problem?.literal;
      if (problem?.incomplete === true) continue;
      addHistory(shell, joinLines(held));
      return held;
    }
  }

  *#trapInterrupt(): Sys<void> {
    if (this.#shell.traps.has("INT")) yield* runTrap(this.#shell, "INT");
  }

  *#prompt(name: "PS1" | "PS2"): Sys<string> {
    const text = expandPrompt(this.#shell, this.#shell.variables.get(name) ?? "");
    if (isPlainInQuotes(text)) return text;
    const { status, substitutionStatus } = this.#shell;
    const result = yield* this.#shell.engine.expandAsQuoted(this.#shell, text);
    this.#shell.status = status;
    this.#shell.substitutionStatus = substitutionStatus;
    return result;
  }

  /** History expansion; undefined when the event is not there (told). */
  *#expand(text: string, quoted: boolean): Sys<string | undefined> {
    const shell = this.#shell;
    if (!shell.bash || !shell.has("histexpand")) return text;
    const expansion = expandHistory(shell.history.lines, text, quoted);
    if (expansion.kind === "unchanged") return text;
    if (expansion.kind === "missing") {
      yield* shell.complain(`${expansion.event}: event not found`);
      return undefined;
    }
    yield* shell.writeError(`${expansion.text}\n`);
    return expansion.text;
  }

  *#line(prompt: string): Sys<EditResult> {
    const shell = this.#shell;
    const { terminal } = shell;
    if (this.#editor === undefined || terminal === undefined) {
      yield* shell.writeError(prompt);
      const line = yield* readLine(shell, shell.descriptor(0), {});
      return line === undefined ? { kind: "end" } : { kind: "line", text: line.text };
    }
    const modes: TerminalModes = terminal.modes;
    terminal.setForegroundGroup(shell.self.pgid);
    terminal.setModes({ canonical: false, echo: false, signals: false, outputCrLf: true });
    try {
      yield* shell.writeError("\x1b[?2004h");
      for (;;) {
        try {
          const result = yield* this.#editor.read(prompt);
          yield* shell.writeError("\x1b[?2004l");
          return result;
        } catch (error) {
          if (!(error instanceof SysError && error.code === "EINTR")) throw error;
          yield* handleSignals(shell);
        }
      }
    } finally {
      terminal.setModes(modes);
    }
  }
}

/** A command over several lines as one line of history, as bash's cmdhist keeps it. */
function joinLines(text: string): string {
  const lines = text.replace(/\n+$/u, "").split("\n");
  if (lines.length === 1 || /<<-?\s*\S/u.test(text) || /['"][^'"]*\n/u.test(text)) return lines.join("\n");
  return lines.reduce((joined, line) => {
    if (joined.endsWith("\\")) return joined.slice(0, -1) + line;
    return /(?:^|[\s;])(?:do|then|else|in|\{|\()$|[;&|]$/u.test(joined.trimEnd())
      ? `${joined} ${line.trim()}`
      : `${joined}; ${line.trim()}`;
  });
}

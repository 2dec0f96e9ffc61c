// The corpus: what is typed, as text files, one file a command. `== title` begins a scenario, which starts in a fresh world; then
//   $ line            is run by a shell in both worlds (`\` at the end of a line joins the next one);
//   > text            what the line before it is known to print, from upstream's documentation or tests (the whole output, a line each);
//   ! text            the same for stderr;   ? 1   the same for the exit code;
//   % wait 10s        lets virtual time pass; % nodes 2   how many workers the world has (1 unless told);
//   % addon NAME     what runs beside the usual components (metrics-server);
//   % file NAME       the lines up to the next mark become a file of the home directory, in place before the first command.
// Lines outside of files that begin with # are remarks. The files of `corpus/files` are in every home directory.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AddonName, addonNames } from "#world/cluster-shape.ts";

export interface Expected {
  readonly stdout: string | undefined;
  readonly stderr: string | undefined;
  readonly code: number | undefined;
}

export type Step =
  | { readonly kind: "line"; readonly line: string; readonly expected: Expected }
  | { readonly kind: "wait"; readonly durationMs: number };

export interface Scenario {
  readonly command: string;
  readonly title: string;
  readonly nodes: number;
  readonly addons: readonly AddonName[];
  /** By name, relative to the home directory. */
  readonly files: { readonly [name: string]: string };
  readonly steps: readonly Step[];
}

const here = join(import.meta.dirname, "corpus");
const unitsMs: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const mark = /^(?:== |\$ |% |[>!?](?: |$))/;

class ScenarioReader {
  readonly title: string;
  nodes = 1;
  readonly addons: AddonName[] = [];
  readonly files: { [name: string]: string } = {};
  readonly steps: Step[] = [];
  #file: string | undefined;
  #joined = "";

  constructor(title: string) {
    this.title = title;
  }

  read(text: string): void {
    if (this.#joined !== "") {
      this.#command(this.#joined + text);
      return;
    }
    if (this.#file !== undefined && !mark.test(text)) {
      this.files[this.#file] += `${text}\n`;
      return;
    }
    this.#file = undefined;
    const rest = text.slice(2);
    if (text.startsWith("$ ")) this.#command(rest);
    else if (text.startsWith("% ")) this.#directive(rest);
    else if (/^[>!]( |$)/.test(text)) this.#expect(text.startsWith(">") ? "stdout" : "stderr", rest);
    else if (text.startsWith("? ")) this.#expectCode(Number(rest));
    else if (text.trim() !== "" && !text.startsWith("#")) throw new Error(`${this.title}: this line means nothing: ${text}`);
  }

  #command(text: string): void {
    if (text.endsWith("\\")) {
      this.#joined = `${text}\n`;
      return;
    }
    this.#joined = "";
    this.steps.push({ kind: "line", line: text, expected: { stdout: undefined, stderr: undefined, code: undefined } });
  }

  #directive(text: string): void {
    const [word, value = ""] = text.split(/ (.*)/s);
    if (word === "file") {
      this.#file = value;
      this.files[value] = "";
      return;
    }
    if (word === "nodes") {
      this.nodes = Number(value);
      return;
    }
    if (word === "addon") {
      const addon = addonNames.find((name) => name === value);
      if (addon === undefined) throw new Error(`${this.title}: there is no add-on ${value}`);
      this.addons.push(addon);
      return;
    }
    const [, amount, unit = ""] = /^(\d+)(ms|s|m|h)$/.exec(value) ?? [];
    if (word !== "wait" || amount === undefined) throw new Error(`${this.title}: this directive means nothing: % ${text}`);
    this.steps.push({ kind: "wait", durationMs: Number(amount) * (unitsMs[unit] ?? 0) });
  }

  #expect(stream: "stdout" | "stderr", text: string): void {
    const last = this.#lastLine();
    this.steps[this.steps.length - 1] = {
      ...last,
      expected: { ...last.expected, [stream]: `${last.expected[stream] ?? ""}${text}\n` },
    };
  }

  #expectCode(code: number): void {
    const last = this.#lastLine();
    this.steps[this.steps.length - 1] = { ...last, expected: { ...last.expected, code } };
  }

  #lastLine(): Extract<Step, { kind: "line" }> {
    const last = this.steps.at(-1);
    if (last?.kind !== "line") throw new Error(`${this.title}: an expectation stands behind no command`);
    return last;
  }
}

export function readCorpusFile(command: string, text: string, shared: { readonly [name: string]: string }): readonly Scenario[] {
  const scenarios: ScenarioReader[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("== ")) scenarios.push(new ScenarioReader(line.slice(3).trim()));
    else scenarios.at(-1)?.read(line);
  }
  return scenarios.map(({ title, nodes, addons, files, steps }) => {
    return { command, title, nodes, addons, steps, files: { ...shared, ...files } };
  });
}

/** All scenarios, or those of the commands named. Throws for a command without a file. */
export function readCorpus(commands: readonly string[]): readonly Scenario[] {
  const shared = Object.fromEntries(
    readdirSync(join(here, "files")).map((name) => [name, readFileSync(join(here, "files", name), "utf8")]),
  );
  const known = readdirSync(here)
    .filter((name) => name.endsWith(".txt"))
    .map((name) => name.slice(0, -4));
  const unknown = commands.find((command) => !known.includes(command));
  if (unknown !== undefined) throw new Error(`the corpus has no file ${unknown}.txt`);
  return known
    .filter((command) => commands.length === 0 || commands.includes(command))
    .flatMap((command) => readCorpusFile(command, readFileSync(join(here, `${command}.txt`), "utf8"), shared));
}

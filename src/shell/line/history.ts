// Command history: the list, its file, and !-expansion.

import { SysError } from "#sim/errors.ts";
import type { Shell } from "../interpreter/shell.ts";

const limit = 1000;

function fileOf(shell: Shell): string | undefined {
  const named = shell.variables.get("HISTFILE");
  if (named !== undefined) return named === "" ? undefined : named;
  const home = shell.variables.get("HOME");
  return home === undefined ? undefined : `${home}/${shell.bash ? ".bash_history" : ".ash_history"}`;
}

export function loadHistory(shell: Shell): void {
  const path = fileOf(shell);
  if (path === undefined) return;
  try {
    const lines = shell.self
      .readText(path)
      .split("\n")
      .filter((line) => line !== "");
    shell.history.lines.push(...lines.slice(-limit));
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
}

export function saveHistory(shell: Shell): void {
  const path = fileOf(shell);
  if (path === undefined) return;
  try {
    shell.self.writeFile(
      path,
      shell.history.lines
        .slice(-limit)
        .map((line) => `${line}\n`)
        .join(""),
      { permissions: 0o600 },
    );
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
}

/** Adds a command as HISTCONTROL says. */
export function addHistory(shell: Shell, line: string): void {
  const control = shell.variables.get("HISTCONTROL") ?? "";
  const { lines } = shell.history;
  if (line.trim() === "") return;
  if (/ignorespace|ignoreboth/u.test(control) && line.startsWith(" ")) return;
  if (/ignoredups|ignoreboth/u.test(control) && lines.at(-1) === line) return;
  lines.push(line);
  if (lines.length > limit) lines.shift();
}

export type HistoryExpansion =
  | { readonly kind: "unchanged" }
  | { readonly kind: "expanded"; readonly text: string }
  | { readonly kind: "missing"; readonly event: string };

/** Replaces !!, !n, !-n, !text, !?text?, !$, !^ and !*, and ^old^new, outside of single quotes, which may be open before the text. */
export function expandHistory(lines: readonly string[], text: string, isQuoted: boolean): HistoryExpansion {
  const quick = isQuoted ? null : /^\^([^^]+)\^([^^]*)\^?$/u.exec(text);
  const last = lines.at(-1);
  if (quick !== null) {
    if (last === undefined || !last.includes(quick[1] as string)) return { kind: "missing", event: ":s" + text };
    return { kind: "expanded", text: last.replace(quick[1] as string, () => quick[2] as string) };
  }
  let result = "";
  let changed = false;
  let quoted = isQuoted;
  for (let i = 0; i < text.length; ) {
    const char = text[i] as string;
    const rest = text.slice(i);
    const event = quoted ? null : /^!(?:(!|-?\d+|\?[^?]+\??|[A-Za-z./_~][^\s;|&()<>:]*)?(?::?([$^*])|:(\d+))?)/u.exec(rest);
    if (char === "\\" && !quoted) {
      result += text.slice(i, i + 2);
      i += 2;
    } else if (event !== null && event[0].length > 1) {
      const found = findEvent(lines, event[1] ?? "!");
      if (found === undefined) return { kind: "missing", event: event[0] };
      result += selectWords(found, event[2] ?? event[3]);
      changed = true;
      i += event[0].length;
    } else {
      if (char === "'") quoted = !quoted;
      result += char;
      i += 1;
    }
  }
  return changed ? { kind: "expanded", text: result } : { kind: "unchanged" };
}

function findEvent(lines: readonly string[], event: string): string | undefined {
  if (event === "!") return lines.at(-1);
  if (/^-?\d+$/u.test(event)) return event.startsWith("-") ? lines.at(Number(event)) : lines[Number(event) - 1];
  if (event.startsWith("?")) return lines.findLast((line) => line.includes(event.replace(/\?/gu, "")));
  return lines.findLast((line) => line.startsWith(event));
}

function selectWords(line: string, selector: string | undefined): string {
  if (selector === undefined) return line;
  const words = line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/gu) ?? [];
  if (selector === "$") return words.at(-1) ?? "";
  if (selector === "^") return words[1] ?? "";
  if (selector === "*") return words.slice(1).join(" ");
  return words[Number(selector)] ?? "";
}

// Prometheus' text: families by name, rows by the values of their labels, labels by name.

import { compareTexts } from "#sim/compare-texts.ts";
import { goFloat } from "./resource-metrics.ts";

/** By name; "" where there is none, as upstream prints it. */
export type Labels = { readonly [name: string]: string };

interface Row {
  readonly labels: Labels;
  readonly value: number;
  /** When it was measured; undefined where that is not told. */
  readonly timeMs?: number;
}

export class Families {
  readonly #families = new Map<string, { readonly type: string; readonly help: string; readonly rows: Row[] }>();

  add(name: string, type: "counter" | "gauge", help: string, row: Row): void {
    let family = this.#families.get(name);
    if (family === undefined) {
      family = { type, help, rows: [] };
      this.#families.set(name, family);
    }
    family.rows.push(row);
  }

  toString(): string {
    let text = "";
    for (const [name, { type, help, rows }] of [...this.#families].sort(byText)) {
      text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
      const lines = rows.map(({ labels, value, timeMs }): [string, string] => {
        const sorted = Object.entries(labels).sort(byText);
        const time = timeMs === undefined ? "" : ` ${timeMs}`;
        return [sorted.map(([, each]) => each).join("\0"), `${name}${labelText(sorted)} ${goFloat(value)}${time}\n`];
      });
      text += lines
        .sort(byText)
        .map(([, line]) => line)
        .join("");
    }
    return text;
  }
}

export function labelText(labels: readonly (readonly [string, string])[]): string {
  return labels.length === 0 ? "" : `{${labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

export function byText([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return compareTexts(a, b);
}

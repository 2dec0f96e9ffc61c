// The text format of Prometheus, as components write it.

import { goFloat } from "#cluster/zpages/sli-page.ts";

/** One name with its samples; `labels` as they are written, without braces. */
export interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly { readonly labels: string; readonly value: number }[];
}

/** In the order of names, without those that have no samples. */
export function metricsPage(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(textOf)
    .join("");
}

function textOf({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ labels, value }) => `${name}${labels === "" ? "" : `{${labels}}`} ${goFloat(value)}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

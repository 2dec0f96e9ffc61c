// What an entry of the timeline says in one line, beside its time and its component.

import type { Change, EntryView } from "#history/questions.ts";
import type { Translate } from "../../../i18n/translator.ts";

export interface EntryWords {
  /** The API's verb, an event's reason, or what a part of the cluster did. */
  readonly act: string;
  /** `Pod web-1` */
  readonly object: string;
  readonly detail: string;
}

export function entryWords(entry: EntryView, t: Translate): EntryWords {
  const object = `${entry.objectKind} ${entry.object.name}`.trim();
  switch (entry.kind) {
    case "write": {
      const act = entry.subresource === "" ? entry.verb : `${entry.verb} ${entry.subresource}`;
      return { act, object, detail: changeWords(entry.changes, entry.moreChanges) };
    }
    case "event":
      return { act: entry.reason, object, detail: entry.text };
    case "refusal":
      return { act: `${entry.verb} ✗`, object, detail: entry.text };
    case "decision":
      return { act: t(`workbench.panels.scheduler.outcomes.${outcome(entry.verb)}`), object, detail: entry.text };
    case "runtime":
      return { act: t(`workbench.panels.timeline.acts.${runtimeAct(entry.verb)}`), object, detail: entry.text };
  }
}

/** `spec.replicas 1 → 3 · +2` */
export function changeWords(changes: readonly Change[], more: number): string {
  const named = changes.map(({ path, before, after }) => `${path} ${before === "" ? "∅" : before} → ${after === "" ? "∅" : after}`);
  return [...named, ...(more > 0 ? [`+${more}`] : [])].join(" · ");
}

const outcomes = ["scheduled", "unschedulable", "preempting", "error"] as const;
const acts = ["sandboxReady", "sandboxFailed", "sandboxStopped", "created", "started", "startFailed", "exited"] as const;

function outcome(verb: string): (typeof outcomes)[number] {
  return outcomes.find((known) => known === verb) ?? "error";
}

function runtimeAct(verb: string): (typeof acts)[number] {
  return acts.find((known) => known === verb) ?? "exited";
}

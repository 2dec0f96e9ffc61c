// When the change began that a Service's endpoints are written for, as an annotation of theirs tells it
// (endpointslice/util/trigger_time_tracker.go).

import type { Pod, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";

const triggerTimeAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** What the last pass over a Service has seen. Times are as objects have them: in UTC, to the second, so texts compare as times. */
interface Seen {
  readonly serviceTime: string;
  readonly podTimes: ReadonlyMap<string, string>;
}

export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /**
   * The earliest time of what is new since the last pass: Pods whose readiness turned, a Service made anew; undefined where
   * nothing is. To be called once in each pass, also in those that write nothing.
   */
  next(key: string, { metadata: { creationTimestamp } }: Stored<Service>, pods: readonly Stored<Pod>[]): string | undefined {
    const before = this.#seen.get(key);
    const podTimes = new Map<string, string>();
    let earliest: string | undefined;
    const note = (time: string, former: string | undefined): void => {
      if (time > (former ?? "") && (earliest === undefined || time < earliest)) earliest = time;
    };
    for (const { metadata, status } of pods) {
      const time = status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime;
      if (!time) continue;
      podTimes.set(metadata.name, time);
      note(time, before?.podTimes.get(metadata.name));
    }
    const serviceTime = creationTimestamp ?? "";
    note(serviceTime, before?.serviceTime);
    this.#seen.set(key, { serviceTime, podTimes });
    return before === undefined ? creationTimestamp : earliest;
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}

/** The annotations with this trigger time, or without any. */
export function withTriggerTime(
  annotations: { readonly [key: string]: string } | undefined,
  time: string | undefined,
): { readonly annotations?: { readonly [key: string]: string } } {
  const { [triggerTimeAnnotation]: _former, ...rest } = annotations ?? {};
  const all = time === undefined ? rest : { ...rest, [triggerTimeAnnotation]: time };
  return Object.keys(all).length === 0 ? {} : { annotations: all };
}

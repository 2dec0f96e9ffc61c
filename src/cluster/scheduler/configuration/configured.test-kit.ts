// A scheduler that runs by a configuration file, for tests.

import { parseYaml } from "#cluster/api/yaml-text.ts";
import type { Process } from "#sim/program.ts";
import { startScheduling } from "../scheduler.test-kit.ts";
import type { SchedulingSettings } from "../scheduling-loop.ts";
import { fileSettings } from "./configuration-code.ts";
import type { ExtenderCall, ExtenderReply } from "./extender-transport.ts";
import { extenderChain } from "./http-extender.ts";
import type { ExtenderFields } from "./shapes.ts";

export const head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

/** What a test's extenders answer to a call, and after how long; undefined: never. */
export type Answerer = (call: ExtenderCall, body: unknown) => ExtenderReply | undefined;

/** A world with a scheduler by such a file; `answer` stands in for the servers of its extenders. */
export function configured(text: string, answer: Answerer = () => ({ error: "nobody is there" }), answerMs = 5) {
  const world = startScheduling();
  const { simulation } = world;
  const calls: { readonly url: string; readonly body: unknown }[] = [];
  const transport = (call: ExtenderCall, done: (reply: ExtenderReply) => void): void => {
    const body = JSON.parse(call.body) as unknown;
    calls.push({ url: call.url, body });
    const reply = answer(call, body);
    if (reply !== undefined) simulation.after(answerMs, () => done(reply));
  };
  const whole = head + text;
  // The process is for calls alone, and those go to the test.
  const settings = fileSettings(whole, {}, () => "").schedulingOf(undefined as unknown as Process, simulation);
  const { extenders = [] } = parseYaml(whole).value as { readonly extenders?: readonly ExtenderFields[] };
  const chain = extenderChain(
    extenders.map((fields) => ({ fields, tls: {} })),
    transport,
  );
  const all: SchedulingSettings = { ...settings, extenders: extenders.length === 0 ? undefined : chain };
  world.scheduler.start({ settings: all });
  return { ...world, calls };
}

export function reply(document: unknown): ExtenderReply {
  return { status: 200, text: JSON.stringify(document) };
}

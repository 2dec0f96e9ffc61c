// containerd's lines in its node's journal (`runtime-journal-words.ts` has their words), and what the kernel says of containers that it kills for memory.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Victim } from "#sim/process/control-group.ts";
import { type Journal, type JournalForm, plain } from "../host/journal.ts";
import { lateJournalWords } from "../host/late-journal-words.ts";
import type { ContainerConfig, SandboxConfig } from "./cri.ts";
import type { runtimeForms } from "./runtime-journal-words.ts";

export type RuntimeStep = keyof typeof runtimeForms;

/** Put into words when they are read, by code that comes with who reads. */
const forms = new Map<RuntimeStep, JournalForm>();

function formOf(step: RuntimeStep): JournalForm {
  let form = forms.get(step);
  if (form === undefined) {
    form = (entry) => lateJournalWords.code.runtimeForms[step](entry);
    forms.set(step, form);
  }
  return form;
}

export function sandboxValues({ name, podUid, namespace, attempt }: SandboxConfig): readonly string[] {
  return [name, podUid, namespace, String(attempt)];
}

export function containerValues({ name, attempt }: ContainerConfig): readonly string[] {
  return [name, String(attempt)];
}

export class RuntimeJournal {
  readonly #journal: Journal | undefined;

  constructor(journal: Journal | undefined) {
    this.#journal = journal;
  }

  write(step: RuntimeStep, ...values: readonly string[]): void {
    this.#journal?.write("containerd", formOf(step), ...values);
  }

  /** A container's or a pod's limit had a process killed. `group` is the control group with the limit. */
  killed(victim: Victim, limitBytes: number, group: string, container: string): void {
    if (this.#journal === undefined) return;
    for (const text of outOfMemoryLines(victim, limitBytes, group, container)) this.#journal.write("kernel", plain, text);
  }
}

/** Path of a pod's control group, below which its containers' are. */
export function podGroupPath({ podUid, qosClass }: SandboxConfig): string {
  const uid = podUid.replaceAll("-", "_");
  const quality = asciiLowerCase(qosClass);
  if (quality === "guaranteed") return `/kubepods.slice/kubepods-pod${uid}.slice`;
  return `/kubepods.slice/kubepods-${quality}.slice/kubepods-${quality}-pod${uid}.slice`;
}

/** mm/oom_kill.c and mm/memcontrol.c of Linux: the lines by which one finds who was killed, and why. */
function outOfMemoryLines(victim: Victim, limitBytes: number, group: string, container: string): readonly string[] {
  const { name, pid, uid, memoryBytes, scoreAdjust, killsWhole } = victim;
  const kibibytes = (bytes: number): string => `${Math.floor(bytes / 1024)}kB`;
  const scope = container.slice(container.lastIndexOf("/") + 1);
  return [
    `${name} invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=${scoreAdjust}`,
    `memory: usage ${kibibytes(limitBytes)}, limit ${kibibytes(limitBytes)}, failcnt 1`,
    `oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=${scope},mems_allowed=0,oom_memcg=${group},task_memcg=${container},task=${name},pid=${pid},uid=${uid}`,
    `Memory cgroup out of memory: Killed process ${pid} (${name}) total-vm:${kibibytes(memoryBytes)}, anon-rss:${kibibytes(memoryBytes)}, file-rss:0kB, shmem-rss:0kB, UID:${uid} pgtables:${kibibytes(memoryBytes / 512 + 40_960)} oom_score_adj:${scoreAdjust}`,
    ...(killsWhole ? [`Tasks in ${container} are going to be killed due to memory.oom.group set`] : []),
  ];
}

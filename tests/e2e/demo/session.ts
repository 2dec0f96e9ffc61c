// A session without a simulator: answers a few commands by rote and moves a few pods, so that the workbench can be tested alone.

import { computed, type Signal, signal } from "@preact/signals";
import type {
  ClockView,
  ClusterView,
  LabSession,
  PodShape,
  PodView,
  SessionState,
  Speed,
  StepView,
  TerminalPort,
} from "#lab/session.ts";

const nodes: ClusterView["nodes"] = [
  { name: "control-plane", ready: true, unschedulable: false, zone: "", controlPlane: true },
  ...[1, 2, 3].map((number) => ({
    name: `node-${number}`,
    ready: number !== 3,
    unschedulable: number === 2,
    zone: `zone-${"abc"[number - 1]}`,
    controlPlane: false,
  })),
];

const shapes: readonly (readonly [PodShape, string, string])[] = [
  ["running", "Running", "1/1"],
  ["running", "Running", "1/1"],
  ["running", "Running", "1/1"],
  ["running", "Running", "1/1"],
  ["notReady", "Running", "0/1"],
  ["creating", "ContainerCreating", "0/1"],
  ["pending", "Pending", "0/1"],
  ["crashLooping", "CrashLoopBackOff", "0/1"],
  ["succeeded", "Completed", "0/1"],
  ["failed", "Error", "0/1"],
  ["terminating", "Terminating", "1/1"],
  ["unknown", "Unknown", "0/1"],
];

const pods: readonly PodView[] = [
  ...["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"].map((name) =>
    pod(`${name}-control-plane`, "control-plane", "running", "kube-system", "Node", "control-plane", ""),
  ),
  ...shapes.map(([shape], index) => {
    const revision = index % 3 === 0 ? "5f6d8c9b4" : "7c9fd45b8";
    return pod(
      `web-${revision}-${"bcdfghjklmnp"[index]}x2vq`,
      shape === "pending" ? "" : `node-${(index % 3) + 1}`,
      shape,
      "default",
      "Deployment",
      "web",
      revision,
    );
  }),
];

function pod(
  name: string,
  nodeName: string,
  shape: PodShape,
  namespace: string,
  ownerKind: string,
  ownerName: string,
  revision: string,
): PodView {
  const [, statusText = "Running", ready = "1/1"] = shapes.find((entry) => entry[0] === shape) ?? [];
  return {
    uid: name,
    namespace,
    name,
    nodeName,
    shape,
    statusText,
    ready,
    ownerKind,
    ownerName,
    revision,
    ip: nodeName === "" ? "" : "10.244.1.7",
  };
}

const cluster: ClusterView = {
  nodes,
  pods,
  deployments: [{ namespace: "default", name: "web", ready: 4, desired: 12 }],
  replicaSets: [
    { namespace: "default", name: "web-5f6d8c9b4", ready: 1, desired: 4, deployment: "web" },
    { namespace: "default", name: "web-7c9fd45b8", ready: 3, desired: 8, deployment: "web" },
  ],
  services: [{ namespace: "default", name: "web", type: "ClusterIP", clusterIp: "10.96.14.3", endpoints: ["a", "b", "c", "d"] }],
};

const texts: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  fr: [
    [
      "Créer le Deployment",
      "<p>Créez le Deployment <code>web</code> avec trois réplicas.</p>",
      "Trois réplicas sont demandés, un seul est prêt.",
    ],
    ["Changer d’image", "<p>Passez les Pods à <code>nginx:1.27</code>.</p>", "Les Pods utilisent encore `nginx:1.26`."],
    ["Revenir en arrière", "<p>Rétablissez la révision précédente.</p>", "La révision en cours est la 2."],
  ],
  zh: [
    ["创建 Deployment", "<p>创建名为 <code>web</code> 的 Deployment，副本数为 3。</p>", "要求 3 个副本，只有 1 个就绪。"],
    ["更换镜像", "<p>把 Pod 的镜像换成 <code>nginx:1.27</code>。</p>", "Pod 仍在使用 nginx:1.26。"],
    ["回滚", "<p>恢复到上一个修订版本。</p>", "当前是修订版本 2。"],
  ],
  ja: [
    [
      "Deploymentを作成する",
      "<p>レプリカが3つのDeployment<code>web</code>を作成します。</p>",
      "必要なレプリカは3つですが、準備完了は1つです。",
    ],
    ["イメージを変更する", "<p>Podのイメージを<code>nginx:1.27</code>に変更します。</p>", "Podはまだnginx:1.26を使っています。"],
    ["元に戻す", "<p>1つ前のリビジョンに戻します。</p>", "現在はリビジョン2です。"],
  ],
  es: [
    [
      "Crear el Deployment",
      "<p>Crea el Deployment <code>web</code> con tres réplicas.</p>",
      "Se piden tres réplicas y solo una está lista.",
    ],
    ["Cambiar la imagen", "<p>Pasa los Pods a <code>nginx:1.27</code>.</p>", "Los Pods aún usan nginx:1.26."],
    ["Volver atrás", "<p>Restaura la revisión anterior.</p>", "La revisión en curso es la 2."],
  ],
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const answers: Readonly<Record<string, string>> = {
  "kubectl get nodes":
    "NAME            STATUS   ROLES           AGE   VERSION\r\ncontrol-plane   Ready    control-plane   34s   v1.36.0\r\nnode-1          Ready    <none>          19s   v1.36.0\r\nnode-2          Ready    <none>          19s   v1.36.0\r\nnode-3          Ready    <none>          18s   v1.36.0\r\n",
  "kubectl get pods":
    "\u001b[32mNAME                   READY   STATUS    RESTARTS   AGE\u001b[0m\r\nweb-7c9fd45b8-cx2vq    1/1     Running   0          12s\r\n",
};

export function openLab(labId: string, locale: string): LabSession {
  const state: Signal<SessionState> = signal({ kind: "starting", phase: "loading" });
  const clock: Signal<ClockView> = signal({
    nowMs: 1_790_000_000_000,
    speed: 1,
    paused: false,
    eventsPerSecond: 0,
    context: "",
    namespace: "",
  });
  const passed = signal(labId === "sandbox" ? 0 : 1);
  const hints = signal<ReadonlyMap<string, number>>(new Map());
  const solutions = signal<ReadonlySet<string>>(new Set());
  const view: Signal<ClusterView> = signal({ nodes: [], pods: [], deployments: [], replicaSets: [], services: [] });
  const lines: DemoTerminal[] = [];
  let last: DemoTerminal | undefined;
  const change = (next: Partial<ClockView>): void => {
    clock.value = { ...clock.value, ...next };
  };
  const start = (): void => {
    state.value = { kind: "starting", phase: "booting" };
    setTimeout(() => {
      state.value = { kind: "ready", resumed: false };
      view.value = cluster;
      change({ eventsPerSecond: 1240, context: "kubernetes-admin@kubernetes", namespace: "default" });
    }, 150);
  };
  const ticking = setInterval(() => {
    if (!clock.value.paused) change({ nowMs: clock.value.nowMs + 1000 * clock.value.speed });
  }, 1000);
  start();
  return {
    labId,
    locale,
    state,
    clock,
    cluster: view,
    steps: computed(() =>
      labId === "sandbox"
        ? []
        : (texts[locale] ?? []).map(([title, taskHtml, missing], index): StepView => {
            const id = `step-${index}`;
            const shown = hints.value.get(id) ?? 0;
            return {
              id,
              title,
              taskHtml,
              status: index < passed.value ? "passed" : "open",
              current: index === passed.value,
              missing: index < passed.value ? [] : [missing],
              hintsShown: Array.from({ length: shown }, (_, number) => `${title} ${number + 1}`),
              hintsLeft: 3 - shown,
              solution: solutions.value.has(id)
                ? { commands: "kubectl set image deployment/web nginx=nginx:1.27\n", explanationHtml: "" }
                : undefined,
            };
          }),
    ),
    leftTerminals: signal(0),
    openTerminal: () => {
      const line = new DemoTerminal(String(lines.length + 1), (used) => {
        last = used;
      });
      lines.push(line);
      last = line;
      return line;
    },
    runInTerminal: (command) => {
      last?.write(`${command}\r`);
      if (command.startsWith("kubectl set image")) passed.value = Math.max(passed.value, 2);
    },
    setSpeed: (speed: Speed) => change({ speed }),
    setPaused: (paused) => change({ paused }),
    skip: (durationMs) => change({ nowMs: clock.value.nowMs + durationMs }),
    showHint: (id) => {
      hints.value = new Map(hints.value).set(id, (hints.value.get(id) ?? 0) + 1);
    },
    showSolution: (id) => {
      solutions.value = new Set(solutions.value).add(id);
    },
    reset: start,
    close: () => clearInterval(ticking),
  };
}

class DemoTerminal implements TerminalPort {
  readonly id: string;
  readonly title = signal("bash");
  readonly #onUse: (line: DemoTerminal) => void;
  #listener: ((data: Uint8Array) => void) | undefined;
  #waiting = "\u001b[36mlearner@workstation\u001b[0m:~$ ";
  #typed = "";

  constructor(id: string, onUse: (line: DemoTerminal) => void) {
    this.id = id;
    this.#onUse = onUse;
  }

  write(data: string | Uint8Array): void {
    this.#onUse(this);
    for (const key of typeof data === "string" ? data : new TextDecoder().decode(data)) {
      if (key === "\r") {
        this.#show(`\r\n${answers[this.#typed] ?? ""}\u001b[36mlearner@workstation\u001b[0m:~$ `);
        this.#typed = "";
      } else {
        this.#typed += key;
        this.#show(key);
      }
    }
  }

  resize(): void {}

  onOutput(listener: (data: Uint8Array) => void): void {
    this.#listener = listener;
    if (this.#waiting !== "") listener(encode(this.#waiting));
    this.#waiting = "";
  }

  close(): void {}

  #show(text: string): void {
    if (this.#listener === undefined) this.#waiting += text;
    else this.#listener(encode(text));
  }
}

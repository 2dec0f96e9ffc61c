// What brings a Pod that found no place back into the queue: events of which a plugin that refused it says that they may help.

import { describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { cpu, startScheduling } from "./scheduler.test-kit.ts";

type Spec = Partial<NonNullable<Pod["spec"]>>;

const hostname = "kubernetes.io/hostname";
const awayFrom = (app: string): Spec => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app } }, topologyKey: hostname }],
    },
  },
});
const nearTo = (app: string): Spec => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: { app } }, topologyKey: hostname }],
    },
  },
});
const port = (hostPort: number): Spec => ({
  containers: [{ name: "main", image: "nginx", ports: [{ containerPort: 80, hostPort }] }],
});

function world() {
  const parts = startScheduling();
  parts.scheduler.start();
  const { client, pod, run } = parts;
  const patch = (name: string, change: JsonValue, subresource?: "status" | "resize"): void => {
    client.patch(
      kinds.pods,
      { namespace: "default", name },
      "strategic",
      change,
      subresource === undefined ? {} : ({ subresource } as const),
    );
    run(3_000);
  };
  return {
    ...parts,
    patch,
    relabel: (name: string, labels: JsonValue) => patch(name, { metadata: { labels } }),
    place: (name: string, spec?: Spec, labels?: { [key: string]: string }) => {
      parts.addPod(name, spec, labels);
      run(3_000);
    },
    remove: (name: string) => {
      client.delete(kinds.pods, { namespace: "default", name }, { gracePeriodSeconds: 0 });
      run(3_000);
    },
    patchNode: (name: string, change: JsonValue, subresource?: "status" | "resize") => {
      client.patch(
        kinds.nodes,
        { namespace: "", name },
        "merge",
        change,
        subresource === undefined ? {} : ({ subresource } as const),
      );
      run(3_000);
    },
    /** Attempts so far, and the node that came of the last one. */
    state: (name: string): readonly [attempts: number, node: string | undefined] => {
      const attempts = [...parts.scheduler.decisions.newest()].filter(({ podKey }) => podKey === `default/${name}`).length;
      return [attempts, pod(name).spec?.nodeName];
    },
  };
}

describe("a Pod that waits for room", () => {
  it("is not tried again for labels, annotations or tolerations of its own, but for asking for less", () => {
    const { addNode, place, state, relabel, patch, run } = world();
    addNode("node-1");
    run();
    place("wide", cpu("3"));
    relabel("wide", { more: "1" });
    patch("wide", { metadata: { annotations: { a: "b" } } });
    patch("wide", { spec: { tolerations: [{ key: "late", operator: "Exists" }] } });
    expect(state("wide")).toEqual([1, undefined]);
    patch("wide", { spec: { containers: [{ name: "main", resources: { requests: { cpu: "1" } } }] } }, "resize");
    expect(state("wide")).toEqual([2, "node-1"]);
  });

  it("is tried again when a node has more of what it wants, and could take it", () => {
    const { addNode, place, state, patchNode, run } = world();
    addNode("node-1");
    run();
    place("wide", cpu("3"));
    patchNode("node-1", { metadata: { labels: { more: "1" } } });
    patchNode("node-1", { status: { allocatable: { memory: "8Gi" } } }, "status");
    patchNode("node-1", { status: { allocatable: { cpu: "2500m" } } }, "status");
    expect(state("wide")).toEqual([1, undefined]);
    patchNode("node-1", { status: { allocatable: { cpu: "4" } } }, "status");
    expect(state("wide")).toEqual([2, "node-1"]);
  });

  it("is tried again when a node says for the first time how many Pods it takes", () => {
    const { addNode, place, state, patchNode, run } = world();
    addNode("node-1");
    patchNode("node-1", { status: { capacity: null, allocatable: null } }, "status");
    run();
    place("small");
    expect(state("small")).toEqual([1, undefined]);
    patchNode("node-1", { status: { allocatable: { cpu: "2", memory: "4Gi", pods: "110" } } }, "status");
    expect(state("small")).toEqual([2, "node-1"]);
  });

  it("is tried again when a placed Pod asks for less of what it wants", () => {
    const { addNode, place, state, patch, run } = world();
    addNode("node-1");
    run();
    const requests = { cpu: "1500m", memory: "1Gi" };
    place("first", { containers: [{ name: "main", image: "nginx", resources: { requests } }] });
    place("second", cpu("1"));
    patch("first", { spec: { containers: [{ name: "main", resources: { requests: { memory: "512Mi" } } }] } }, "resize");
    expect(state("second")).toEqual([1, undefined]);
    patch("first", { spec: { containers: [{ name: "main", resources: { requests: { cpu: "500m" } } }] } }, "resize");
    expect(state("second")[0]).toBe(2);
  });
});

describe("a Pod that waits for a node's taint", () => {
  it.each([
    ["that it then tolerates", { taints: [{ key: "team", value: "red", effect: "NoSchedule" }] }, "team"],
    ["of cordoned nodes", { unschedulable: true }, "node.kubernetes.io/unschedulable"],
  ])("is tried again with a toleration: %s", (_title, spec, key) => {
    const { addNode, place, state, patch, relabel, run } = world();
    addNode("node-1", spec);
    run();
    place("pod");
    relabel("pod", { more: "1" });
    expect(state("pod")).toEqual([1, undefined]);
    patch("pod", { spec: { tolerations: [{ key, operator: "Exists" }] } });
    expect(state("pod")).toEqual([2, "node-1"]);
  });
});

describe("a Pod that waits for affinity", () => {
  it("is tried again for a Pod that it wants to be near, and for labels of its own", () => {
    const { addNode, place, state, relabel, run } = world();
    addNode("node-1");
    run();
    place("near", nearTo("db"), { app: "near" });
    place("web", {}, { app: "web" });
    expect(state("near")).toEqual([1, undefined]);
    relabel("near", { more: "1" });
    expect(state("near")).toEqual([2, undefined]);
    relabel("web", { app: "db" });
    expect(state("near")).toEqual([3, "node-1"]);
  });

  it("is tried again when the Pod that it keeps away from goes or is another by its labels, and not for others", () => {
    const { addNode, place, state, relabel, remove, patchNode, run } = world();
    addNode("node-1");
    run();
    place("loud", {}, { app: "loud" });
    place("web", {}, { app: "web" });
    place("guard", awayFrom("loud"));
    relabel("loud", { more: "1" });
    remove("web");
    patchNode("node-1", { metadata: { labels: { more: "1" } } });
    expect(state("guard")).toEqual([1, undefined]);
    relabel("loud", { app: "quiet" });
    expect(state("guard")).toEqual([2, "node-1"]);
  });

  it("is tried again when the Pod goes that kept it away", () => {
    const { addNode, place, state, remove, run } = world();
    addNode("node-1");
    run();
    place("guard", awayFrom("loud"));
    place("web", {}, { app: "web" });
    place("loud", {}, { app: "loud" });
    remove("web");
    expect(state("loud")).toEqual([1, undefined]);
    remove("guard");
    expect(state("loud")).toEqual([2, "node-1"]);
  });
});

describe("a Pod that waits for an even spread", () => {
  it("is tried again for Pods that are counted, nodes that have the key and labels of its own that change its count", () => {
    const { client, addNode, place, state, relabel, remove, run } = world();
    addNode("node-1", {}, { own: "yes" });
    addNode("node-2");
    run();
    place("web", { nodeSelector: { own: "yes" } }, { app: "web" });
    place(
      "second",
      {
        nodeSelector: { own: "yes" },
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: hostname,
            nodeAffinityPolicy: "Ignore",
            whenUnsatisfiable: "DoNotSchedule",
            labelSelector: { matchLabels: { app: "web" } },
          },
        ],
      },
      { app: "web" },
    );
    place("loud", {}, { app: "loud" });
    relabel("second", { more: "1" });
    remove("loud");
    expect(state("second")).toEqual([1, undefined]);
    client.delete(kinds.nodes, { namespace: "", name: "node-2" });
    run(3_000);
    expect(state("second")).toEqual([2, "node-1"]);
  });
});

describe("a Pod that waits for a port", () => {
  it("is tried again when a Pod goes that had it, and not for others", () => {
    const { addNode, place, state, remove, run } = world();
    addNode("node-1");
    run();
    place("first", port(8080));
    place("other", port(8081));
    place("plain");
    place("waiting", port(8080));
    remove("plain");
    remove("other");
    expect(state("waiting")).toEqual([1, undefined]);
    remove("first");
    expect(state("waiting")).toEqual([2, "node-1"]);
  });
});

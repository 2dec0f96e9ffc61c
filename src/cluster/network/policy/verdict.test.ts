// Which connections NetworkPolicies let through, as tables in the manner of upstream's suite, and compared with a naive reading of the API.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { NetworkPolicy, NetworkPolicySpec, Pod, PodSpec } from "#cluster/api/generated/types.ts";
import { isAllowed, type NaiveCluster, type NaiveConnection } from "./naive.test-kit.ts";
import { admits, compilePolicy, isolationOf } from "./verdict.ts";

const letters = ["a", "b", "c"] as const;
const namespaces = { x: { ns: "x" }, y: { ns: "y", team: "blue" }, z: { ns: "z", team: "blue" } };

const ports = [
  { name: "web", containerPort: 80, protocol: "TCP" },
  { name: "admin", containerPort: 81, protocol: "TCP" },
  { name: "dns", containerPort: 80, protocol: "UDP" },
];

/** x/a has 10.244.0.1, x/b 10.244.0.2 … y/a 10.244.1.1: three Pods in each of three namespaces. */
const pods: readonly Pod[] = Object.keys(namespaces).flatMap((namespace, row) =>
  letters.map((name, column): Pod => {
    // What c calls web is another port than what the others call so.
    const own = name === "c" ? [{ name: "web", containerPort: 8080, protocol: "TCP" }] : ports;
    return {
      metadata: { namespace, name, labels: { pod: name, ...(name === "a" ? {} : { tier: "back" }) } },
      spec: { containers: [{ name: "main", ports: own }] },
      status: { podIP: `10.244.${row}.${column + 1}` },
    };
  }),
);

const outside = "192.0.2.7";

function policy(namespace: string, spec: Partial<NetworkPolicySpec>, name = "policy"): NetworkPolicy {
  return { metadata: { namespace, name }, spec: { podSelector: {}, policyTypes: ["Ingress"], ...spec } };
}

function podAt(address: string): Pod | undefined {
  return pods.find(({ status }) => status?.podIP === address);
}

/** As the agent asks: about each end that is isolated. */
function passes({ policies }: NaiveCluster, { source, destination, port, protocol }: NaiveConnection): boolean {
  if (source === destination) return true;
  const known = (pod: Pod | undefined) =>
    pod && { pod, namespaceLabels: namespaces[pod.metadata?.namespace as keyof typeof namespaces] };
  return (["egress", "ingress"] as const).every((direction) => {
    const [near, far] = direction === "egress" ? [source, destination] : [destination, source];
    const isolated = podAt(near);
    if (isolated === undefined) return true;
    const own = policies.filter(({ metadata }) => metadata?.namespace === isolated.metadata?.namespace);
    return admits(isolationOf(own.map(compilePolicy), isolated.metadata?.labels), direction, {
      far: { address: far, known: known(podAt(far)) },
      destination: podAt(destination),
      port,
      protocol: protocol.toLowerCase() as "tcp" | "udp" | "sctp",
    });
  });
}

function addressOf(place: string): string {
  if (place === "outside") return outside;
  const [namespace, name] = place.split("/");
  const found = pods.find(({ metadata }) => metadata?.namespace === namespace && metadata?.name === name);
  return found?.status?.podIP ?? place;
}

const everyone = [...pods.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`), "outside"];

/** Who reaches a place, besides itself. */
function callersOf(policies: readonly NetworkPolicy[], place: string, port = 80, protocol: NaiveConnection["protocol"] = "TCP") {
  return everyone
    .filter((one) => one !== place)
    .filter((one) =>
      passes({ policies, pods, namespaces }, { source: addressOf(one), destination: addressOf(place), port, protocol }),
    )
    .join(" ");
}

/** Whom a place reaches, besides itself. */
function reachedFrom(policies: readonly NetworkPolicy[], place: string, port = 80, protocol: NaiveConnection["protocol"] = "TCP") {
  return everyone
    .filter((one) => one !== place)
    .filter((one) =>
      passes({ policies, pods, namespaces }, { source: addressOf(place), destination: addressOf(one), port, protocol }),
    )
    .join(" ");
}

const all = (except: string) => everyone.filter((one) => one !== except).join(" ");
const label = (pod: string) => ({ matchLabels: { pod } });

describe("who may call x/a", () => {
  const from = (...peers: NonNullable<NonNullable<NetworkPolicySpec["ingress"]>[number]["from"]>) =>
    policy("x", { podSelector: label("a"), ingress: [{ from: peers }] });
  it.each<[string, readonly NetworkPolicy[], string]>([
    ["[NET-230] no policy: everybody", [], all("x/a")],
    ["[NET-230] a policy for another Pod: everybody", [policy("x", { podSelector: label("b") })], all("x/a")],
    ["[NET-230] a policy of another namespace: everybody", [policy("y", {})], all("x/a")],
    ["[NET-231] a policy without rules: nobody", [policy("x", {})], ""],
    ["[NET-231] an empty list of rules: nobody", [policy("x", { ingress: [] })], ""],
    [
      "[NET-231] isolated for egress only: everybody",
      [policy("x", { policyTypes: ["Egress"] })],
      "y/a y/b y/c z/a z/b z/c outside",
    ],
    ["[NET-232] an empty rule: everybody", [policy("x", { ingress: [{}] })], all("x/a")],
    ["[NET-232] an empty list of sources: everybody", [policy("x", { ingress: [{ from: [], ports: [] }] })], all("x/a")],
    ["Pods by label, of the policy's namespace", [from({ podSelector: label("b") })], "x/b"],
    ["[NET-233] all Pods of the policy's namespace", [from({ podSelector: {} })], "x/b x/c"],
    ["[NET-233] all namespaces, and nobody outside", [from({ namespaceSelector: {} })], "x/b x/c y/a y/b y/c z/a z/b z/c"],
    ["namespaces by label", [from({ namespaceSelector: { matchLabels: { ns: "y" } } })], "y/a y/b y/c"],
    [
      "[NET-232] Pods in namespaces: both must fit",
      [from({ namespaceSelector: { matchLabels: { team: "blue" } }, podSelector: label("b") })],
      "y/b z/b",
    ],
    [
      "[NET-232] Pods and namespaces as two sources: one must fit",
      [from({ namespaceSelector: { matchLabels: { ns: "z" } } }, { podSelector: label("b") })],
      "x/b z/a z/b z/c",
    ],
    [
      "expressions over Pods",
      [from({ namespaceSelector: {}, podSelector: { matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] } })],
      "y/a z/a",
    ],
    [
      "expressions over namespaces",
      [from({ namespaceSelector: { matchExpressions: [{ key: "ns", operator: "NotIn", values: ["x", "z"] }] } })],
      "y/a y/b y/c",
    ],
    ["a block of addresses, outside", [from({ ipBlock: { cidr: "192.0.2.0/24" } })], "outside"],
    [
      "a block of addresses with a hole, also of Pods",
      [from({ ipBlock: { cidr: "10.244.0.0/16", except: ["10.244.1.0/24", "10.244.2.2/32"] } })],
      "x/b x/c z/a z/c",
    ],
    [
      "a hole that another source fills",
      [from({ ipBlock: { cidr: "0.0.0.0/0", except: ["10.244.0.0/16"] } }, { podSelector: label("c") })],
      "x/c outside",
    ],
    ["a block of IPv6", [from({ ipBlock: { cidr: "2001:db8::/32" } })], ""],
    [
      "[NET-231] two policies add up",
      [
        from({ podSelector: label("b") }),
        policy("x", { ingress: [{ from: [{ namespaceSelector: { matchLabels: { ns: "z" } } }] }] }),
      ],
      "x/b z/a z/b z/c",
    ],
    ["[NET-231] deny beside allow-all: everybody", [policy("x", {}), policy("x", { ingress: [{}] }, "open")], all("x/a")],
    [
      "[NET-231] whose own egress is shut cannot",
      [from({ namespaceSelector: {} }), policy("y", { policyTypes: ["Egress"] })],
      "x/b x/c z/a z/b z/c",
    ],
  ])("%s", (_title, policies, expected) => {
    expect(callersOf(policies, "x/a")).toBe(expected);
  });
});

describe("through which ports x/a is called", () => {
  const through = (...list: NonNullable<NonNullable<NetworkPolicySpec["ingress"]>[number]["ports"]>) => [
    policy("x", { ingress: [{ ports: list }] }),
  ];
  it.each<[string, readonly NetworkPolicy[], readonly (readonly [number, "TCP" | "UDP" | "SCTP"])[]]>([
    ["a number, of TCP unless said", through({ port: 80 }), [[80, "TCP"]]],
    ["a number of UDP", through({ port: 80, protocol: "UDP" }), [[80, "UDP"]]],
    ["a number of SCTP", through({ port: 80, protocol: "SCTP" }), [[80, "SCTP"]]],
    [
      "a whole protocol",
      through({ protocol: "TCP" }),
      [
        [79, "TCP"],
        [80, "TCP"],
        [81, "TCP"],
        [8080, "TCP"],
      ],
    ],
    [
      "[NET-232] several: one must fit",
      through({ port: 79 }, { port: 80, protocol: "UDP" }),
      [
        [79, "TCP"],
        [80, "UDP"],
      ],
    ],
    [
      "a range, both ends in it",
      through({ port: 80, endPort: 8080 }),
      [
        [80, "TCP"],
        [81, "TCP"],
        [8080, "TCP"],
      ],
    ],
    ["a range of one", through({ port: 81, endPort: 81 }), [[81, "TCP"]]],
    ["[NET-238] a name", through({ port: "web" }), [[80, "TCP"]]],
    ["[NET-238] a name of another protocol", through({ port: "dns" }), []],
    ["[NET-238] a name of UDP", through({ port: "dns", protocol: "UDP" }), [[80, "UDP"]]],
    ["[NET-238] a name that the Pod has not", through({ port: "nope" }), []],
  ])("%s", (_title, policies, open) => {
    const tried = [79, 80, 81, 8080].flatMap((port) => (["TCP", "UDP", "SCTP"] as const).map((one) => [port, one] as const));
    expect(tried.filter(([port, protocol]) => callersOf(policies, "x/a", port, protocol) !== "")).toEqual(open);
  });

  it("[NET-238] a name is each destination's own, also of sidecars", () => {
    const out = [policy("x", { policyTypes: ["Egress"], egress: [{ ports: [{ port: "web" }] }] })];
    expect(reachedFrom(out, "x/a", 80)).toBe("x/b y/a y/b z/a z/b");
    expect(reachedFrom(out, "x/a", 8080)).toBe("x/c y/c z/c");
    const named = { name: "web", ports: [{ name: "web", containerPort: 80 }] };
    const { ingress } = compilePolicy(through({ port: "web" })[0] as NetworkPolicy).rules;
    const opens = (spec: PodSpec) =>
      ingress?.[0]?.({ far: { address: outside, known: undefined }, destination: { spec }, port: 80, protocol: "tcp" });
    expect(opens({ containers: [], initContainers: [{ ...named, restartPolicy: "Always" }] })).toBe(true);
    expect(opens({ containers: [], initContainers: [named] })).toBe(false);
  });

  it("[NET-232] ports and sources of one rule must both fit, rules of one policy add up", () => {
    const policies = [
      policy("x", {
        ingress: [
          { from: [{ podSelector: label("b") }], ports: [{ port: 80 }] },
          { from: [{ podSelector: label("c") }], ports: [{ port: 81 }] },
        ],
      }),
    ];
    expect([80, 81].map((port) => callersOf(policies, "x/a", port))).toEqual(["x/b", "x/c"]);
  });
});

describe("whom x/a may call", () => {
  const to = (...peers: NonNullable<NonNullable<NetworkPolicySpec["egress"]>[number]["to"]>) =>
    policy("x", { podSelector: label("a"), policyTypes: ["Egress"], egress: [{ to: peers }] });
  it.each<[string, readonly NetworkPolicy[], string]>([
    ["[NET-231] isolated for ingress only: everybody of others", [policy("x", {})], "y/a y/b y/c z/a z/b z/c outside"],
    ["[NET-231] no rules: nobody", [policy("x", { policyTypes: ["Egress"] })], ""],
    ["an empty rule: everybody", [policy("x", { policyTypes: ["Egress"], egress: [{}] })], all("x/a")],
    ["Pods by label", [to({ podSelector: label("b") })], "x/b"],
    ["[NET-233] all namespaces, and nobody outside", [to({ namespaceSelector: {} })], "x/b x/c y/a y/b y/c z/a z/b z/c"],
    ["a block of addresses", [to({ ipBlock: { cidr: "192.0.2.7/32" } })], "outside"],
    ["a block without the cluster", [to({ ipBlock: { cidr: "0.0.0.0/0", except: ["10.244.0.0/16"] } })], "outside"],
    ["[NET-231] the other side's ingress counts too", [to({ namespaceSelector: {} }), policy("y", {})], "x/b x/c z/a z/b z/c"],
    [
      "rules of the other direction do not count",
      [policy("x", { policyTypes: ["Egress"], ingress: [{}], egress: [{ to: [{ podSelector: label("c") }] }] })],
      "x/c",
    ],
  ])("%s", (_title, policies, expected) => {
    expect(reachedFrom(policies, "x/a")).toBe(expected);
  });
});

describe("compiled policies and a naive reading of the API", () => {
  const value = fc.constantFrom("a", "b", "c", "x", "y", "z", "blue", "back");
  const key = fc.constantFrom("pod", "tier", "ns", "team");
  const selector = fc.record(
    {
      matchLabels: fc.dictionary(key, value, { maxKeys: 1 }),
      matchExpressions: fc.array(
        fc.oneof(
          fc.record({ key, operator: fc.constantFrom("In", "NotIn"), values: fc.array(value, { minLength: 1, maxLength: 3 }) }),
          fc.record({ key, operator: fc.constantFrom("Exists", "DoesNotExist") }),
        ),
        { maxLength: 1 },
      ),
    },
    { requiredKeys: [] },
  );
  const ipBlock = fc.constantFrom(
    { cidr: "10.244.0.0/16", except: ["10.244.1.0/24"] },
    { cidr: "10.244.1.0/31" },
    { cidr: "0.0.0.0/0", except: ["10.244.0.0/16", "192.0.2.0/25"] },
    { cidr: "192.0.2.0/24" },
    { cidr: "128.0.0.0/1" },
  );
  const peer = fc.oneof(
    fc.record({ podSelector: selector }),
    fc.record({ namespaceSelector: selector }),
    fc.record({ podSelector: selector, namespaceSelector: selector }),
    fc.record({ ipBlock }),
  );
  const protocol = fc.constantFrom("TCP" as const, "UDP" as const, "SCTP" as const);
  const port = fc.oneof(
    fc.record({ protocol }),
    fc.record({ protocol, port: fc.constantFrom<number | string>(80, 81, "web", "dns", "admin") }),
    fc.record({ protocol, port: fc.constantFrom(79, 80), endPort: fc.constantFrom(80, 81, 9000) }),
  );
  const lists = { ports: fc.array(port, { maxLength: 2 }) };
  const peers = fc.array(peer, { maxLength: 2 });
  const spec = fc.record({
    podSelector: selector,
    policyTypes: fc.constantFrom(["Ingress"], ["Egress"], ["Ingress", "Egress"]),
    ingress: fc.array(fc.record({ ...lists, from: peers }, { requiredKeys: [] }), { maxLength: 2 }),
    egress: fc.array(fc.record({ ...lists, to: peers }, { requiredKeys: [] }), { maxLength: 2 }),
  });
  const policies = fc.array(
    fc.record({ namespace: fc.constantFrom("x", "y", "z"), spec }).map((made) => policy(made.namespace, made.spec)),
    { maxLength: 4 },
  );

  it("[NET-230] [NET-231] [NET-232] agree about every connection", () => {
    fc.assert(
      fc.property(policies, protocol, fc.constantFrom(79, 80, 81, 8080), (made, ofProtocol, ofPort) => {
        const cluster = { policies: made, pods, namespaces };
        for (const source of everyone.map(addressOf)) {
          for (const destination of everyone.map(addressOf)) {
            const connection = { source, destination, port: ofPort, protocol: ofProtocol };
            if (passes(cluster, connection) !== isAllowed(cluster, connection))
              expect({ ...connection, passes: passes(cluster, connection) }).toEqual({
                ...connection,
                passes: isAllowed(cluster, connection),
              });
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

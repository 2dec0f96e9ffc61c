// What NetworkPolicies say about one connection: policies are compiled once, the rules of those that select a Pod are its isolation, and an
// isolation admits what any of its rules fits (https://kubernetes.io/docs/reference/kubernetes-api/networking/network-policy-v1/).

import type {
  IPBlock,
  LabelSelector,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  Pod,
} from "#cluster/api/generated/types.ts";
import { type LabelMatcher, type Labels, matcherOf } from "#cluster/api/labels.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { contains, parseAddress, parseRange } from "../addresses.ts";
import type { Direction, Opening } from "./opening.ts";

/** What is known of a Pod that has an address of its own. */
export interface KnownPod {
  readonly pod: Pod;
  readonly namespaceLabels: Labels | undefined;
}

/** What a rule is asked about. */
export interface Question {
  /** The end whose Pod is not the isolated one. */
  readonly far: { readonly address: string; readonly known: KnownPod | undefined };
  /** Whose names of ports count. */
  readonly destination: Pod | undefined;
  readonly port: number;
  readonly protocol: Opening["protocol"];
}

type Test = (question: Question) => boolean;

export interface CompiledPolicy {
  readonly selects: LabelMatcher;
  /** Its rules by the directions that it isolates. */
  readonly rules: { readonly [D in Direction]?: readonly Test[] };
}

/** Of each direction in which a Pod is isolated, what is let through nevertheless. */
export type Isolation = { readonly [D in Direction]?: readonly Test[] };

/** Of a stored policy, which has its defaults. Throws SelectorError. */
export function compilePolicy({ metadata, spec }: NetworkPolicy): CompiledPolicy {
  const namespace = metadata?.namespace ?? "";
  const types = spec?.policyTypes ?? [];
  const ingress = (spec?.ingress ?? []).map(({ ports, from }) => ruleTest(ports, from, namespace));
  const egress = (spec?.egress ?? []).map(({ ports, to }) => ruleTest(ports, to, namespace));
  return {
    selects: matcherOf(spec?.podSelector ?? {}),
    rules: {
      ...(types.includes("Ingress") ? { ingress } : {}),
      ...(types.includes("Egress") ? { egress } : {}),
    },
  };
}

/** By all policies of the Pod's namespace: those that select it add up. */
export function isolationOf(policies: readonly CompiledPolicy[], labels: Labels | undefined): Isolation {
  const selecting = policies.filter(({ selects }) => selects(labels));
  const added = (direction: Direction): Isolation => {
    const isolating = selecting.flatMap(({ rules }) => rules[direction] ?? []);
    return selecting.some(({ rules }) => rules[direction] !== undefined) ? { [direction]: isolating } : {};
  };
  return { ...added("ingress"), ...added("egress") };
}

export function admits(isolation: Isolation, direction: Direction, question: Question): boolean {
  return isolation[direction]?.some((test) => test(question)) ?? true;
}

/** No ports, or no peers: whichever. */
function ruleTest(
  ports: readonly NetworkPolicyPort[] | undefined,
  peers: readonly NetworkPolicyPeer[] | undefined,
  namespace: string,
): Test {
  const portTests = (ports ?? []).map(portTest);
  const peerTests = (peers ?? []).map((peer) => peerTest(peer, namespace));
  return (question) =>
    (portTests.length === 0 || portTests.some((test) => test(question))) &&
    (peerTests.length === 0 || peerTests.some((test) => test(question)));
}

function portTest({ port, endPort, protocol = "TCP" }: NetworkPolicyPort): Test {
  const wanted = asciiLowerCase(protocol);
  if (port === undefined) return (question) => question.protocol === wanted;
  if (typeof port === "string")
    return (question) => question.protocol === wanted && hasNamedPort(question.destination, port, protocol, question.port);
  const last = endPort ?? port;
  return (question) => question.protocol === wanted && question.port >= port && question.port <= last;
}

/** Of containers and sidecars, as Services look for names. */
function hasNamedPort(pod: Pod | undefined, name: string, protocol: string, port: number): boolean {
  const sidecars = (pod?.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(pod?.spec?.containers ?? []), ...sidecars].some(({ ports = [] }) =>
    ports.some((one) => one.name === name && (one.protocol ?? "TCP") === protocol && one.containerPort === port),
  );
}

function peerTest({ podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer, namespace: string): Test {
  if (ipBlock !== undefined) return blockTest(ipBlock);
  const selectsPod = podSelector === undefined ? () => true : matcherOf(podSelector);
  const isThere = placeTest(namespaceSelector, namespace);
  return ({ far: { known } }) => known !== undefined && selectsPod(known.pod.metadata?.labels) && isThere(known);
}

function placeTest(selector: LabelSelector | undefined, namespace: string): (known: KnownPod) => boolean {
  if (selector === undefined) return ({ pod }) => pod.metadata?.namespace === namespace;
  const selects = matcherOf(selector);
  return ({ namespaceLabels }) => selects(namespaceLabels);
}

/** Blocks of IPv6 hold no address of these networks. */
function blockTest({ cidr, except = [] }: IPBlock): Test {
  if (cidr.includes(":")) return () => false;
  const whole = parseRange(cidr);
  const holes = except.map(parseRange);
  return ({ far }) => {
    const address = parseAddress(far.address);
    return contains(whole, address) && !holes.some((hole) => contains(hole, address));
  };
}
